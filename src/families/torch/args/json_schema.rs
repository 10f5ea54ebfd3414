//! The flags of `torchgen-rs json-schema`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::families::torch::records::json_schema::Kind;

/// What `json-schema` is told.
#[derive(Debug, Clone, Args)]
pub struct JsonSchemaArgs {
    /// The kind of YAML file
    #[arg(value_name = "KIND", value_parser = kinds())]
    pub kind: Kind,
}

fn kinds() -> impl TypedValueParser<Value = Kind> {
    PossibleValuesParser::new(Kind::ALL.map(Kind::name)).try_map(|name| Kind::find(&name).ok_or("no such kind"))
}
