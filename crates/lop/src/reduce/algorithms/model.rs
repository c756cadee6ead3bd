//! The loop of the probabilistic algorithms: a model of the elements chooses the next removal, and learns from each
//! answer.
//!
//! ```text
//! while the model has a removal s
//!     if c ∖ s is interesting   c ← c ∖ s; forget s
//!     else                      learn that s was needed
//! ```
//!
//! `probdd` and `wprobdd` differ in their model only.

use crate::search::{Answer, Search, Subset};

/// An algorithm's beliefs about the remaining elements.
pub(super) trait Model: Clone {
    /// A set of elements, as the model keeps it.
    type Removal;

    /// The set whose removal is tried next; `None` if all remaining elements are needed.
    fn best_removal(&self) -> Option<Self::Removal>;
    /// The elements of a set, in ascending order.
    fn elements(&self, set: &Self::Removal) -> Vec<usize>;
    /// Learns that at least one element of the set is needed.
    fn failed(&mut self, set: &Self::Removal);
    /// Forgets the elements of the set, which were removed.
    fn succeeded(&mut self, set: &Self::Removal);
}

/// Minimises an interesting configuration.
pub(super) fn minimise(
    mut c: Subset,
    mut model: impl Model,
    search: &mut dyn Search<Subset>,
) -> Subset {
    loop {
        // The stream assumes that every test fails; after a success at some index the model is
        // brought to the state that belongs to it.
        let mut ahead = model.clone();
        let mut failing = std::iter::from_fn(|| {
            let removed = ahead.best_removal()?;
            ahead.failed(&removed);
            Some(c.without_elements(&ahead.elements(&removed)))
        });
        let Answer::Found(index) = search.first(&mut failing) else { return c };
        for _ in 0..index {
            let removed = model.best_removal().expect("the stream came from the same model");
            model.failed(&removed);
        }
        let removed = model.best_removal().expect("the stream came from the same model");
        c = c.without_elements(&model.elements(&removed));
        model.succeeded(&removed);
    }
}

/// The order in which equal elements are taken: from last to first, since a use comes after its definition; a seed other
/// than 0 shuffles them instead.
pub(super) fn order(c: &Subset, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = c.iter().collect();
    if seed == 0 {
        order.reverse();
    } else {
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
    }
    order
}
