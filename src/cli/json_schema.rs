//! `torchgen-rs json-schema`: prints the JSON Schema of a kind of YAML file, for editors.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::key_reference;
use crate::families::FAMILIES;
use torchgen_kit::driver::family::{Command, YamlKind};
use torchgen_kit::driver::report::print_data;
use torchgen_kit::driver::{Counters, Status};

/// The command.
pub(super) const COMMAND: Command = Command::plain::<JsonSchemaArgs>(
    "json-schema",
    "Print the JSON Schema of a kind of YAML file, for editors",
    |_, matches| Command::with_args(matches, run),
);

/// The arguments of `json-schema`.
#[derive(Debug, Clone, Args)]
struct JsonSchemaArgs {
    /// The kind of YAML file
    #[arg(value_name = "KIND", value_parser = PossibleValuesParser::new(kinds().map(|kind| PossibleValue::new(kind.name).help(kind.about))))]
    kind: String,

    /// Print the keys as Markdown instead, for a reference page
    #[arg(long)]
    markdown: bool,
}

/// The kinds of all families.
fn kinds() -> impl Iterator<Item = &'static YamlKind> {
    FAMILIES.iter().flat_map(|family| family.yaml_kinds)
}

fn run(args: JsonSchemaArgs) -> (Status, Counters) {
    let schema = kinds().find(|kind| kind.name == args.kind).map(|kind| (kind.schema)()).unwrap_or_default();
    let text = match args.markdown {
        true => key_reference::markdown(&args.kind, &schema).expect("the tool's own JSON Schema"),
        false => schema,
    };
    (print_data(&text), Counters::default())
}
