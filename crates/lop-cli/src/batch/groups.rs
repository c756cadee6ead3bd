//! Groups of jobs that seem to have the same bug: before the reduction by how their inputs fail, and afterwards also by
//! their results.

use std::collections::HashMap;
use std::hash::Hash;

use super::store::{Record, Status};

/// Chooses the jobs to reduce: of those whose inputs fail in the same way, one that is done already, else the one with
/// the smallest input; with `all`, each of them.
pub(super) fn choose(records: &mut [Record], all: bool) {
    let mut chosen: HashMap<(String, Vec<String>), Vec<usize>> = HashMap::new();
    for (index, record) in records.iter().enumerate().filter(|(_, record)| record.is_failing()) {
        let key = record.before.failing.as_ref().and_then(|failing| failing.key());
        if let Some(key) = key.filter(|_| !all) {
            chosen.entry(key).or_default().push(index);
        }
    }
    for record in records.iter_mut().filter(|record| record.status == Status::Duplicate) {
        (record.status, record.duplicate_of) = (Status::Waiting, None);
    }
    for members in chosen.into_values() {
        let is_tried = |index: usize| {
            let record = &records[index];
            record.is_done() || matches!(record.status, Status::Failed | Status::Flaky)
        };
        let order = |index: &usize| {
            // A job that was begun is finished.
            let is_begun = records[*index].status == Status::Interrupted;
            (!is_tried(*index), !is_begun, records[*index].before.bytes, *index)
        };
        let first = *members.iter().min_by_key(|index| order(index)).expect("a group has members");
        let others = members.into_iter().filter(|index| !is_tried(*index) && *index != first);
        let others: Vec<usize> = others.collect();
        let name = records[first].name.clone();
        for index in others {
            let record = &mut records[index];
            (record.status, record.duplicate_of) = (Status::Duplicate, Some(name.clone()));
        }
    }
}

/// Numbers the groups: jobs are in the same one if one of them is done instead of the other, if their results are the same, or if their
/// results fail in the same way.
pub(super) fn number(records: &mut [Record]) {
    let mut groups = Groups::new(records.len());
    groups.join_by(records, |record| {
        Some(record.duplicate_of.as_ref().unwrap_or(&record.name).clone())
    });
    groups.join_by(records, |record| record.content.clone());
    groups.join_by(records, |record| {
        let failing = record.after.as_ref()?.failing.as_ref()?;
        failing.key()
    });
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    for (index, record) in records.iter_mut().enumerate() {
        let next = numbers.len() + 1;
        record.group =
            record.is_failing().then(|| *numbers.entry(groups.root(index)).or_insert(next));
    }
}

/// Disjoint sets of indices.
struct Groups(Vec<usize>);

impl Groups {
    fn new(count: usize) -> Self {
        Groups((0..count).collect())
    }

    fn root(&self, mut index: usize) -> usize {
        while self.0[index] != index {
            index = self.0[index];
        }
        index
    }

    /// Joins the records with the same key.
    fn join_by<K: Eq + Hash>(&mut self, records: &[Record], key: impl Fn(&Record) -> Option<K>) {
        let mut first: HashMap<K, usize> = HashMap::new();
        for (index, record) in records.iter().enumerate().filter(|(_, record)| record.is_failing())
        {
            let Some(key) = key(record) else { continue };
            let (one, other) = (self.root(*first.entry(key).or_insert(index)), self.root(index));
            self.0[one.max(other)] = one.min(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::batch::failing::Failing;

    fn failing(message: &str) -> Failing {
        let (signature, short) = (message.to_owned(), message.to_owned());
        Failing { signature, frames: Vec::new(), is_telling: !message.is_empty(), short }
    }

    /// Jobs with these messages and sizes of their inputs.
    fn records(inputs: &[(&str, u64)]) -> Vec<Record> {
        let record = |(index, (message, bytes)): (usize, &(&str, u64))| {
            let mut record = Record::new(index.to_string().into(), Path::new("x"), Status::Waiting);
            (record.before.bytes, record.before.failing) = (*bytes, Some(failing(message)));
            record
        };
        inputs.iter().enumerate().map(record).collect()
    }

    fn reduced(records: &[Record]) -> Vec<usize> {
        let waiting = |(_, record): &(usize, &Record)| record.status != Status::Duplicate;
        records.iter().enumerate().filter(waiting).map(|(index, _)| index).collect()
    }

    #[test]
    fn the_smallest_input_of_each_message_is_reduced_and_each_without_a_message() {
        let mut records = records(&[("a", 9), ("b", 5), ("a", 7), ("", 3), ("", 4), ("a", 7)]);
        choose(&mut records, false);
        assert_eq!(reduced(&records), [1, 2, 3, 4]);
        choose(&mut records, true);
        assert_eq!(reduced(&records), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_job_that_is_done_or_begun_stays_the_one_that_is_reduced() {
        let mut records = records(&[("a", 9), ("a", 1), ("b", 9), ("b", 1)]);
        (records[0].status, records[2].status) = (Status::Reduced, Status::Interrupted);
        choose(&mut records, false);
        assert_eq!(reduced(&records), [0, 2]);
    }

    #[test]
    fn equal_results_and_equal_failures_join_groups() {
        let mut records = records(&[("a", 1), ("b", 2), ("c", 3), ("d", 4), ("a", 5)]);
        choose(&mut records, false);
        records[1].content = Some("same".into());
        records[3].content = Some("same".into());
        for index in [2, 0] {
            records[index].after = Some(crate::batch::store::Version {
                failing: Some(failing("z")),
                ..Default::default()
            });
        }
        number(&mut records);
        let groups: Vec<_> = records.iter().map(|record| record.group.unwrap()).collect();
        assert_eq!(groups, [1, 2, 1, 2, 1]);
        records[1].status = Status::NotReproduced;
        number(&mut records);
        assert_eq!(records[1].group, None);
    }
}
