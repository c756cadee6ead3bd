//! One more run of the test on the original, with its details recorded.
//!
//! A test says yes or no, but its run tells more: the input of its `grep`, and the places of the candidate that its
//! interpreter runs. The verdict of this run doesn't count, and only its environment changes.

mod grep;
mod reach;

use std::ffi::OsString;
use std::io;

use lop::Clues;
use lop::oracle::command::{Argument, CommandLine};
use lop::oracle::execute::Scratch;

use crate::question::Question;
use grep::Grep;
pub(crate) use grep::readable;
use reach::Reach;

/// In a shorter text, places save less than a run costs.
const SHORT: usize = 1 << 10;

/// The recorders of a watched run.
pub(crate) struct Watch {
    /// It is only there if the output of the test names no places.
    grep: Option<Grep>,
    reach: Option<Reach>,
    _place: Scratch,
}

impl Watch {
    /// `None` if nothing can be recorded: the test runs on another machine, or in an unknown way. `has_places` tells
    /// whether the output of the test names places.
    pub(crate) fn new(question: &Question, has_places: bool) -> io::Result<Option<Self>> {
        let args = &question.args.test;
        let is_here = !args.serve && args.sandbox.is_none() && args.launcher.is_none();
        if question.text.len() < SHORT || !is_here || args.server().is_some() {
            return Ok(None);
        }
        let (has_grep, has_reach) = (!has_places && Grep::suits(question), Reach::suits(question));
        if !has_grep && !has_reach {
            return Ok(None);
        }
        let place = Scratch::new()?;
        let grep = has_grep.then(|| Grep::new(&place.root().join("grep"))).transpose()?;
        let reach = has_reach.then(|| Reach::new(&place.root().join("reach"), question));
        Ok(Some(Watch { grep, reach: reach.transpose()?, _place: place }))
    }

    /// The purpose of the watched run, in words.
    pub(crate) fn told(&self) -> &'static str {
        match (&self.grep, &self.reach) {
            (Some(_), Some(_)) => "what its grep reads and what the original reaches",
            (Some(_), None) => "what its grep reads",
            _ => "what the original reaches",
        }
    }

    /// The command in an environment that records it.
    pub(crate) fn around(&self, command: &CommandLine) -> CommandLine {
        let grep = self.grep.iter().flat_map(Grep::variables);
        let all: Vec<(OsString, OsString)> =
            grep.chain(self.reach.iter().flat_map(Reach::variables)).collect();
        let mut command = command.clone();
        command.env.extend(all.into_iter().map(|(name, value)| (name, Argument::plain(value))));
        command
    }

    /// The clues that were recorded, added to those from the output of the test.
    pub(crate) fn clues(&self, question: &Question, known: &Clues) -> Clues {
        let places = self.grep.as_ref().map_or_else(|| known.clone(), |it| it.clues(question));
        let places = places.places(&question.text).to_vec();
        let reached = self.reach.as_ref().map_or_else(Vec::new, |it| it.places(question));
        Clues::new(&question.text, places).with_reached(reached)
    }
}
