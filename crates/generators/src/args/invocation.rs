//! Decides when two runs of these commands are the same.
//!
//! Invariant: every flag counts unless it is excluded here, so a new flag cannot be forgotten.

use super::{
    AutogradArgs, BackendArgs, BackendStubsArgs, DeclarationsArgs, GenerateArgs, GenerateCodeArgs, GenerateCodeSubset,
    LazyTensorArgs, StubsArgs, UnboxingArgs,
};
use torchgen_kit::driver::memory::invocation::{Invocation, make_absolute, plain_common, set};
use torchgen_model::codes;

/// For `generate`. `None` if there is no working directory; the same applies below.
pub fn generate(args: &GenerateArgs) -> Option<Invocation> {
    let mut plain = args.clone();
    plain.common = plain_common(&args.common);
    plain.dry_run = false;
    plain.output_dependencies = None;
    let typed = plain.clone();
    set(&mut plain.generate);
    set(&mut plain.backend_whitelist);
    set(&mut plain.op_registration_whitelist);
    let paths = [&mut plain.install_dir, &mut plain.aoti_install_dir];
    let paths = paths.into_iter().chain(&mut plain.source_paths);
    let optional = [
        &mut plain.headeronly_install_dir,
        &mut plain.op_selection_yaml_path,
        &mut plain.hooks,
        &mut plain.autograd_dir,
        &mut plain.autograd_install_dir,
        &mut plain.torchgen_root,
        &mut plain.torch_path,
    ];
    let lists = plain.common.template_dir.iter_mut().chain(&mut plain.kernels).chain(&mut plain.python_modules);
    let optional = optional.into_iter().flatten().chain(lists);
    make_absolute(paths.chain(optional)).ok()?;
    // An empty path means none.
    make_absolute(plain.native_aot_ops_dir.iter_mut().filter(|dir| !dir.as_os_str().is_empty())).ok()?;
    let lists = args.output_dependencies.clone();
    let invocation = Invocation::new("generate", &args.install_dir, &plain, &typed, codes::ALL)?;
    Some(Invocation { dry_run: args.dry_run, lists, ..invocation })
}

/// For `autograd`.
pub fn autograd(args: &AutogradArgs) -> Option<Invocation> {
    let mut plain = args.clone();
    plain.common = plain_common(&args.common);
    plain.dry_run = false;
    let typed = plain.clone();
    let paths =
        [&mut plain.native_functions_path, &mut plain.tags_path, &mut plain.autograd_dir, &mut plain.install_dir];
    let optional = [&mut plain.selected_op_list_path, &mut plain.operators_yaml_path, &mut plain.torchgen_root];
    let optional = optional.into_iter().flatten().chain(&mut plain.common.template_dir);
    make_absolute(paths.into_iter().chain(optional)).ok()?;
    let invocation = Invocation::new("autograd", &args.install_dir, &plain, &typed, codes::ALL)?;
    Some(Invocation { dry_run: args.dry_run, ..invocation })
}

/// For `generate-code`. Its files go to several directories; the run is remembered in the one
/// with most of them.
pub fn generate_code(args: &GenerateCodeArgs) -> Option<Invocation> {
    let mut plain = args.clone();
    plain.common = plain_common(&args.common);
    let typed = plain.clone();
    let paths = [&mut plain.native_functions_path, &mut plain.tags_path, &mut plain.autograd_dir, &mut plain.gen_dir];
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
        args.gen_dir.join(if python { "torch/testing/_internal/generated" } else { "torch/csrc/autograd/generated" })
    });
    Invocation::new("generate-code", &dir, &plain, &typed, codes::ALL)
}

/// For `backend-stubs`.
pub fn backend_stubs(args: &BackendStubsArgs) -> Option<Invocation> {
    let mut plain = args.clone();
    let typed = BackendStubsArgs { backend: typed_backend(&args.backend) };
    plain_backend(&mut plain.backend).then_some(())?;
    let backend = &args.backend;
    let invocation = Invocation::new("backend-stubs", &backend.output_dir, &plain, &typed, codes::ALL)?;
    Some(Invocation { dry_run: backend.is_dry_run(), ..invocation })
}

/// For `lazy-tensor`.
pub fn lazy_tensor(args: &LazyTensorArgs) -> Option<Invocation> {
    let mut plain = args.clone();
    let typed = LazyTensorArgs { backend: typed_backend(&args.backend), ..args.clone() };
    plain_backend(&mut plain.backend).then_some(())?;
    let backend = &args.backend;
    let invocation = Invocation::new("lazy-tensor", &backend.output_dir, &plain, &typed, codes::ALL)?;
    Some(Invocation { dry_run: backend.is_dry_run(), ..invocation })
}

/// For `declarations`.
pub fn declarations(args: &DeclarationsArgs) -> Option<Invocation> {
    let mut plain = args.clone();
    plain.common = plain_common(&args.common);
    plain.dry_run = false;
    plain.output_dependencies = None;
    let typed = plain.clone();
    let paths = [&mut plain.source_path, &mut plain.install_dir].into_iter().chain(&mut plain.tags);
    make_absolute(paths.chain(&mut plain.common.template_dir)).ok()?;
    let lists = args.output_dependencies.clone();
    let invocation = Invocation::new("declarations", &args.install_dir, &plain, &typed, codes::ALL)?;
    Some(Invocation { dry_run: args.dry_run, lists, ..invocation })
}

