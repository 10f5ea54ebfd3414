//! One shim library: the shims of all operators for one backend.
//!
//! Invariant: an operator that C cannot call has no shim and is recorded as left out. Rule:
//! torchgen/gen_aoti_c_shim.py.

use std::collections::{BTreeSet, HashMap};

use serde::Serialize;

use super::table::{Entry, Operators, ShimVersion, Table};
use torchgen_api::cpp::Spelling;
use torchgen_api::{ApiError, SymInts, c_shim, cpp, default};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_generators::{Context, Errors, ItemError, Subject};
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsGroup;
use torchgen_model::model::native_function::EntrySpans;
use torchgen_model::model::{Argument, DispatchKey, FunctionSchema, NativeFunction, OperatorName};

/// The type in which the shim stores the result of the call.
const RESULT: &str = "tmp_result";

/// The view of a header and its source.
#[derive(Serialize)]
pub(crate) struct Library {
    /// The device in the names of files and functions: the backend in lower case, or `aten`.
    pub device: String,
    /// The backend, unless the shims go through the dispatcher.
    key: Option<&'static str>,
    /// The headers are those of out-of-tree operators.
    extend: bool,
    /// The files below `ATen/ops` that declare the callees.
    headers: BTreeSet<String>,
    /// The name of CUDA in this build, for CUDA.
    gpu: Option<&'static str>,
    shims: Vec<Shim>,
    /// Notes on operators without a shim.
    #[serde(skip)]
    pub(crate) left_out: Vec<Diagnostic>,
}

#[derive(Serialize)]
pub(crate) struct Shim {
    name: String,
    since: Option<String>,
    parameters: Vec<String>,
    /// The function that is called.
    call: String,
    arguments: Vec<String>,
    results: Vec<Result>,
    optional_results: bool,
}

#[derive(Serialize, Clone)]
struct Result {
    pointer: String,
    value: String,
}

/// An operator with its entry in the table.
pub(crate) struct Operator<'a> {
    pub(crate) f: &'a NativeFunction,
    pub(crate) entry: &'a Entry,
}

impl Subject for Operator<'_> {
    fn spans(&self) -> &EntrySpans {
        &self.f.spans
    }
}

/// The part of one operator.
enum Contribution {
    /// It has no kernel for the backend.
    Nothing,
    /// A header, and its shims or the reason why there are none.
    Called { header: String, shims: std::result::Result<Vec<Shim>, Diagnostic> },
}

/// The device in the names of a key's shim files.
pub(crate) fn device(key: Option<DispatchKey>) -> String {
    key.map_or_else(|| "aten".to_owned(), DispatchKey::lower)
}

impl Library {
    /// The library for a backend, or, without one, for calls through the dispatcher.
    ///
    /// # Errors
    /// Operators that C cannot express for a reason other than a type without a C form.
    pub(crate) fn new(ctx: &Context, key: Option<DispatchKey>) -> std::result::Result<Library, Errors> {
        Library::made(ctx, key, ctx.flags.extend_aoti_c_shim)
    }

    /// The same as without `--extend-aoti-c-shim`.
    pub(crate) fn in_tree(ctx: &Context, key: Option<DispatchKey>) -> std::result::Result<Library, Errors> {
        Library::made(ctx, key, false)
    }

    /// Whether it adds to the shims of PyTorch's own tree.
    pub(crate) fn extends(&self) -> bool {
        self.extend
    }

    fn made(ctx: &Context, key: Option<DispatchKey>, extend: bool) -> std::result::Result<Library, Errors> {
        let table: &Table = ctx.target.tables.get();
        let listed = if key.is_some() { &table.fallback } else { &table.through_dispatcher };
        let kernels = Kernels::new(ctx);
        let operators = operators(ctx, listed);
        let made = ctx.per_item(&operators, |operator| {
            let Some(target) = kernels.target(ctx, operator.f, key, extend) else { return Ok(Contribution::Nothing) };
            let shims = match shims(&operator.f.func, operator.entry, &target.call(operator.f), table) {
                Ok(shims) => Ok(shims),
                // As in the reference, such an operator silently has no shim.
                Err(error) if [&codes::UNSUPPORTED_TYPE, &codes::UNSUPPORTED_RETURN].contains(&error.code()) => {
                    Err(left_out(operator.f, error))
                }
                Err(error) => return Err(error.into()),
            };
            Ok(Contribution::Called { header: target.header(operator.f), shims })
        })?;
        let mut library = Library {
            device: device(key),
            key: key.map(DispatchKey::as_str),
            extend,
            headers: BTreeSet::new(),
            gpu: key.filter(|key| key.is_cuda()).map(|_| if ctx.flags.rocm { "hip" } else { "cuda" }),
            shims: Vec::new(),
            left_out: Vec::new(),
        };
        for (operator, made) in operators.iter().zip(made) {
            let Contribution::Called { header, shims } = made else { continue };
            library.headers.insert(header);
            match shims {
                Ok(shims) => {
                    let about = ctx.renderer.about([operator.f]);
                    library.shims.extend(shims.into_iter().map(|shim| Shim { name: about.marked(shim.name), ..shim }));
                }
                Err(note) => library.left_out.push(note),
            }
        }
        Ok(library)
    }
}

