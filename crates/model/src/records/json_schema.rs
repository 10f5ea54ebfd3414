//! The kinds of input files, and their JSON Schemas.

#[cfg(test)]
mod tests;

use super::{backend, deprecated, derivatives, native, selective, settings, tags};
use torchgen_base::yaml::json_schema::{Root, json_schema};
use torchgen_base::yaml::keys::KeyTable;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// PyTorch's own native_functions.yaml.
    NativeFunctions,
    /// The native_functions.yaml of an operator library.
    Library,
    /// library.yaml.
    Settings,
    /// derivatives.yaml.
    Derivatives,
    /// tags.yaml.
    Tags,
    /// deprecated.yaml.
    Deprecated,
    /// Selective-build YAML.
    Selective,
    /// The YAML of an external backend.
    Backend,
}

impl Kind {
    /// Every kind.
    #[cfg(test)]
    pub const ALL: [Kind; 8] = [
        Kind::NativeFunctions,
        Kind::Library,
        Kind::Settings,
        Kind::Derivatives,
        Kind::Tags,
        Kind::Deprecated,
        Kind::Selective,
        Kind::Backend,
    ];

    /// Its name on the command line; `schemas/<name>.json` is its schema.
    pub fn name(self) -> &'static str {
        match self {
            Kind::NativeFunctions => "native-functions",
            Kind::Library => "library",
            Kind::Settings => "library-settings",
            Kind::Derivatives => "derivatives",
            Kind::Tags => "tags",
            Kind::Deprecated => "deprecated",
            Kind::Selective => "selective",
            Kind::Backend => "backend",
        }
    }

    /// A description of the file, the keys of its entries or of itself, and its layout.
    fn parts(self) -> (&'static str, &'static KeyTable, Root) {
        match self {
            Kind::NativeFunctions => ("PyTorch's native_functions.yaml", &native::ATEN_KEYS, Root::List),
            Kind::Library => ("The native_functions.yaml of an operator library", &native::LIBRARY_KEYS, Root::List),
            Kind::Settings => ("The library.yaml of an operator library", &settings::KEYS, Root::MappingOrNothing),
            Kind::Derivatives => ("derivatives.yaml", &derivatives::KEYS, Root::ListOrNothing),
            Kind::Tags => ("tags.yaml", &tags::KEYS, Root::List),
            Kind::Deprecated => ("deprecated.yaml", &deprecated::KEYS, Root::ListOrNothing),
            Kind::Selective => ("Selective-build YAML", &selective::FILE_KEYS, Root::Mapping),
            Kind::Backend => ("The YAML of an external backend", &backend::BACKEND_KEYS, Root::Mapping),
        }
    }
}

/// The schema of a kind of file, as text with a line break at its end.
pub fn schema(kind: Kind) -> String {
    let (title, keys, root) = kind.parts();
    json_schema(kind.name(), title, keys, root)
}
