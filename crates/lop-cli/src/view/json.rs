//! Events as JSON: one object a line, as `docs/src/reference/events.schema.json` describes them.

use std::sync::Once;

use lop::{Event, Observer};
use serde_json::json;

use super::print;

/// The version of the schema. It changes when a program that reads events would have to.
const SCHEMA: u32 = 1;

/// Prints each event.
pub(super) struct Json;

impl Observer for Json {
    fn event(&mut self, event: &Event) {
        // A command may have several runs.
        static ABOUT: Once = Once::new();
        ABOUT.call_once(|| {
            let about =
                json!({ "event": "about", "lop": env!("CARGO_PKG_VERSION"), "schema": SCHEMA });
            print(&about.to_string());
        });
        print(&serde_json::to_string(event).expect("events can be written as JSON"));
    }
}
