//! The registry of commands for PyTorch's operators.

use super::{declarations, diff, examples, world};
use torchgen_aten::aten::command as aten;
use torchgen_aten::autograd::{Request, command as autograd};
use torchgen_aten::selection;
use torchgen_aten::static_runtime::command as static_runtime;
use torchgen_aten::stubs::command as stubs;
use torchgen_backend::backend::command as backend;
use torchgen_backend::lazy::command as lazy;
use torchgen_backend::unboxing::command as unboxing;
use torchgen_generators::args::{
    AdoptArgs, AllowlistArgs, AuditArgs, AutogradArgs, BackendStubsArgs, DeclarationsArgs, DevArgs, FromCppArgs,
    GenerateArgs, GenerateCodeArgs, KernelsArgs, LazyTensorArgs, OperatorsYamlArgs, OplistArgs, StableOpsArgs,
    StaticRuntimeArgs, StubsArgs, TestArgs, UnboxingArgs, VersionHeaderArgs,
};
use torchgen_generators::layout::{self, Layout};
use torchgen_kit::driver::family::Command;
use torchgen_kit::driver::job::{Example, Job};
use torchgen_kit::driver::output::{self, WriteOptions};
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_library::kernels::command as kernels;
use torchgen_library::{project, run as library, stable};
use torchgen_model::codes;
use torchgen_stable_tools::{adopt, audit, from_cpp};

/// The registry entry of a job: its name, its examples, its arguments, its function, and a one-line
/// description.
macro_rules! job {
    ($name:literal, $examples:expr, $args:ty, $run:expr, $about:literal) => {{
        struct Entry;
        impl Job for Entry {
            type Args = $args;
            const NAME: &'static str = $name;
            const ABOUT: &'static str = $about;
            const EXAMPLES: &'static [Example] = $examples;
            const CODES: &'static [&'static codes::CodeInfo] = codes::ALL;

            fn run(args: &$args, session: &mut Session) -> Result<Summary, JobError> {
                let run: fn(&$args, &mut Session) -> Result<Summary, JobError> = $run;
                run(args, session)
            }
        }
        Command::job::<Entry>()
    }};
}

/// All of them.
#[rustfmt::skip]
pub(super) const COMMANDS: &[Command] = &[
    job!("generate", examples::GENERATE, GenerateArgs, generate, "Generate C++ from native_functions.yaml (replaces `python -m torchgen.gen`)"),
    job!("autograd", examples::AUTOGRAD, AutogradArgs, autograd_command, "Generate autograd and the Python bindings from derivatives.yaml (replaces tools/autograd)"),
    job!("generate-code", examples::GENERATE_CODE, GenerateCodeArgs, generate_code, "Generate autograd to the paths that PyTorch's build expects (replaces tools/setup_helpers/generate_code.py)"),
    job!("backend-stubs", examples::BACKEND_STUBS, BackendStubsArgs, |args, session| backend::generate(args, world::of_backend, session), "Generate declarations and registrations of an external backend's kernels (replaces `python -m torchgen.gen_backend_stubs`)"),
    job!("lazy-tensor", examples::LAZY_TENSOR, LazyTensorArgs, |args, session| lazy::generate(args, world::of_backend, session), "Generate a lazy backend: nodes, kernels and registrations (replaces torchgen.gen_lazy_tensor)"),
    job!("declarations", examples::DECLARATIONS, DeclarationsArgs, declarations::generate, "Generate only Declarations.yaml and RegistrationDeclarations.h"),
    Command::job::<diff::Diff>(),
    job!("gen-unboxing", examples::GEN_UNBOXING, UnboxingArgs, unboxing::generate, "Generate unboxing kernels, which take their arguments from the interpreter's stack (replaces tools/jit/gen_unboxing.py)"),
    job!("gen-pyi", examples::GEN_PYI, StubsArgs, stubs::generate, "Generate stubs of PyTorch's modules in C++ (the job of tools/pyi/gen_pyi.py)"),
    job!("gen-static-runtime-ops", examples::GEN_STATIC_RUNTIME_OPS, StaticRuntimeArgs, static_runtime::generate, "Generate static runtime's operators (the job of torchgen.static_runtime.gen_static_runtime_ops)"),
    job!("gen-oplist", examples::GEN_OPLIST, OplistArgs, selection::oplist, "Merge the selective-build YAML of several models (replaces tools/code_analyzer/gen_oplist.py)"),
    job!("gen-operators-yaml", examples::GEN_OPERATORS_YAML, OperatorsYamlArgs, selection::operators_yaml, "Write the selective-build YAML of a model (replaces tools/code_analyzer/gen_operators_yaml.py)"),
    job!("gen-op-registration-allowlist", examples::GEN_OP_REGISTRATION_ALLOWLIST, AllowlistArgs, selection::allowlist, "Print the operators that a list of operators calls, directly or indirectly (replaces tools/code_analyzer/gen_op_registration_allowlist.py)"),
    job!("gen-version-header", examples::GEN_VERSION_HEADER, VersionHeaderArgs, selection::version_header, "Write PyTorch's version to version.h (replaces tools/setup_helpers/gen_version_header.py)"),
    job!("kernels", examples::KERNELS, KernelsArgs, kernels::run, "Compare an operator library's kernels with its YAML, and write skeletons of the missing ones"),
    job!("dev", examples::DEV, DevArgs, project::dev, "Build the library of a project, and install it as editable into a Python environment"),
    job!("test", examples::TEST, TestArgs, project::test, "Run the tests of a library's project with one or several versions of torch"),
    job!("stable-ops", examples::STABLE_OPS, StableOpsArgs, stable::ops::command::generate, "Generate a header with typed functions that call PyTorch's operators over the stable ABI"),
    job!("audit", examples::AUDIT, AuditArgs, audit::audit, "Check that built libraries need nothing of libtorch but the stable ABI"),
    job!("adopt", examples::ADOPT, AdoptArgs, adopt::command::adopt, "Write the YAML of a library that registers its operators by itself, and a report"),
    job!("from-cpp", examples::FROM_CPP, FromCppArgs, from_cpp::command::convert, "Write a native_functions.yaml of the operators that C++ sources register"),
];

fn generate(args: &GenerateArgs, session: &mut Session) -> Result<Summary, JobError> {
    match layout::find(&args.source_paths, args.layout, session)? {
        Layout::Aten => aten::generate(args, session),
        Layout::Library => library::generate(args, session),
    }
}

fn autograd_command(args: &AutogradArgs, session: &mut Session) -> Result<Summary, JobError> {
    autograd::generate(&Request::from(args), session)
}

fn generate_code(args: &GenerateCodeArgs, session: &mut Session) -> Result<Summary, JobError> {
    let request = Request::from(args);
    let mut made = autograd::make(&request, session)?;
    if args.gen_lazy_ts_backend {
        lazy::beside_autograd(args, &mut made, session)?;
    }
    output::write(&WriteOptions { common: &request.common, dry_run: request.dry_run, lists: None }, made, session)
}
