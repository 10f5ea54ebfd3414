//! The flags of `torchgen-rs gen-pyi`. Rule: PyTorch's tools/pyi/gen_pyi.py.

use std::path::PathBuf;

use clap::Args;

use super::ReleaseArgs;
use torchgen_kit::driver::args::{CommonArgs, INPUT, OUTPUT};
use torchgen_kit::driver::job::{JobArgs, Remembered};

/// The flags of `gen-pyi`.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("template_dir", |dir| dir.default_value(".").hide_default_value(true)))]
pub struct StubsArgs {
    /// Path of native_functions.yaml
    #[arg(long, value_name = "FILE", default_value = "aten/src/ATen/native/native_functions.yaml", help_heading = INPUT)]
    pub native_functions_path: PathBuf,
    /// Path of tags.yaml
    #[arg(long, value_name = "FILE", default_value = "aten/src/ATen/native/tags.yaml", help_heading = INPUT)]
    pub tags_path: PathBuf,
    /// Path of deprecated.yaml
    #[arg(long, value_name = "FILE", default_value = "tools/autograd/deprecated.yaml", help_heading = INPUT)]
    pub deprecated_functions_path: PathBuf,
    /// Directory to write to
    ///
    /// Files are torch/_C/__init__.pyi, torch/nn/functional.pyi, …
    #[arg(long, visible_alias = "out-dir", short = 'd', value_name = "DIR", default_value = ".", help_heading = OUTPUT)]
    pub out: PathBuf,
    /// Directory with _torch_docs.py and _tensor_docs.py
    ///
    /// The default is torch/ beside the templates.
    #[arg(long, value_name = "DIR", help_heading = INPUT)]
    pub docs_dir: Option<PathBuf>,
    /// The version of torch.
    #[command(flatten)]
    pub release: ReleaseArgs,
    /// The flags beyond. `--template-dir` names the directories with
    /// torch/_C/__init__.pyi.in, …; without it, this is the working directory.
    #[command(flatten)]
    pub common: CommonArgs,
}

impl JobArgs for StubsArgs {
    fn common(&self) -> CommonArgs {
        self.common.clone()
    }

    fn remembered(&self) -> Option<Remembered> {
        Some(Remembered::at(&self.out))
    }
}
