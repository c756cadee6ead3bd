//! What reduces choices, for lop and its command line. It may change with any version: tests should use
//! [`Check`](crate::Check).
//!
//! Choices are given to a generator and recorded (`choice`, `record`, `choices`); passes ask for simpler ones (`shortlex`,
//! `passes`); a judge tries these, or has workers try them (`trials`, `workers`). A generator that is another program speaks the
//! [`protocol`].

pub use crate::choice::{Choice, Kind};
pub use crate::choices::{Choices, Error as ChoicesError};
pub use crate::passes::PASSES;
pub use crate::record::{Label, Record, Recorder, Span, Values};
pub use crate::shortlex::{Pass, Shortlex, Tally, Turn, reduce};
pub use crate::trials::{
    Attempt, Drawn, Ending, Judge, Look, Memory, Repair, Run, Runner, SIMPLEST, Trials,
};
pub use crate::workers::Workers;
/// The search behind [`Trials`], and the token and the jobs of [`Workers`].
pub use lop_search as search;

pub mod float {
    pub use crate::float::{from_place, is_whole, simplest, to_place};
}

pub mod protocol {
    pub use crate::protocol::*;
}
