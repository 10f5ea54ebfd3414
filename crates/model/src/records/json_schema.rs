//! The kinds of input files, and their JSON Schemas.

#[cfg(test)]
mod tests;

use super::{backend, deprecated, derivatives, native, selective, settings, tags};
use torchgen_base::yaml::json_schema::{Root, json_schema};
use torchgen_base::yaml::keys::KeyTable;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YamlFileKind {
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

impl YamlFileKind {
    /// Every kind.
    #[cfg(test)]
    pub const ALL: [YamlFileKind; 8] = [
        YamlFileKind::NativeFunctions,
        YamlFileKind::Library,
        YamlFileKind::Settings,
        YamlFileKind::Derivatives,
        YamlFileKind::Tags,
        YamlFileKind::Deprecated,
        YamlFileKind::Selective,
        YamlFileKind::Backend,
    ];

    /// Its name on the command line; `schemas/<name>.json` is its schema.
    pub fn name(self) -> &'static str {
        match self {
            YamlFileKind::NativeFunctions => "native-functions",
            YamlFileKind::Library => "library",
            YamlFileKind::Settings => "library-settings",
            YamlFileKind::Derivatives => "derivatives",
            YamlFileKind::Tags => "tags",
            YamlFileKind::Deprecated => "deprecated",
            YamlFileKind::Selective => "selective",
            YamlFileKind::Backend => "backend",
        }
    }

    /// A description of the file, the keys of its entries or of itself, and its layout.
    fn parts(self) -> (&'static str, &'static KeyTable, Root) {
        match self {
            YamlFileKind::NativeFunctions => ("PyTorch's native_functions.yaml", &native::ATEN_KEYS, Root::List),
            YamlFileKind::Library => {
                ("The native_functions.yaml of an operator library", &native::LIBRARY_KEYS, Root::List)
            }
            YamlFileKind::Settings => {
                ("The library.yaml of an operator library", &settings::KEYS, Root::MappingOrNothing)
            }
            YamlFileKind::Derivatives => ("derivatives.yaml", &derivatives::KEYS, Root::ListOrNothing),
            YamlFileKind::Tags => ("tags.yaml", &tags::KEYS, Root::List),
            YamlFileKind::Deprecated => ("deprecated.yaml", &deprecated::KEYS, Root::ListOrNothing),
            YamlFileKind::Selective => ("Selective-build YAML", &selective::FILE_KEYS, Root::Mapping),
            YamlFileKind::Backend => ("The YAML of an external backend", &backend::BACKEND_KEYS, Root::Mapping),
        }
    }
}

/// The schema of a kind of file, as text with a line break at its end.
pub fn schema(kind: YamlFileKind) -> String {
    let (title, keys, root) = kind.parts();
    json_schema(kind.name(), title, keys, root)
}
