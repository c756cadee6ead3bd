//! The memory of a run.

#[path = "common/allocated.rs"]
mod allocated;
#[path = "common/wide.rs"]
mod wide;

#[global_allocator]
static ALLOCATOR: allocated::Counting = allocated::Counting;

#[test]
fn memory_grows_with_the_number_of_siblings_and_not_with_its_square() {
    for (strategy, every_second) in wide::CASES {
        let [few, many] = [250, 1_000]
            .map(|siblings| wide::held(strategy, siblings, every_second, 2 * siblings as u64));
        // Four times as many siblings; their square would be sixteen times as much.
        assert!(many < 6 * few, "{strategy}: {few} bytes for 250 siblings, {many} for 1,000");
    }
}
