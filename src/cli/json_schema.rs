//! `torchgen-rs json-schema`: prints the JSON Schema of a kind of YAML file, for editors, or of
//! diagnostics or the model, for programs that read them.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

use super::key_reference;
use crate::families::{FAMILIES, Fallback, for_editors};
use torchgen_kit::driver::args::{Common, CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::family::{DefaultFamily, YamlKind};
use torchgen_kit::driver::job::{Example, Job, JobArgs, example};
use torchgen_kit::driver::report::{Summary, print_data};
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::{Header, Thing, schema_of};

/// The command.
pub(super) struct JsonSchema;

/// The arguments of `json-schema`.
#[derive(Debug, Clone, Args)]
pub(super) struct JsonSchemaArgs {
    /// The kind of YAML file or output
    #[arg(value_name = "KIND", value_parser = PossibleValuesParser::new(kinds().map(|kind| PossibleValue::new(kind.name).help(kind.about))))]
    kind: Option<String>,

    /// A generator of your own: its folder, or its manifest
    ///
    /// Print the schema of its YAML, with the names of operators.
    #[arg(long, short = 'g', value_name = "DIR", help_heading = INPUT, conflicts_with_all = ["kind", "markdown"], required_unless_present = "kind")]
    generator: Option<PathBuf>,

    /// Print Markdown to standard output
    ///
    /// The keys for a reference page, in place of the JSON Schema.
    #[arg(long, help_heading = OUTPUT)]
    markdown: bool,
    /// The flags beyond.
    #[command(flatten)]
    common: Common<0>,
}

/// What `--message-format json` prints. `schemas/` has the schemas of the other kinds too, which
/// are made from the tables of their readers.
const DIAGNOSTICS: YamlKind = YamlKind {
    name: "diagnostics",
    about: "A line of `--message-format json`",
    schema: || include_str!("../../schemas/diagnostics.json").to_owned(),
};

/// What `model` prints, which is made from the types that it prints.
const MODELS: [YamlKind; 2] = [
    YamlKind {
        name: "model",
        about: "A line of `model` on sources that name no family",
        schema: Fallback::model_schema,
    },
    YamlKind { name: "family-model", about: "A line of `model` on another family", schema: family_schema },
];

/// A line of `model` on a family whose files name it.
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is used")]
enum FamilyLine {
    Header(Header),
    Thing(Box<Thing>),
}

fn family_schema() -> String {
    schema_of::<FamilyLine>()
}

/// The kinds of all families, and the outputs.
fn kinds() -> impl Iterator<Item = &'static YamlKind> {
    FAMILIES.iter().flat_map(|family| family.yaml_kinds).chain(&MODELS).chain([&DIAGNOSTICS])
}

impl JobArgs for JsonSchemaArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone().into()
    }
}

impl Job for JsonSchema {
    type Args = JsonSchemaArgs;
    const NAME: &'static str = "json-schema";
    const ABOUT: &'static str = "Print the JSON Schema of a kind of YAML file, or of what other commands print as JSON";
    const EXAMPLES: &'static [Example] = &[
        example("Write the schema of a library's operators to a file", "json-schema library > library.json"),
        example("Print the keys of a graph IR as Markdown", "json-schema graph-ir --markdown"),
        example(
            "Write the schema of the YAML of a generator of your own",
            "json-schema -g routes > routes.schema.json",
        ),
    ];

    fn run(args: &JsonSchemaArgs, session: &mut Session) -> Result<Summary, JobError> {
        if let Some(folder) = &args.generator {
            return print_data(&for_editors(folder, session)?.schema, session);
        }
        let named = args.kind.as_deref().unwrap_or_default();
        let schema = kinds().find(|kind| kind.name == named).map(|kind| (kind.schema)()).unwrap_or_default();
        let text = match args.markdown {
            true => key_reference::markdown(named, &schema).expect("the tool's own JSON Schema"),
            false => schema,
        };
        print_data(&text, session)
    }
}
