//! The kinds of output that `generate` can select.

/// A kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OutputKind {
    /// Header files.
    Headers,
    /// Source files.
    Sources,
    /// Declarations.yaml.
    DeclarationsYaml,
    /// Autograd's C++.
    Autograd,
    /// Python bindings; a library's Python package.
    Python,
}

impl OutputKind {
    /// Every kind, in the order of `--help`.
    pub const ALL: &[OutputKind] = &[
        OutputKind::Headers,
        OutputKind::Sources,
        OutputKind::DeclarationsYaml,
        OutputKind::Autograd,
        OutputKind::Python,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OutputKind::Headers => "headers",
            OutputKind::Sources => "sources",
            OutputKind::DeclarationsYaml => "declarations_yaml",
            OutputKind::Autograd => "autograd",
            OutputKind::Python => "python",
        }
    }

    /// A short description.
    pub(crate) fn about(self) -> &'static str {
        match self {
            OutputKind::Headers => "Header files",
            OutputKind::Sources => "Source files",
            OutputKind::DeclarationsYaml => "Declarations.yaml",
            OutputKind::Autograd => "Autograd's C++ (needs --autograd-dir)",
            OutputKind::Python => "Python bindings (needs --autograd-dir), or a library's Python package",
        }
    }
}
