//! `torchgen-rs list`: prints the generators of all families, their commands, files and templates.

use std::fmt::Write;

use crate::families::FAMILIES;
use torchgen_kit::driver::args::NoFlags;
use torchgen_kit::driver::job::Job;
use torchgen_kit::driver::report::{Summary, print_data};
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(super) struct List;

impl Job for List {
    type Args = NoFlags;
    const NAME: &'static str = "list";
    const ABOUT: &'static str = "List all generators: family, command, files, templates";

    fn run(_: &NoFlags, _: &mut Session) -> Result<Summary, JobError> {
        print_data(&text())
    }
}

fn text() -> String {
    let mut out = String::new();
    for family in FAMILIES {
        let _ = writeln!(out, "{}: {}", family.name, family.about);
        for (command, documents) in family.commands.iter().filter_map(|c| Some((c, c.documents.as_ref()?))) {
            let _ = writeln!(out, "  {}: reads `family: {}`", command.name, command.name);
            if !documents.emit.is_empty() {
                let _ = writeln!(out, "    --emit     {}", documents.emit.join(" "));
            }
        }
        for generator in (family.generators)() {
            let _ = writeln!(out, "  {} {}: {}", generator.command, generator.name, generator.about);
            let _ = writeln!(out, "    files      {}", generator.files.join(" "));
            let _ = writeln!(out, "    templates  {}", generator.templates);
        }
    }
    out
}
