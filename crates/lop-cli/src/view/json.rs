//! Events for programs: one object a line.

use lop::{Event, Observer};

use super::print;

/// Prints each event.
pub(super) struct Json;

impl Observer for Json {
    fn event(&mut self, event: &Event) {
        print(&serde_json::to_string(event).expect("events can be written as JSON"));
    }
}
