//! The registry of commands for PyTorch's operators.

use super::declarations;
use torchgen_aten::aten::command as aten;
use torchgen_aten::autograd::{Request, command as autograd};
use torchgen_aten::selection;
use torchgen_aten::static_runtime::command as static_runtime;
use torchgen_aten::stubs::command as stubs;
use torchgen_backend::backend::command as backend;
use torchgen_backend::lazy::command as lazy;
use torchgen_backend::unboxing::command as unboxing;
use torchgen_generators::args::{
    AllowlistArgs, AuditArgs, AutogradArgs, BackendStubsArgs, DeclarationsArgs, FromCppArgs, GenerateArgs,
    GenerateCodeArgs, KernelsArgs, LazyTensorArgs, OperatorsYamlArgs, OplistArgs, StableOpsArgs, StaticRuntimeArgs,
    StubsArgs, UnboxingArgs, VersionHeaderArgs, invocation,
};
use torchgen_generators::layout::{self, Layout};
use torchgen_kit::driver::family::Command;
use torchgen_kit::driver::output::{self, WriteOptions};
use torchgen_kit::driver::{Counters, Status, with_session};
use torchgen_library::kernels::command as kernels;
use torchgen_library::library::command as library;
use torchgen_library::stable;
use torchgen_stable_tools::{audit, from_cpp};

/// All of them.
pub(crate) const COMMANDS: &[Command] = &[
    Command::plain::<GenerateArgs>(
        "generate",
        "Generate C++ from native_functions.yaml (replaces `python -m torchgen.gen`)",
        |_, matches| Command::with_args(matches, generate),
    ),
    Command::plain::<AutogradArgs>(
        "autograd",
        "Generate autograd and the Python bindings from derivatives.yaml (replaces tools/autograd)",
        |_, matches| Command::with_args(matches, autograd_command),
    ),
    Command::plain::<GenerateCodeArgs>(
        "generate-code",
        "Generate autograd to the paths that PyTorch's build expects (replaces tools/setup_helpers/generate_code.py)",
        |_, matches| Command::with_args(matches, generate_code),
    ),
    Command::plain::<BackendStubsArgs>(
        "backend-stubs",
        "Generate declarations and registrations of an external backend's kernels (replaces `python -m torchgen.gen_backend_stubs`)",
        |_, matches| Command::with_args(matches, backend_stubs),
    ),
    Command::plain::<LazyTensorArgs>(
        "lazy-tensor",
        "Generate a lazy backend: nodes, kernels and registrations (replaces torchgen.gen_lazy_tensor)",
        |_, matches| Command::with_args(matches, lazy_tensor),
    ),
    Command::plain::<DeclarationsArgs>(
        "declarations",
        "Generate only Declarations.yaml and RegistrationDeclarations.h",
        |_, matches| Command::with_args(matches, write_declarations),
    ),
    Command::plain::<UnboxingArgs>(
        "gen-unboxing",
        "Generate unboxing kernels, which take their arguments from the interpreter's stack (replaces tools/jit/gen_unboxing.py)",
        |_, matches| Command::with_args(matches, gen_unboxing),
    ),
    Command::plain::<StubsArgs>(
        "gen-pyi",
        "Generate stubs of PyTorch's modules in C++ (the job of tools/pyi/gen_pyi.py)",
        |_, matches| Command::with_args(matches, gen_pyi),
    ),
    Command::plain::<StaticRuntimeArgs>(
        "gen-static-runtime-ops",
        "Generate static runtime's operators (the job of torchgen.static_runtime.gen_static_runtime_ops)",
        |_, matches| Command::with_args(matches, gen_static_runtime_ops),
    ),
    Command::plain::<OplistArgs>(
        "gen-oplist",
        "Merge the selective-build YAML of several models (replaces tools/code_analyzer/gen_oplist.py)",
        |_, matches| Command::with_args(matches, gen_oplist),
    ),
    Command::plain::<OperatorsYamlArgs>(
        "gen-operators-yaml",
        "Write the selective-build YAML of a model (replaces tools/code_analyzer/gen_operators_yaml.py)",
        |_, matches| Command::with_args(matches, gen_operators_yaml),
    ),
    Command::plain::<AllowlistArgs>(
        "gen-op-registration-allowlist",
        "Print the operators that a list of operators calls, directly or indirectly (replaces tools/code_analyzer/gen_op_registration_allowlist.py)",
        |_, matches| Command::with_args(matches, gen_allowlist),
    ),
    Command::plain::<VersionHeaderArgs>(
        "gen-version-header",
        "Write PyTorch's version to version.h (replaces tools/setup_helpers/gen_version_header.py)",
        |_, matches| Command::with_args(matches, gen_version_header),
    ),
    Command::plain::<KernelsArgs>(
        "kernels",
        "Compare an operator library's kernels with its YAML, and write skeletons of the missing ones",
        |_, matches| Command::with_args(matches, compare_kernels),
    ),
    Command::plain::<StableOpsArgs>(
        "stable-ops",
        "Generate a header with typed functions that call PyTorch's operators over the stable ABI",
        |_, matches| Command::with_args(matches, stable_ops),
    ),
    Command::plain::<AuditArgs>(
        "audit",
        "Check that built libraries need nothing of libtorch but the stable ABI",
        |_, matches| Command::with_args(matches, audit),
    ),
    Command::plain::<FromCppArgs>(
        "from-cpp",
        "Write a native_functions.yaml of the operators that C++ sources register",
        |_, matches| Command::with_args(matches, from_cpp),
    ),
];

