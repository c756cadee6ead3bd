//! The memory of reducers over wide lists.
//!
//! `cargo bench -p lop --bench wide` prints the peak memory over lists of 2,000 to 64,000 siblings, and how it
//! grows from each list to the next, which is twice as long (goal: twice as much at most, give or take a tenth). `hoist` and
//! `hoistr:model` find nothing; `hddr` needs every second sibling. Each run ends after as many tests as the list has siblings.

#[path = "../tests/common/allocated.rs"]
mod allocated;
#[path = "../tests/common/wide.rs"]
mod wide;

#[global_allocator]
static ALLOCATOR: allocated::Counting = allocated::Counting;

fn main() {
    for (strategy, every_second) in wide::CASES {
        let mut before = None;
        for siblings in (0..6).map(|power| 2_000 << power) {
            let held = wide::held(strategy, siblings, every_second, siblings as u64);
            let growth = before.map_or(String::new(), |before: usize| {
                format!("  × {:.2}", held as f64 / before as f64)
            });
            println!("{strategy:14} {siblings:6} siblings {:8.1} MB{growth}", held as f64 / 1e6);
            before = Some(held);
        }
    }
}
