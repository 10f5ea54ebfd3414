//! Debug builds note which embedded templates a run renders, for the test that none is left over.
//!
//! Each embedded template begins with a call that adds its name to the file that the variable
//! `TORCHGEN_USED_TEMPLATES` names, if it is set. Invariant: a release build has nothing of this, and
//! the text of a render is the same.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use minijinja::Environment;

const FUNCTION: &str = "torchgen_rs_rendered";

/// Whether names are noted. If so, gives the environment the function that does it.
pub(super) fn is_noted_in(environment: &mut Environment<'static>) -> bool {
    let Some(file) = std::env::var_os("TORCHGEN_USED_TEMPLATES") else { return false };
    let known: Mutex<BTreeSet<String>> = Mutex::default();
    environment.add_function(FUNCTION, move |name: String| {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.contains(&name) {
            let file = OpenOptions::new().create(true).append(true).open(&file);
            // If it cannot be written, the test misses the name.
            let _ = file.and_then(|mut file| writeln!(file, "{name}"));
            known.insert(name);
        }
        ""
    });
    true
}

/// The text of a template that notes its name.
pub(super) fn noting(name: &str, text: &str) -> String {
    format!("{{{{ {FUNCTION}({name:?}) }}}}{text}")
}
