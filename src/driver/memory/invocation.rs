//! What makes two runs the same: the subcommand, its inputs, and the flags that its output depends on.
//!
//! Invariant: a flag counts unless it is named here as one that does not, so a new one cannot be overlooked. Deliberately absent: the
//! contents of inputs, which a record has.

use std::fmt::Debug;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::cli::LazyTensorArgs;
use crate::cli::{
    AutogradArgs, BackendArgs, BackendStubsArgs, CommonArgs, GenerateArgs, GenerateCodeArgs, GenerateCodeSubset,
};
use crate::write::Hash;
use crate::write::manifest::NAME;

/// A run, as far as an earlier one may stand for it.
pub(crate) struct Invocation {
    /// Where it is remembered.
    pub(crate) manifest: PathBuf,
    /// The same for every way to type the same.
    pub(crate) key: Hash,
    /// What was typed, and in which directory: diagnostics, lists and comments show paths as they were typed.
    pub(crate) typed: Hash,
    /// Nothing is to be written but lists.
    pub(crate) dry_run: bool,
    /// Where lists of outputs go.
    pub(crate) lists: Option<PathBuf>,
}

impl Invocation {
    /// Of `generate`. `None` if there is no working directory, as for the others.
    pub(crate) fn generate(args: &GenerateArgs) -> Option<Invocation> {
        let mut plain = args.clone();
        plain.common = plain_common(&args.common);
        plain.dry_run = false;
        plain.output_dependencies = None;
        let typed = plain.clone();
        set(&mut plain.generate);
        set(&mut plain.backend_whitelist);
        set(&mut plain.op_registration_whitelist);
        let paths = [&mut plain.source_path, &mut plain.install_dir, &mut plain.aoti_install_dir];
        let optional = [
            &mut plain.headeronly_install_dir,
            &mut plain.op_selection_yaml_path,
            &mut plain.autograd_dir,
            &mut plain.autograd_install_dir,
            &mut plain.torchgen_root,
        ];
        let optional = optional.into_iter().flatten().chain(&mut plain.common.template_dir);
        make_absolute(paths.into_iter().chain(optional)).ok()?;
        // An empty one means none.
        make_absolute(plain.native_aot_ops_dir.iter_mut().filter(|dir| !dir.as_os_str().is_empty())).ok()?;
        let (dry_run, lists) = (args.dry_run, args.output_dependencies.clone());
        Invocation::new("generate", &args.install_dir, &plain, &typed, dry_run, lists)
    }

    /// Of `autograd`.
    pub(crate) fn autograd(args: &AutogradArgs) -> Option<Invocation> {
        let mut plain = args.clone();
        plain.common = plain_common(&args.common);
        plain.dry_run = false;
        let typed = plain.clone();
        let paths =
            [&mut plain.native_functions_path, &mut plain.tags_path, &mut plain.autograd_dir, &mut plain.install_dir];
        let optional = [&mut plain.selected_op_list_path, &mut plain.operators_yaml_path, &mut plain.torchgen_root];
        let optional = optional.into_iter().flatten().chain(&mut plain.common.template_dir);
        make_absolute(paths.into_iter().chain(optional)).ok()?;
        Invocation::new("autograd", &args.install_dir, &plain, &typed, args.dry_run, None)
    }

    /// Of `generate-code`. Its files go to several directories; it is remembered where most of them go.
    pub(crate) fn generate_code(args: &GenerateCodeArgs) -> Option<Invocation> {
        let mut plain = args.clone();
        plain.common = plain_common(&args.common);
        let typed = plain.clone();
        let paths =
            [&mut plain.native_functions_path, &mut plain.tags_path, &mut plain.autograd_dir, &mut plain.gen_dir];
        let optional = [
            &mut plain.install_dir,
            &mut plain.selected_op_list_path,
            &mut plain.operators_yaml_path,
            &mut plain.torchgen_root,
        ];
        let optional = optional.into_iter().flatten().chain(&mut plain.common.template_dir);
        make_absolute(paths.into_iter().chain(optional)).ok()?;
        let dir = args.install_dir.clone().unwrap_or_else(|| {
            let python = args.subset == Some(GenerateCodeSubset::Python);
            args.gen_dir.join(if python {
                "torch/testing/_internal/generated"
            } else {
                "torch/csrc/autograd/generated"
            })
        });
        Invocation::new("generate-code", &dir, &plain, &typed, false, None)
    }

    /// Of `backend-stubs`.
    pub(crate) fn backend_stubs(args: &BackendStubsArgs) -> Option<Invocation> {
        let mut plain = args.clone();
        let typed = BackendStubsArgs { backend: typed_backend(&args.backend) };
        plain_backend(&mut plain.backend).then_some(())?;
        let backend = &args.backend;
        Invocation::new("backend-stubs", &backend.output_dir, &plain, &typed, backend.is_dry_run(), None)
    }

    /// Of `lazy-tensor`.
    pub(crate) fn lazy_tensor(args: &LazyTensorArgs) -> Option<Invocation> {
        let mut plain = args.clone();
        let typed = LazyTensorArgs { backend: typed_backend(&args.backend), ..args.clone() };
        plain_backend(&mut plain.backend).then_some(())?;
        let backend = &args.backend;
        Invocation::new("lazy-tensor", &backend.output_dir, &plain, &typed, backend.is_dry_run(), None)
    }

