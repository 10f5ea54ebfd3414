//! `torchgen-rs format` on PyTorch's own files, of each version.
//!
//! PyYAML compares what the files mean, independently of the program.

use std::path::Path;
use std::process::Command;

use similar::{ChangeTag, TextDiff};

use super::{Context, reference, workspace};

/// PyTorch's own YAML, in the wheel.
const FORMATTED: [&str; 4] = [
    "ATen/native/native_functions.yaml",
    "ATen/native/tags.yaml",
    "autograd/derivatives.yaml",
    "autograd/deprecated.yaml",
];

/// Compares two files of YAML as PyYAML reads them, and lists of dispatch keys as torchgen does.
///
/// Rule: torchgen/model.py, `NativeFunction.from_yaml`, splits these at commas and strips them.
const SAME_YAML: &str = "\
import sys, yaml
def plain(v):
    if isinstance(v, dict):
        return {','.join(part.strip() for part in str(key).split(',')): plain(value) for key, value in v.items()}
    return [plain(item) for item in v] if isinstance(v, list) else v
a, b = (plain(yaml.load(open(path), yaml.CSafeLoader)) for path in sys.argv[1:])
sys.exit(a != b)";

/// `torchgen-rs format` of PyTorch's own files changes few lines, and nothing that PyYAML reads.
pub(super) fn check(context: &Context) -> Result<(), String> {
    let packaged = context.wheel()?.join("torchgen/packaged");
    let directory = context.ours.join(workspace::flat(&format!("{}format", context.prefix)));
    workspace::fresh(&directory)?;
    let files =
        FORMATTED.map(|path| (packaged.join(path), directory.join(Path::new(path).file_name().unwrap_or_default())));
    for (old, new) in &files {
        workspace::copy(old, new)?;
    }
    for arguments in [&["format"][..], &["format", "--check"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        workspace::run(command.args(arguments).current_dir(&directory))?;
    }
    for (old, new) in &files {
        let mut python = reference::python();
        python.args(["-c", SAME_YAML]).args([old, new]).env("PYTHONPATH", context.wheel()?.join("site"));
        workspace::run(&mut python)?;
        let (old_text, new_text) = (workspace::text(old)?, workspace::text(new)?);
        let black = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        if black(&old_text) != black(&new_text) {
            return Err(format!("{}: more than white space changed", old.display()));
        }
        let changes = TextDiff::from_lines(&old_text, &new_text);
        let changed = changes.iter_all_changes().filter(|change| change.tag() == ChangeTag::Delete).count();
        println!(
            "{}format: {} of {} lines of {} change",
            context.prefix,
            changed,
            old_text.lines().count(),
            old.display()
        );
        if changed * 100 > old_text.lines().count() {
            return Err(format!("{}: {changed} lines would change", old.display()));
        }
    }
    workspace::remove(&directory)
}
