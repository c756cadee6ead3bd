//! The protocol between lop and a generator.

use lop::choice::engine::Choices;
use lop::choice::engine::protocol::{Case, driver, generator};

/// Any text as choices: what is read is written and read as the same.
pub(crate) fn choices(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(choices) = text.parse::<Choices>() {
        check(&choices);
    }
    let mut input = bytes;
    while let Ok(Some(choices)) = generator::next_choices(&mut input) {
        check(&choices);
    }
}

fn check(choices: &Choices) {
    let again: Choices = choices.to_string().parse().expect("what is written is read");
    assert_eq!(again, *choices);
    let many = driver::one_of_many(choices);
    let first = generator::next_choices(&mut many.as_bytes()).expect("what is written is read");
    assert_eq!(first.as_ref(), Some(choices));
}

/// Any text as the events of a case: the record that is read is written and read as the same, but for the names of labels.
pub(crate) fn events(bytes: &[u8]) {
    let Ok(events) = driver::Events::read(bytes) else { return };
    let (record, _) = events.finish();
    for span in &record.spans {
        assert!(span.start <= span.end && span.end <= record.choices.len());
        assert!(span.until <= record.spans.len());
    }
    let _ = (record.flags(), record.owners());
    let mut written = Vec::new();
    generator::write_events(&mut written, &record, &Case::Rejected).expect("a vector takes all");
    let (again, _) = driver::Events::read(&written).expect("what is written is read").finish();
    assert_eq!(again.choices, record.choices);
}

/// Any bytes as what a generator writes for one case after the other.
pub(crate) fn cases(bytes: &[u8]) {
    let mut input = bytes;
    while let Ok(Some((record, case))) = driver::read_case(&mut input) {
        let mut written = Vec::new();
        let writes = generator::write_events(&mut written, &record, &case)
            .and_then(|()| generator::write_case(&mut written, &case));
        writes.expect("a vector takes all");
        let again = driver::read_case(&mut &written[..]).expect("what is written is read");
        let (again, same) = again.expect("there is a case");
        assert_eq!(again.choices, record.choices);
        assert_eq!(same, case);
    }
}