    fn new<A: Debug>(
        subcommand: &str,
        dir: &Path,
        plain: &A,
        typed: &A,
        dry_run: bool,
        lists: Option<PathBuf>,
    ) -> Option<Invocation> {
        let here = std::env::current_dir().ok()?;
        let hash = |text: String| Hash::of(text.as_bytes());
        Some(Invocation {
            manifest: dir.join(NAME),
            key: hash(format!("{subcommand} {plain:?}")),
            typed: hash(format!("{subcommand} {typed:?} {here:?}")),
            dry_run,
            lists,
        })
    }
}

/// The flags of every subcommand that count.
fn plain_common(common: &CommonArgs) -> CommonArgs {
    CommonArgs { template_dir: common.template_dir.clone(), ..CommonArgs::default() }
}

/// Where a search for PyTorch looks, as the surroundings have it.
const SURROUNDINGS: [&str; 3] = ["VIRTUAL_ENV", "CONDA_PREFIX", "PATH"];

/// Leaves what counts of a backend's flags, with whole paths. `false` if there is no working directory.
fn plain_backend(args: &mut BackendArgs) -> bool {
    args.common = plain_common(&args.common);
    args.dry_run = None;
    let optional = [&mut args.impl_path, &mut args.torch_path].into_iter().flatten();
    let paths = [&mut args.source_yaml, &mut args.output_dir].into_iter().chain(optional);
    make_absolute(paths.chain(&mut args.common.template_dir)).is_ok()
}

/// What counts of a backend's flags as they were typed. Where PyTorch is to be found, the surroundings are part of it.
fn typed_backend(args: &BackendArgs) -> BackendArgs {
    let mut typed = BackendArgs { common: plain_common(&args.common), dry_run: None, ..args.clone() };
    if typed.torch_path.is_none() {
        let values = SURROUNDINGS.map(|name| std::env::var_os(name).unwrap_or_default());
        typed.generated_by = Some(format!("{:?} {values:?}", typed.generated_by));
    }
    typed
}

/// Puts the members of a set in order.
fn set<T: Ord>(list: &mut Option<Vec<T>>) {
    if let Some(list) = list {
        list.sort();
        list.dedup();
    }
}

fn make_absolute<'a>(paths: impl IntoIterator<Item = &'a mut PathBuf>) -> io::Result<()> {
    for path in paths {
        *path = absolute(path)?;
    }
    Ok(())
}

/// The path from the root, without `.` and `..`; links are not followed.
///
/// # Errors
/// There is no working directory, or the path is empty.
pub(crate) fn absolute(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            _ => plain.push(component),
        }
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::CommandFactory;

    use super::*;
    use crate::cli::{Cli, Command};

    const GENERATING: [&str; 5] = ["generate", "autograd", "generate-code", "backend-stubs", "lazy-tensor"];

    fn invocation(line: &str) -> (Hash, Hash) {
        let words = std::iter::once("torchgen-rs").chain(line.split_whitespace());
        let invocation = match Cli::read(words.map(OsString::from)).unwrap().command {
            Command::Generate(args) => Invocation::generate(&args),
            Command::Autograd(args) => Invocation::autograd(&args),
            Command::GenerateCode(args) => Invocation::generate_code(&args),
            Command::BackendStubs(args) => Invocation::backend_stubs(&args),
            Command::LazyTensor(args) => Invocation::lazy_tensor(&args),
            _ => None,
        };
        let invocation = invocation.unwrap();
        (invocation.key, invocation.typed)
    }

    #[test]
    fn what_counts() {
        let here = std::env::current_dir().unwrap();
        let base = "-s a -d b --backend-whitelist CPU CUDA";
        let (key, typed) = invocation(base);
        for flags in ["--dry-run", "-j 3", "--force", "--prune", "-o c", "--color always", "--strict", "--depfile d"] {
            assert_eq!(invocation(&format!("{base} {flags}")), (key, typed), "{flags}");
        }
        for (line, same) in [
            ("-s a -d b --backend-whitelist CUDA CPU CPU", true),
            ("-s ./a -d c/../b --backend-whitelist CPU CUDA", true),
            (&format!("-s {}/a -d b --backend-whitelist CPU CUDA", here.display()), true),
            ("-s a -d b --backend-whitelist CPU", false),
            ("-s a -d b", false),
            ("-s a -d b --backend-whitelist CPU CUDA --rocm", false),
            ("-s a -d b --backend-whitelist CPU CUDA --template-dir t", false),
        ] {
            let other = invocation(line);
            assert_eq!((other.0 == key, other.1 == typed), (same, false), "{line}");
        }
    }

    /// Every flag that takes a path is made absolute: the key does not depend on how it is typed.
    #[test]
    fn paths_are_absolute() {
        let here = std::env::current_dir().unwrap();
        // The others generate nothing that could stand for another run.
        for command in Cli::command().get_subcommands().filter(|command| GENERATING.contains(&command.get_name())) {
            let is_path = |arg: &&clap::Arg| arg.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>();
            for arg in command.get_arguments().filter(is_path) {
                let flag = arg.get_long().unwrap();
                let needed = match command.get_name() {
                    "autograd" => "--native-functions-path n --tags-path t --autograd-dir a -d d",
                    "backend-stubs" | "lazy-tensor" => "-s s -o o",
                    _ => "",
                };
                let key = |path: &str| invocation(&format!("{} {needed} --{flag} {path}", command.get_name())).0;
                assert_eq!(key("rel"), key(&format!("{}/rel", here.display())), "{flag}");
            }
        }
    }
}
