//! The kinds of output that a run of `generate` selects among.

/// A kind of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OutputKind {
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
    /// Every kind, in the order of the command line's help.
    pub(crate) const ALL: &[OutputKind] = &[
        OutputKind::Headers,
        OutputKind::Sources,
        OutputKind::DeclarationsYaml,
        OutputKind::Autograd,
        OutputKind::Python,
    ];

    /// The name that people type.
    pub(crate) fn name(self) -> &'static str {
        match self {
            OutputKind::Headers => "headers",
            OutputKind::Sources => "sources",
            OutputKind::DeclarationsYaml => "declarations_yaml",
            OutputKind::Autograd => "autograd",
            OutputKind::Python => "python",
        }
    }

    /// What it is, in a line.
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