fn generate(args: GenerateArgs) -> (Status, Counters) {
    with_session(&args.common, invocation::generate(&args), |session| {
        match layout::find(&args.source_paths, args.layout, session)? {
            Layout::Aten => aten::generate(&args, session),
            Layout::Library => library::generate(&args, &stable::library::FLAVOR, session),
        }
    })
}

fn autograd_command(args: AutogradArgs) -> (Status, Counters) {
    with_session(&args.common, invocation::autograd(&args), |session| {
        autograd::generate(&Request::from(&args), session)
    })
}

fn generate_code(args: GenerateCodeArgs) -> (Status, Counters) {
    with_session(&args.common, invocation::generate_code(&args), |session| {
        let request = Request::from(&args);
        let mut made = autograd::make(&request, session)?;
        if args.gen_lazy_ts_backend {
            lazy::beside_autograd(&args, &mut made, session)?;
        }
        output::write(&WriteOptions { common: &request.common, dry_run: request.dry_run, lists: None }, made, session)
    })
}

fn backend_stubs(args: BackendStubsArgs) -> (Status, Counters) {
    with_session(&args.backend.common, invocation::backend_stubs(&args), |session| backend::generate(&args, session))
}

fn lazy_tensor(args: LazyTensorArgs) -> (Status, Counters) {
    with_session(&args.backend.common, invocation::lazy_tensor(&args), |session| lazy::generate(&args, session))
}

fn write_declarations(args: DeclarationsArgs) -> (Status, Counters) {
    with_session(&args.common, invocation::declarations(&args), |session| declarations::generate(&args, session))
}

fn gen_unboxing(args: UnboxingArgs) -> (Status, Counters) {
    with_session(&args.common, invocation::gen_unboxing(&args), |session| unboxing::generate(&args, session))
}

fn gen_pyi(args: StubsArgs) -> (Status, Counters) {
    with_session(&args.common, invocation::gen_pyi(&args), |session| stubs::generate(&args, session))
}

fn gen_static_runtime_ops(args: StaticRuntimeArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| static_runtime::generate(&args, session))
}

fn gen_oplist(args: OplistArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| selection::oplist(&args, session))
}

fn gen_operators_yaml(args: OperatorsYamlArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| selection::operators_yaml(&args, session))
}

fn gen_allowlist(args: AllowlistArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| selection::allowlist(&args, session))
}

fn gen_version_header(args: VersionHeaderArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| selection::version_header(&args, session))
}

fn compare_kernels(args: KernelsArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| kernels::run(&args, session))
}

fn stable_ops(args: StableOpsArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| stable::ops::command::generate(&args, session))
}

fn audit(args: AuditArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| audit::audit(&args, session))
}

fn from_cpp(args: FromCppArgs) -> (Status, Counters) {
    with_session(&args.common, None, |session| from_cpp::command::convert(&args, session))
}
