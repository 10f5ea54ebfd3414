//! Templates of a tree whose holes are moved into lines.
//!
//! Where a hole begins its line, blanks and empty elements of its value vanish. Inside a line,
//! every character of the value shows, and each way to write a hole joins a list differently.

use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::workspace;

/// A hole, as the reference finds it. Rule: torchgen/code_template.py, `CodeTemplate`.
static HOLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)(^[^\n\S]*)?\$([^\d\W]\w*|\{,?[^\d\W]\w*,?\})").expect("a constant pattern"));

/// The hole for what is filled for each operator, and the template of that: `docs/differences.md`
/// says how their texts differ in a line.
const OF_EACH_OPERATOR: (&str, &str) = ("dispatch_definitions", "RegisterDispatchDefinitions.ini");

/// Moves the holes of all templates below a directory.
pub(crate) fn move_holes(directory: &Path) -> Result<(), String> {
    for path in workspace::files(directory)? {
        if path.ends_with(OF_EACH_OPERATOR.1) {
            continue;
        }
        let path = directory.join(path);
        workspace::write(&path, moved(&workspace::text(&path)?).as_bytes())?;
    }
    Ok(())
}

/// The text with each hole inside a line, once for each way to write it.
fn moved(text: &str) -> String {
    let place = |hole: &Captures<'_>| {
        let indent = hole.get(1).map_or("", |indent| indent.as_str());
        let name = hole[2].trim_matches(['{', ',', '}']);
        if name == OF_EACH_OPERATOR.0 {
            return hole[0].to_owned();
        }
        let ways = [format!("${{{name}}}"), format!("${{,{name}}}"), format!("${{{name},}}"), format!("${{,{name},}}")];
        format!("{indent}<{name}|{}>", ways.join("|"))
    };
    HOLE.replace_all(text, place).into_owned()
}

/// A test of the machine itself.
pub(crate) fn holes_are_moved() -> Result<(), String> {
    let moved = moved("a $x\n  ${y,}\n");
    let expected = "a <x|${x}|${,x}|${x,}|${,x,}>\n  <y|${y}|${,y}|${y,}|${,y,}>\n";
    if moved == expected { Ok(()) } else { Err(moved) }
}
