//! The output managers: which directory a file goes to, and which list of outputs names it.
//!
//! Rule: torchgen/gen.py, `main`; the directories themselves are the run's, see [`Plan::install`](super::Plan::install).

use crate::render::{Contents, RenderedFile};

/// A set of output files that share an install directory and a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Manager {
    /// ATen's sources and headers.
    Cpu,
    /// Vectorised CPU kernels, which are compiled once per instruction set.
    CpuVec,
    /// ATen's core.
    Core,
    /// Headers per operator.
    Ops,
    /// CUDA sources and headers.
    Cuda,
    /// XPU sources and headers.
    Xpu,
    /// AOTInductor's C shims. In no list.
    Aoti,
    /// Headers usable without libtorch. In no list.
    HeaderOnly,
    /// Any other, such as autograd's or a library's; in a list only if its name is given as the prefix.
    Other {
        /// What the manager is called in messages.
        name: &'static str,
        /// What stands before the list's name; `None` for no list.
        list_prefix: Option<&'static str>,
    },
}

impl Manager {
    /// What stands before the name of the list of the manager's outputs; `None` if they are listed nowhere.
    pub fn list_prefix(self) -> Option<&'static str> {
        match self {
            Manager::Cpu => Some(""),
            Manager::CpuVec => Some("cpu_vec_"),
            Manager::Core => Some("core_"),
            Manager::Ops => Some("ops_"),
            Manager::Cuda => Some("cuda_"),
            Manager::Xpu => Some("xpu_"),
            Manager::Aoti | Manager::HeaderOnly => None,
            Manager::Other { list_prefix, .. } => list_prefix,
        }
    }

    /// What the manager is called in messages.
    pub fn name(self) -> &'static str {
        match self {
            Manager::Cpu => "cpu",
            Manager::CpuVec => "cpu_vec",
            Manager::Core => "core",
            Manager::Ops => "ops",
            Manager::Cuda => "cuda",
            Manager::Xpu => "xpu",
            Manager::Aoti => "aoti",
            Manager::HeaderOnly => "headeronly",
            Manager::Other { name, .. } => name,
        }
    }
}

/// A file to be written.
#[derive(Debug, Clone)]
pub struct OutputFile {
    /// The manager that installs it.
    pub manager: Manager,
    /// Where it goes, relative to the manager's directory, with slashes.
    pub path: String,
    /// Its text.
    pub contents: Contents,
    /// Whether the manager's list names it.
    pub listed: bool,
    /// What the file was made for, to tell two that clash apart: an operator's or a generator's name, or nothing.
    pub origin: String,
}

impl OutputFile {
    /// A listed file.
    pub fn new(manager: Manager, path: impl Into<String>, contents: impl Into<Contents>) -> Self {
        Self { manager, path: path.into(), contents: contents.into(), listed: true, origin: String::new() }
    }

    /// A file from the renderer, listed as it says.
    pub fn rendered(manager: Manager, file: RenderedFile) -> Self {
        Self { listed: file.listed, ..Self::new(manager, file.file, file.contents) }
    }

    /// The same file in a folder, which ends in a slash or is nothing.
    pub fn below(self, folder: &str) -> Self {
        Self { path: format!("{folder}{}", self.path), ..self }
    }

    /// The same file with the name of what it was made for.
    pub fn made_for(self, origin: impl Into<String>) -> Self {
        Self { origin: origin.into(), ..self }
    }
}
