//! The files of an operator library outside PyTorch: one tree per namespace.
//!
//! Operator fragments are those of the ATen generators, with the library's namespaces in their
//! views; the file templates are our own, in `templates/torch/library/`.
//!
//! Invariant: only public headers of PyTorch are included, and no symbol is defined in PyTorch's
//! namespaces. Empty files are not written.

mod autograd;
mod backend_select;
pub(crate) mod c_functions;
pub(crate) mod clashes;
pub(crate) mod cmake;
pub(crate) mod cpp_api;
pub(crate) mod derivatives;
pub(crate) mod dims;
mod fake_functions;
pub(crate) mod fakes;
pub(crate) mod functionalization;
pub(crate) mod headers;
pub(crate) mod implied;
mod int_sizes;
pub mod kernels;
mod lints;
pub(crate) mod parts;
pub(crate) mod python;
mod sections;
pub mod settings;
mod sources;
mod structured;
mod view;
pub(crate) mod works_with;

use crate::formula::check::LibraryFormulas;
pub use crate::formula::{BackendFormulas, check_backend, expressions, operator_of};
pub use cpp_api::GENERATORS;
pub use implied::outputs_follow;
use kernels::{TypeSpelling, WantedKernel};
pub(crate) use lints::{lints as entry_lints, of_entries, unwritten};
pub use python::batching::{BatchingKind, batching_kind};
use settings::Settings;
use std::collections::BTreeSet;
pub(crate) use structured::shared_kernels;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::lang::cpp;
use torchgen_base::render::RenderError;
use torchgen_base::render::trace::around_marks;
use torchgen_base::write::{Manager, OutputFile};
use torchgen_generators::{AutogradContext, Context, Errors, Generator, Outcome, OutputKind, info};
use torchgen_kit::driver::family::GeneratorInfo;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::model::registration::Registration;
use torchgen_model::model::version::Version;
use torchgen_model::model::{BackendIndices, NativeFunction, Target};
use torchgen_model::records::DerivativeRecord;
use view::Skeleton;
pub(crate) use view::is_selected;
pub use works_with::{WorksWith, works_with};

/// The manager of a library's files. Its lists of outputs have no prefix.
pub const MANAGER: Manager = Manager::new("library", Some(""));

/// What a generator of a library's files works on: the operators of one namespace.
pub struct Inputs<'c, 'a> {
    /// The operators, with the names that declarations and messages have.
    pub(crate) context: Context<'a>,
    /// The operators, with the names that the bodies of generated functions have.
    pub(crate) bodies: Context<'a>,
    /// Their derivatives, with the same names.
    pub autograd: AutogradContext<'c, 'a>,
    /// The same operators and derivatives, in the parts that sources have.
    pub(crate) parts: Vec<Part<'c, 'a>>,
    /// Whether sources are wanted.
    pub(crate) wants_sources: bool,
    /// Whether code of derivatives is wanted.
    pub(crate) wants_autograd: bool,
    /// The entries of derivatives.yaml.
    pub derivatives: &'c [DerivativeRecord],
    /// Whether the author has functions for formulas.
    pub(crate) manual: bool,
    /// What holds for the whole library.
    pub(crate) settings: &'c Settings,
}

impl Inputs<'_, '_> {
    /// The library registers all operators of the namespace by itself.
    pub(crate) fn registers_itself(&self) -> bool {
        registers_itself(&self.context)
    }
}

/// The library registers all operators of a namespace by itself, so that no C++ is generated.
pub(crate) fn registers_itself(ctx: &Context) -> bool {
    ctx.functions.iter().all(NativeFunction::registers_itself)
        && ctx.schema_only.iter().all(|f| f.registration == Registration::Own)
}

/// The operators of one source, with the names that the bodies of generated functions have.
pub(crate) struct Part<'c, 'a> {
    /// Its number, below that of all parts.
    pub(crate) number: u32,
    /// The number of all parts.
    pub(crate) count: u32,
    /// The base names of the operators of all parts.
    pub(crate) own_names: &'c BTreeSet<&'a str>,
    pub(crate) context: Context<'a>,
    pub(crate) autograd: AutogradContext<'c, 'a>,
}

impl Part<'_, '_> {
    /// Whether it has the operators with this base name.
    pub(crate) fn has(&self, base_name: &str) -> bool {
        parts::part_of(base_name, self.count) == self.number
    }
}

/// What a library needs of libtorch, and all that this decides. There is one implementation for
/// libtorch's C++ API and one for its stable ABI.
pub(crate) trait Abi: std::fmt::Debug + Sync {
    /// The generators of a library's files, in the order in which files are listed.
    fn generators(&self) -> &'static [LibraryGenerator];

    /// Reports what a namespace cannot have, and what its author might not expect.
    ///
    /// # Errors
    /// There is an error, and what the namespace cannot have has no spelling in C++ either.
    fn check_namespace(&self, inputs: &Inputs, strict: bool, session: &mut Session) -> Result<(), JobError>;

