//! What of PyTorch's operators is compared beside what libraries have: functions by convention,
//! structured kernels, generated variants and C shims.
//!
//! Invariant: a fact's key says which function it is, and its value is the declaration.

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::touched::Kernels;
use crate::torch::facts::Known;
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::{CallingConvention, Locals, SymInts, cpp};
use torchgen_aten::aten::aoti_shim;
use torchgen_base::diag::Sources;
use torchgen_kit::changes::{Fact, FactKind, Thing, kinds};
use torchgen_kit::driver::data::Tables;
use torchgen_kit::facts::Signature;
use torchgen_library::stable::shim::Shim;
use torchgen_model::changes;
use torchgen_model::model::NativeFunction;
use torchgen_model::model::version::Version;

/// A function that C++ calls.
static CPP: FactKind = FactKind::new(
    (&kinds::CPP_FUNCTION_ADDED, "THING has the C++ function `KEY` now"),
    (&kinds::CPP_FUNCTION_REMOVED, "THING does not have the C++ function `KEY` any more"),
    (&kinds::CPP_FUNCTION_CHANGED, "the C++ function `KEY` of THING has another declaration"),
);
/// A function that authors of kernels write. Which ones there are, the dispatch says.
static KERNEL: FactKind =
    FactKind::value((&kinds::KERNEL_DECLARATION_CHANGED, "the kernel `KEY` of THING has another declaration"));
/// A signature of a Python function.
static PYTHON: FactKind = FactKind::new(
    (&kinds::PYTHON_FUNCTION_ADDED, "THING is a signature of `KEY` in Python now"),
    (&kinds::PYTHON_FUNCTION_REMOVED, "THING is not a signature of `KEY` in Python any more"),
    (&kinds::PYTHON_FUNCTION_CHANGED, "the signature of THING for `KEY` in Python is another one"),
);
/// It is structured, or gets its kernels from a structured operator.
static STRUCTURED: FactKind = FactKind::new(
    (&kinds::STRUCTURED_CHANGED, "THING NEW now"),
    (&kinds::STRUCTURED_CHANGED, "THING OLD no more"),
    (&kinds::STRUCTURED_CHANGED, "THING OLD before, and NEW now"),
);
/// A variant that is generated from its entry.
static AUTOGEN: FactKind = FactKind::flag(
    (&kinds::VARIANT_GENERATED, "`KEY` is generated from THING now"),
    (&kinds::VARIANT_NOT_GENERATED, "`KEY` is not generated from THING any more"),
);
/// A function of the C shim that is generated from an operator, with the types of its parameters.
static SHIM: FactKind = FactKind::new(
    (&kinds::SHIM_ADDED, "THING has `KEY` now"),
    (&kinds::SHIM_REMOVED, "THING does not have `KEY` any more"),
    (&kinds::SHIM_CHANGED, "`KEY` of THING was `OLD`, and is `NEW` now"),
);
/// A function of the C shim that is written by hand, with its header.
static DECLARED: FactKind = FactKind::new(
    (&kinds::SHIM_ADDED, "THING has `KEY` now"),
    (&kinds::SHIM_REMOVED, "THING does not have `KEY` any more"),
    (&kinds::SHIM_ADDED, "`KEY` of THING was in `OLD`, and is in `NEW` now"),
);

/// All operators with all that is compared.
pub(super) fn all(known: &Known<'_>, kernels: &[&Kernels], sources: &Sources, tables: &Tables) -> Vec<Thing> {
    known.functions().par_iter().map(|f| operator(f, known, kernels, sources, tables)).collect()
}

/// An operator with all that is compared.
fn operator(f: &NativeFunction, known: &Known<'_>, kernels: &[&Kernels], sources: &Sources, tables: &Tables) -> Thing {
    let owner = f.structured_delegate.as_ref().and_then(|name| known.function(&name.to_string()));
    let mut thing = changes::operator(f, owner, known.indices(), sources);
    let facts = &mut thing.facts;
    facts.extend(known.texts(f).into_iter().map(of_signature));
    if f.structured {
        let value = match &f.structured_inherits {
            Some(base) => format!("is structured, from `{base}`"),
            None => "is structured".to_owned(),
        };
        facts.push(fact(&STRUCTURED, "", value));
    }
    if let Some(out) = &f.structured_delegate {
        facts.push(fact(&STRUCTURED, "", format!("has the kernels of `{out}`")));
    }
    facts.extend(f.autogen.iter().map(|name| fact(&AUTOGEN, name.to_string(), String::new())));
    facts.extend(kernels.iter().filter_map(|kernels| of_backend(f, kernels)));
    facts.extend(aoti_shim::functions(f, tables).into_iter().map(|(name, types)| fact(&SHIM, name, types)));
    thing
}

/// The kernel of a backend for an operator, if it has one. Rule:
/// torchgen/gen_backend_stubs.py, whose kernels have the dispatcher's signature.
fn of_backend(f: &NativeFunction, kernels: &Kernels) -> Option<Fact> {
    let is_symbolic = *kernels.operators.get(&f.func.name.to_string())?;
    let convention = Dispatcher { sym_ints: SymInts::kept_if(is_symbolic), locals: Locals::for_operator(f) };
    let signature = convention.signature(&f.func).ok()?;
    let name = cpp::name(&f.func);
    Some(fact(&KERNEL, format!("{}::{name}", kernels.scope), signature.decl_as(&name)))
}

fn fact(of: &'static FactKind, key: impl Into<String>, value: String) -> Fact {
    Fact { of, key: key.into(), value, place: None }
}

/// A function as a fact. Its key has its name, and what distinguishes it from others of that name.
fn of_signature(signature: Signature) -> Fact {
    let Signature { convention, form, scope, faithful, symint, name, text, .. } = signature;
    let path = if scope.contains("::") || convention != "python" {
        format!("{scope}::{name}")
    } else {
        format!("{scope}.{name}")
    };
    let (of, more) = match (convention.as_ref(), form.as_ref()) {
        ("python", _) => (&PYTHON, vec![]),
        ("native" | "structured", _) => (&KERNEL, vec![]),
        (_, form) => {
            let form = if form == "method" { "method" } else { "" };
            (&CPP, vec![form, if faithful { "faithful" } else { "" }, if symint { "symbolic" } else { "" }])
        }
    };
    let more: Vec<&str> = more.into_iter().filter(|word| !word.is_empty()).collect();
    let key = if more.is_empty() { path } else { format!("{path} ({})", more.join(", ")) };
    fact(of, key, text)
}

/// The functions of the C shim that headers declare by hand.
pub(super) fn shim(torch: Version) -> Thing {
    let shim = Shim::read_table();
    let functions = shim.functions_of(torch).map(|(name, function)| fact(&DECLARED, name, function.header.clone()));
    Thing { kind: "library", name: "the C shim".to_owned(), facts: functions.collect(), ..Thing::default() }
}