/// The operator's name in `torch.ops`.
pub fn python_name(f: &NativeFunction) -> String {
    let name = &f.func.name;
    let overload = if name.overload_name.is_empty() { "default" } else { &name.overload_name };
    let [before, base, after] = name.name.parts();
    [&f.namespace, ".", before, base, after, ".", overload].concat()
}

/// An operator's shims with the types of their parameters: all versions of it, for any device. One
/// that C cannot express has none.
pub fn functions(f: &NativeFunction, tables: &Tables) -> Vec<(String, String)> {
    let table: &Table = tables.get();
    let name = python_name(f);
    let listed = [(&table.fallback, "DEVICE"), (&table.through_dispatcher, "aten")];
    let entries = listed.into_iter().filter_map(|(operators, of)| Some((operators.get(&name)?, of)));
    let named = entries.flat_map(|(entry, of)| {
        entry.forms().into_iter().filter_map(move |form| {
            let version = form.version.map(|n| format!("_v{n}")).unwrap_or_default();
            let name = format!("aoti_torch_{of}_{}{version}", f.func.name.unambiguous_name());
            let (arguments, results) = parameters(&f.func, &form).ok()?;
            let arguments = arguments.iter().filter_map(Option::as_ref).flat_map(|argument| &argument.parameters);
            let all = arguments.chain(results.iter().map(|result| &result.parameter));
            let types: Vec<&str> = all.map(|parameter| parameter.ty.as_str()).collect();
            let declaration = format!("{name}({})", types.join(", "));
            Some((name, declaration))
        })
    });
    named.collect()
}