/// For `gen-unboxing`.
pub fn gen_unboxing(args: &UnboxingArgs) -> Option<Invocation> {
    let mut plain = args.clone();
    plain.common = plain_common(&args.common);
    plain.dry_run = false;
    plain.output_dependencies = None;
    let typed = plain.clone();
    set(&mut plain.op_registration_allowlist);
    let optional = [&mut plain.op_selection_yaml_path, &mut plain.test_only_allowlist].into_iter().flatten();
    let paths = [&mut plain.source_path, &mut plain.install_dir].into_iter().chain(optional);
    make_absolute(paths.chain(&mut plain.common.template_dir)).ok()?;
    let lists = args.output_dependencies.clone();
    let invocation = Invocation::new("gen-unboxing", &args.install_dir, &plain, &typed, codes::ALL)?;
    Some(Invocation { dry_run: args.dry_run, lists, ..invocation })
}

/// For `gen-pyi`.
pub fn gen_pyi(args: &StubsArgs) -> Option<Invocation> {
    let mut plain = args.clone();
    plain.common = plain_common(&args.common);
    plain.common.template_dir = args.template_dirs();
    let typed = plain.clone();
    let paths =
        [&mut plain.native_functions_path, &mut plain.tags_path, &mut plain.deprecated_functions_path, &mut plain.out];
    make_absolute(paths.into_iter().chain(&mut plain.docs_dir).chain(&mut plain.common.template_dir)).ok()?;
    Invocation::new("gen-pyi", &args.out, &plain, &typed, codes::ALL)
}

/// Keeps the flags of a backend that count, with absolute paths. `false` if there is no working
/// directory.
fn plain_backend(args: &mut BackendArgs) -> bool {
    args.common = plain_common(&args.common);
    args.dry_run = None;
    let optional = args.impl_path.iter_mut().chain(&mut args.torch_path);
    let paths = [&mut args.source_yaml, &mut args.output_dir].into_iter().chain(optional);
    make_absolute(paths.chain(&mut args.common.template_dir)).is_ok()
}

/// The flags of a backend that count, as typed.
fn typed_backend(args: &BackendArgs) -> BackendArgs {
    BackendArgs { common: plain_common(&args.common), dry_run: None, ..args.clone() }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use clap::{Args, FromArgMatches};

    use super::*;
    use torchgen_base::write::Hash;

    const GENERATING: [&str; 8] = [
        "generate",
        "autograd",
        "generate-code",
        "backend-stubs",
        "lazy-tensor",
        "declarations",
        "gen-unboxing",
        "gen-pyi",
    ];

    fn definition(name: &'static str) -> clap::Command {
        let command = clap::Command::new(name).no_binary_name(true).args_override_self(true);
        match name {
            "generate" => GenerateArgs::augment_args(command),
            "autograd" => AutogradArgs::augment_args(command),
            "backend-stubs" => BackendStubsArgs::augment_args(command),
            "lazy-tensor" => LazyTensorArgs::augment_args(command),
            "declarations" => DeclarationsArgs::augment_args(command),
            "gen-unboxing" => UnboxingArgs::augment_args(command),
            "gen-pyi" => StubsArgs::augment_args(command),
            _ => GenerateCodeArgs::augment_args(command),
        }
    }

    fn invocation(name: &'static str, line: &str) -> (Hash, Hash) {
        let matches = definition(name).try_get_matches_from(line.split_whitespace()).unwrap();
        let invocation = match name {
            "generate" => generate(&GenerateArgs::from_arg_matches(&matches).unwrap()),
            "autograd" => autograd(&AutogradArgs::from_arg_matches(&matches).unwrap()),
            "lazy-tensor" => lazy_tensor(&LazyTensorArgs::from_arg_matches(&matches).unwrap()),
            "declarations" => declarations(&DeclarationsArgs::from_arg_matches(&matches).unwrap()),
            "gen-pyi" => gen_pyi(&StubsArgs::from_arg_matches(&matches).unwrap()),
            "gen-unboxing" => gen_unboxing(&UnboxingArgs::from_arg_matches(&matches).unwrap()),
            "backend-stubs" => backend_stubs(&BackendStubsArgs::from_arg_matches(&matches).unwrap()),
            _ => generate_code(&GenerateCodeArgs::from_arg_matches(&matches).unwrap()),
        };
        let invocation = invocation.unwrap();
        (invocation.key, invocation.typed)
    }

    #[test]
    fn what_counts() {
        let here = std::env::current_dir().unwrap();
        let base = "-s a -d b --backend-whitelist CPU CUDA";
        let (key, typed) = invocation("generate", base);
        for flags in ["--dry-run", "-j 3", "--force", "--prune", "-o c", "--color always", "--strict", "--depfile d"] {
            assert_eq!(invocation("generate", &format!("{base} {flags}")), (key, typed), "{flags}");
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
            let other = invocation("generate", line);
            assert_eq!((other.0 == key, other.1 == typed), (same, false), "{line}");
        }
    }

    /// Every flag that takes a path is made absolute: the key does not depend on how it is typed.
    #[test]
    fn paths_are_absolute() {
        let here = std::env::current_dir().unwrap();
        // The others do not generate anything that could replace another run.
        for name in GENERATING {
            let command = definition(name);
            let is_path = |arg: &&clap::Arg| arg.get_value_parser().type_id() == std::any::TypeId::of::<PathBuf>();
            for arg in command.get_arguments().filter(is_path) {
                let flag = arg.get_long().unwrap();
                let needed = match name {
                    "autograd" => "--native-functions-path n --tags-path t --autograd-dir a -d d",
                    "backend-stubs" | "lazy-tensor" => "-s s -o o",
                    _ => "",
                };
                let key = |path: &str| invocation(name, &format!("{needed} --{flag} {path}")).0;
                assert_eq!(key("rel"), key(&format!("{}/rel", here.display())), "{flag}");
            }
        }
    }
}
