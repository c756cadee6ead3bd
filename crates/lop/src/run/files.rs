//! Reduces several files: whole ones are removed first, then each is reduced by itself, the largest first, and again
//! while anything is found.

use crate::judge::Proposal;
use crate::reduce::algorithms::opdd;
use crate::run::strategy::Strategy;
use crate::search::Subset;
use crate::text::{Bundle, Candidate, Member};
use crate::tree::Format;

use super::engine::Engine;

pub(crate) fn reduce(engine: &mut Engine, strategy: &Strategy, bundle: &Bundle) {
    loop {
        let before = engine.best_key();
        engine.phase("files", |engine| cut_files(engine, bundle));
        for path in largest_first(bundle.members(engine.best())) {
            let members = bundle.members(engine.best());
            let Some(member) = members.iter().find(|member| member.path == path) else { continue };
            let content = &engine.best()[member.content.clone()];
            let format = Format::guess(&member.path, content);
            engine.focus_on(member.content.clone(), format);
            strategy.run(engine);
            engine.unfocus();
            if engine.is_over() {
                return;
            }
        }
        if engine.best_key() == before {
            return;
        }
    }
}

/// Removes whole files.
fn cut_files(engine: &mut Engine, bundle: &Bundle) {
    let text = engine.best().clone();
    let members = bundle.members(&text);
    let left = |kept: &Subset| {
        let gone = kept.gaps(members.len()).flatten();
        let gone = gone.map(|index| members[index].whole.clone());
        Proposal::sure(Candidate::without(&text, gone))
    };
    let mut search = engine.over(left);
    opdd(Subset::all(members.len()), &mut search);
}

fn largest_first(mut members: Vec<Member>) -> Vec<std::path::PathBuf> {
    members.sort_by_key(|member| std::cmp::Reverse(member.content.len()));
    members.into_iter().map(|member| member.path).collect()
}