/// The header and the shims of an operator that is called through the dispatcher; `None` if C
/// cannot express it.
pub(crate) fn through_dispatcher(
    operator: &Operator,
    table: &Table,
) -> std::result::Result<Option<(String, Vec<Shim>)>, ApiError> {
    match shims(&operator.f.func, operator.entry, &Target::Dispatcher.call(operator.f), table) {
        Ok(shims) => Ok(Some((Target::Dispatcher.header(operator.f), shims))),
        Err(error) if [&codes::UNSUPPORTED_TYPE, &codes::UNSUPPORTED_RETURN].contains(&error.code()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The existing operators of the table, in its order.
fn operators<'a>(ctx: &Context<'a>, table: &'a Operators) -> Vec<Operator<'a>> {
    let mut present: HashMap<&str, &'a NativeFunction> = HashMap::new();
    for f in ctx.functions {
        if let Some((name, _)) = table.get_key_value(&python_name(f)) {
            present.insert(name, f);
        }
    }
    let find = |(name, entry): (&'a String, &'a Entry)| present.get(name.as_str()).map(|&f| Operator { f, entry });
    table.iter().filter_map(find).collect()
}

fn left_out(f: &NativeFunction, error: ApiError) -> Diagnostic {
    let mut note = error.into_diagnostic(&f.spans.schema);
    note.message = format!("`{}` gets no AOTInductor shim: {}", f.func.name, note.message);
    note.code = &codes::SHIM_LEFT_OUT;
    note.severity(codes::SHIM_LEFT_OUT.severity).only_verbose()
}

/// The namespace of the kernels of operators.
struct Kernels<'a> {
    /// The group of the operator that others delegate to.
    groups: HashMap<&'a OperatorName, &'a NativeFunctionsGroup<'a>>,
}

/// The callee of a shim.
enum Target {
    Dispatcher,
    Backend(DispatchKey),
}

impl<'a> Kernels<'a> {
    fn new(ctx: &Context<'a>) -> Self {
        let delegate =
            |g: &'a NativeFunctionsGroup<'a>| Some((g.functions().find_map(|f| f.structured_delegate.as_ref())?, g));
        Kernels { groups: ctx.groups.iter().filter_map(delegate).collect() }
    }

    /// The kernel that the backend uses for the operator: its own or that of its group, or else a
    /// composite one.
    fn target(&self, ctx: &Context, f: &NativeFunction, key: Option<DispatchKey>, extend: bool) -> Option<Target> {
        use DispatchKey::{
            CompositeExplicitAutograd, CompositeExplicitAutogradNonFunctional, CompositeImplicitAutograd,
        };
        let Some(key) = key else { return Some(Target::Dispatcher) };
        let index = ctx.indices.get(key);
        let group = f.structured_delegate.as_ref().and_then(|name| self.groups.get(name));
        if index.has_kernel(f) || group.is_some_and(|group| group.get_kernel(index).is_some()) {
            return Some(Target::Backend(key));
        }
        // Out of tree, composite kernels already have their shims in the tree.
        if extend {
            return None;
        }
        [CompositeExplicitAutograd, CompositeExplicitAutogradNonFunctional, CompositeImplicitAutograd]
            .into_iter()
            .find(|&composite| ctx.indices.get(composite).has_kernel(f))
            .map(Target::Backend)
    }
}

impl Target {
    /// The file below `ATen/ops` that declares the callee.
    fn header(&self, f: &NativeFunction) -> String {
        match self {
            Target::Dispatcher => format!("{}.h", f.root_name()),
            Target::Backend(key) => format!("{}_{}_dispatch.h", f.root_name(), key.lower()),
        }
    }

    /// The function that is called.
    fn call(&self, f: &NativeFunction) -> String {
        let symint = f.func.has_symint();
        let name = cpp::name_as(&f.func, Spelling { sym_ints: SymInts::kept_if(symint), ..Spelling::default() });
        match self {
            Target::Backend(key) => format!("at::{}::{name}", key.lower()),
            // The symbolic counterpart of a method has no function of its own but this.
            Target::Dispatcher if symint && !f.variants.function => {
                format!("at::symint::{}<c10::SymInt>", name.strip_suffix("_symint").unwrap_or(&name))
            }
            Target::Dispatcher if !f.variants.function => format!("at::_ops::{}::call", f.func.name.unambiguous_name()),
            Target::Dispatcher => format!("at::{name}"),
        }
    }
}

/// The shims of all versions of an operator, newest first.
fn shims(func: &FunctionSchema, entry: &Entry, call: &str, table: &Table) -> std::result::Result<Vec<Shim>, ApiError> {
    entry.forms().into_iter().map(|form| shim(func, form, call, table)).collect()
}

/// The declarations and the definitions of all versions of an operator's shim, which calls a
/// function.
///
/// # Errors
/// C cannot express the operator.
pub fn texts(
    renderer: &Renderer,
    func: &FunctionSchema,
    entry: &Entry,
    device: &str,
    call: &str,
) -> std::result::Result<(String, String), ItemError> {
    let shims = shims(func, entry, call, Tables::embedded().get())?;
    let library = Library {
        device: device.to_owned(),
        key: None,
        extend: false,
        headers: BTreeSet::new(),
        gpu: None,
        shims,
        left_out: Vec::new(),
    };
    let text = |name: &str| renderer.fragment(&format!("torch/aoti_shim/{name}.j2"), &library);
    Ok((text("declarations")?, text("definitions")?))
}

/// The arguments and the results of a shim. An argument that the form lacks is `None`.
type Parameters = (Vec<Option<c_shim::ShimArgument>>, Vec<c_shim::ShimReturn>);

fn parameters(func: &FunctionSchema, form: &ShimVersion<'_>) -> std::result::Result<Parameters, ApiError> {
    let all = func.arguments.out.iter().chain(func.arguments.flat_non_out());
    let argument = |a: &Argument| match form.without.contains(&a.name.as_str()) {
        true => Ok(None),
        false => c_shim::argument(a).map(Some),
    };
    let arguments = all.map(argument).collect::<std::result::Result<_, ApiError>>()?;
    // The caller already has the argument that an operator writes and returns.
    let results = match !func.is_out_fn() && !func.name.name.inplace {
        true => c_shim::returns(&func.returns, RESULT)?,
        false => Vec::new(),
    };
    Ok((arguments, results))
}

fn shim(
    func: &FunctionSchema,
    form: ShimVersion<'_>,
    call: &str,
    table: &Table,
) -> std::result::Result<Shim, ApiError> {
    let mut parameters = Vec::new();
    let mut arguments = Vec::new();
    let (made, returns) = self::parameters(func, &form)?;
    for (a, made) in func.arguments.out.iter().chain(func.arguments.flat_non_out()).zip(made) {
        match (made, &a.default) {
            (Some(argument), _) => {
                parameters.extend(argument.parameters.iter().map(c_shim::Parameter::to_string));
                arguments.push(argument.expr);
            }
            (None, Some(default)) => {
                arguments.push(default::default_expr(default, &a.ty, SymInts::Numbers)?.into_owned());
            }
            (None, None) => arguments.push("std::nullopt".to_owned()),
        }
    }
    let mut results = Vec::new();
    for ret in returns {
        parameters.push(ret.parameter.to_string());
        results.push(Result { pointer: ret.parameter.name, value: ret.expr });
    }
    let base = func.name.unambiguous_name();
    Ok(Shim {
        optional_results: table.has_optional_results(&base),
        name: match form.version {
            None => base,
            Some(version) => format!("{base}_v{version}"),
        },
        since: form.since.map(str::to_owned),
        parameters,
        call: call.to_owned(),
        arguments,
        results,
    })
}
