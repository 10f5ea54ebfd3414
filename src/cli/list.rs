//! `torchgen-rs list`: prints the generators of all families, their commands, files and templates.

use std::fmt::Write;

use crate::families::FAMILIES;
use torchgen_kit::driver::args::NoFlags;
use torchgen_kit::driver::family::Command;
use torchgen_kit::driver::report::print_data;
use torchgen_kit::driver::{Counters, Status};

/// The command.
pub(super) const COMMAND: Command =
    Command::plain::<NoFlags>("list", "List all generators: family, command, files, templates", |_, _| run());

fn run() -> (Status, Counters) {
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
    (print_data(&out), Counters::default())
}
