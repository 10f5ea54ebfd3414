//! Debug builds record which templates a run renders, and with which types, for the test that every
//! template is rendered and names its views.
//!
//! Each template begins with a call that appends its name, and the type passed to the render, to
//! the file that the variable `TORCHGEN_USED_TEMPLATES` names, if it is set. Invariant: release
//! builds do not have this, and it does not change the rendered text.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use minijinja::Environment;

const FUNCTION: &str = "torchgen_rs_rendered";

thread_local! {
    /// The type of the view that this thread is rendering.
    static VIEW: Cell<&'static str> = const { Cell::new("") };
}

/// Begins a render.
pub(super) fn begin(view: &'static str) {
    VIEW.set(view);
}

/// Whether names are recorded. If so, adds the function for it to the environment.
pub(super) fn is_noted_in(environment: &mut Environment<'static>) -> bool {
    let Some(file) = std::env::var_os("TORCHGEN_USED_TEMPLATES") else { return false };
    let known: Mutex<BTreeSet<(String, &'static str)>> = Mutex::default();
    environment.add_function(FUNCTION, move |name: String| {
        let view = VIEW.get();
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{name}\t{view}\n");
        if known.insert((name, view)) {
            let file = OpenOptions::new().create(true).append(true).open(&file);
            // If it cannot be written, the test misses the name.
            let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
        }
        ""
    });
    true
}

/// The text of a template that records its name.
pub(super) fn noting(name: &str, text: &str) -> String {
    format!("{{{{ {FUNCTION}({name:?}) }}}}{text}")
}