    /// Reports what is wrong with single entries, of a library in which others have errors.
    fn lint_entries(
        &self,
        functions: &[NativeFunction],
        indices: &BackendIndices,
        min: Version,
        diagnostics: &mut Diagnostics,
    );

    /// Whether it is the stable one: libraries work with all versions of torch from an oldest on.
    fn is_stable(&self) -> bool;

    /// The operators as the library has them, if any differs from its entry.
    fn adapted(
        &self,
        settings: &Settings,
        functions: &[NativeFunction],
        indices: &BackendIndices,
    ) -> Option<Vec<NativeFunction>>;

    /// Where the outputs of an operator without data come from.
    fn fake_source(&self, f: &NativeFunction, indices: &BackendIndices) -> FakeSource;

    /// The Python package around those of several namespaces.
    fn package<'s>(&self, settings: &'s Settings) -> python::Variant<'s>;

    /// What formulas are written for.
    fn formula_target<'r>(&self, target: Target<'r>) -> Target<'r>;

    /// Reports what would not compile in formulas.
    ///
    /// # Errors
    /// PyTorch's files cannot be read.
    fn check_formulas(&self, formulas: LibraryFormulas, session: &mut Session) -> Result<(), JobError>;

    /// The kernels that the author of a namespace must define.
    fn kernels(&self, ctx: &Context, settings: &Settings) -> Result<Vec<WantedKernel>, Errors>;

    /// How headers write the types that kernels take.
    fn spelling(&self) -> &'static TypeSpelling;

    /// The template of kernels that are not written yet.
    fn skeletons(&self) -> &'static str;

    /// The signatures of an operator and the API of each, if they are not those of the C++ API.
    fn signatures(&self, f: &NativeFunction, indices: &BackendIndices) -> Option<Vec<(String, String)>>;

    /// The files of a new library.
    fn scaffold(&self) -> &'static Scaffold;
}

/// Where the outputs of an operator without data come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FakeSource {
    /// Code in C++: a fake of the author has no effect, for this reason.
    Cpp(&'static str),
    /// The author's fake, if there is one.
    Author,
    /// The author's fake, or what follows from the schema.
    AuthorOrSchema {
        /// Python makes compilers call the functional variant of an operator that writes.
        calls_functional_variant: bool,
    },
}

/// The files of a new library, and their templates.
pub(crate) struct Scaffold {
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// The file that is made only with `--cuda`.
    pub(crate) cuda_file: (&'static str, &'static str),
    /// The template of what to do next.
    pub(crate) next: &'static str,
}

/// Which namespaces a generator serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serves {
    /// Those of the library's own operators.
    Own,
    /// Also one whose operators are registered by their schemas alone.
    OwnOrSchemas,
    /// Also PyTorch's, if the library has kernels for some of its operators.
    OwnOrStock,
    /// All of them, whatever is requested: the generator itself distinguishes what is wanted.
    Any,
}

impl Serves {
    /// Whether it serves the operators.
    pub(crate) fn serves(self, ctx: &Context) -> bool {
        if self == Serves::Any {
            return true;
        }
        match (ctx.target.defines_operators, ctx.functions.is_empty()) {
            (false, _) => self == Serves::OwnOrStock,
            (true, true) => self == Serves::OwnOrSchemas,
            (true, false) => true,
        }
    }
}

/// A generator of a library's files, run once per namespace.
pub(crate) type LibraryGenerator = Generator<(OutputKind, Serves), fn(&Inputs) -> Outcome>;

/// The file that CMake includes.
pub const CMAKE: GeneratorInfo = info!("generate", "library", "lists of a library's files for CMake", &["<ns>.cmake"]);

/// The file, in the style of the project's `.clang-format` if it is C++. Readers of a library debug
/// in it; ATen's layout keeps the reference's bytes. In a traced run, the text has marks.
pub(crate) fn laid_out(file: OutputFile, traced: bool) -> OutputFile {
    if !(file.path.ends_with(".h") || file.path.ends_with(".cpp")) {
        return file;
    }
    let text = file.contents.to_string();
    let text = if traced { around_marks(&text, cpp::laid_out) } else { cpp::laid_out(&text) };
    OutputFile { contents: text.into(), ..file }
}

/// Composite kernels are registered with the schemas. Those of PyTorch's operators are PyTorch's.
fn wants_registrations(ctx: &Context) -> bool {
    !ctx.flags.skip_dispatcher_op_registration && ctx.target.defines_operators && !ctx.functions.is_empty()
}

fn header(ctx: &Context, name: &str, view: &Skeleton) -> Result<OutputFile, RenderError> {
    let text = ctx.renderer.fragment(&format!("torch/library/{name}.j2"), view)?;
    Ok(OutputFile::new(MANAGER, format!("include/{}/{name}", view.include_dir()), text))
}

/// The value, or nothing after an error, which is noted.
fn taken<T: Default>(result: Result<T, Errors>, errors: &mut Vec<Diagnostic>) -> T {
    result.unwrap_or_else(|Errors(found)| {
        errors.extend(found);
        T::default()
    })
}
