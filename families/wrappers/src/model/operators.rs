//! PyTorch's operators: from native_functions.yaml, or from the two files that PyTorch's build
//! makes.
//!
//! Invariant: every declaration is one [`Operator`], generated variants last, in file order. The
//! file may be that of any PyTorch, so that only errors in schemas are reported: keys, tags and
//! rules that are not known here change nothing.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

pub(crate) use super::operator::Operator;
use torchgen_base::diag::{Diagnostic, Diagnostics, codes as shared};
use torchgen_base::yaml::{Node, NodeKind, Options, Text};
use torchgen_kit::driver::data::Tables;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::group::variants::add_generated;
use torchgen_model::model::composites::Composites;
use torchgen_model::model::{
    BackendIndices, BaseTy, DispatchKey, FunctionSchema, NativeFunction, OperatorName, SchemaKind, Target,
};
use torchgen_model::parse::entry::{self, Entry, EntryOptions};
use torchgen_model::records::NativeFunctionRecord;
use torchgen_model::records::native::{ATEN_KEYS, read_native_functions};

/// How far composite kernels are followed.
const MAX_DEPTH: usize = 8;

/// The operators of a native_functions.yaml. Errors in it are diagnostics.
pub(crate) fn read_operators(path: &Path, session: &mut Session) -> Result<Vec<Operator>, JobError> {
    let root = session.read_yaml(path, Options::OPERATORS)?;
    if !matches!(root.kind, NodeKind::Sequence(_)) {
        let message = format!("`{}` is not a list of operators", path.display());
        session.diagnostics.push(Diagnostic::new(&shared::WRONG_TYPE, message).at(root.span));
        return Err(JobError::Input);
    }
    let operators = all(root, &session.tables, &mut session.diagnostics);
    session.timings.lap("operators");
    Ok(operators)
}

/// The operators of a list of entries, then their generated variants.
pub(crate) fn all(root: Node, tables: &Tables, diagnostics: &mut Diagnostics) -> Vec<Operator> {
    let mut ignored = Diagnostics::new();
    let records = read_native_functions(root, &ATEN_KEYS, &mut ignored);
    let tags = records.iter().filter_map(|record| record.tags.as_ref()).flat_map(|tags| &tags.value);
    let tags: BTreeSet<String> = tags.map(Text::to_string).collect();
    let options = EntryOptions { target: Target::any_torch(tables), valid_tags: &tags, ignore_keys: &BTreeSet::new() };
    let read: Vec<_> = records.par_iter().map(|record| one(record, options)).collect();
    let (mut operators, mut functions) = (Vec::with_capacity(2 * read.len()), Vec::with_capacity(2 * read.len()));
    for found in read {
        match found {
            Ok((operator, function)) => {
                operators.push(operator);
                functions.push(function);
            }
            Err(error) => diagnostics.extend(error),
        }
    }
    find_meta(&mut operators, &functions, tables.get());
    add_generated(&mut functions, &mut BackendIndices::default(), options.target, &mut ignored);
    let (functions, generated) = functions.split_at(operators.len());
    let generated: HashMap<&OperatorName, &NativeFunction> = generated.iter().map(|f| (&f.func.name, f)).collect();
    let variants = functions.iter().zip(&operators).flat_map(|(function, base)| {
        let made = function.autogen.iter().filter_map(|name| generated.get(name));
        made.map(|f| {
            let meta_missing = base.meta_missing.clone();
            Operator { constant: base.constant, meta_missing, ..Operator::new(f.func.clone()) }
        })
    });
    let variants: Vec<Operator> = variants.collect();
    operators.extend(variants);
    operators
}

/// Finds what composite kernels without one for `Meta` call.
fn find_meta(operators: &mut [Operator], functions: &[NativeFunction], composites: &Composites) {
    let known: HashMap<String, (bool, bool)> = operators
        .iter()
        .zip(functions)
        .map(|(operator, f)| (operator.full_name(), (operator.meta_missing.is_none(), f.has_composite_kernel())))
        .collect();
    for operator in operators.iter_mut().filter(|operator| operator.meta_missing.is_none()) {
        operator.meta_missing = missing(&operator.full_name(), &known, composites, MAX_DEPTH);
    }
}

/// The operator without a kernel for `Meta` that a call reaches. `known`: whether operators have
/// some kernel that serves for it, and whether they have a composite one.
fn missing(name: &str, known: &HashMap<String, (bool, bool)>, composites: &Composites, depth: usize) -> Option<String> {
    match known.get(name) {
        Some((true, _)) if composites.raises(name) => Some(name.to_owned()),
        Some((true, true)) if depth > 0 => {
            composites.calls(name).iter().find_map(|called| missing(called, known, composites, depth - 1))
        }
        Some((true, _)) => None,
        _ => Some(name.to_owned()),
    }
}

/// The operator of an entry.
fn one(record: &NativeFunctionRecord, options: EntryOptions) -> Result<(Operator, NativeFunction), Option<Diagnostic>> {
    let mut found = Diagnostics::new();
    let entry = entry::entry(record, options, &mut found);
    // Without an operator, the first error is that of the schema.
    let Entry { function, kernels } = entry.ok_or_else(|| found.into_iter().next())?;
    let has = |wanted| kernels.iter().any(|(key, _)| *key == wanted);
    let mut keys = record.dispatch.iter().flat_map(|table| &table.value).flat_map(|entry| &entry.keys);
    let composite_implicit = has(DispatchKey::CompositeImplicitAutograd)
        && keys.all(|key| key.as_str().starts_with("CompositeImplicitAutograd") || is_unbuilt(key.as_str()));
    let structured = function.part_of_structured_group();
    let composite = function.has_composite_kernel();
    check_types(&function.func, &record.func)?;
    let mut operator = Operator::new(function.func.clone());
    // A composite kernel is followed when all operators are known.
    let is_own = structured || composite || has(DispatchKey::Meta);
    operator.meta_missing = (!is_own).then(|| operator.full_name());
    let has_generated = structured && matches!(operator.kind(), SchemaKind::Functional | SchemaKind::Inplace);
    operator.required = !composite_implicit && !composite && !has_generated;
    operator.composite_implicit = composite_implicit;
    operator.structured = structured;
    operator.constant = function.use_const_ref_for_mutable_tensors;
    let is_for_all = |key: DispatchKey| key.is_generic() && key != DispatchKey::CompositeImplicitAutogradNestedTensor;
    let mut usable = kernels.iter().filter(|(key, _)| *key == DispatchKey::CPU || is_for_all(*key));
    operator.native = match &record.dispatch {
        _ if structured => None,
        None => Some(operator.name().to_owned()),
        Some(_) => usable.next().map(|(_, kernel)| kernel.kernel.clone()),
    };
    Ok((operator, function))
}

/// Checks that a schema has only types that PyTorch's generator knows C++ for.
pub(crate) fn check_types(schema: &FunctionSchema, text: &Text) -> Result<(), Diagnostic> {
    let arguments = schema.schema_order_arguments().map(|argument| &argument.ty);
    let mut types = arguments.chain(schema.returns.iter().map(|result| &result.ty));
    let Some(ty) = types.find(|ty| ty.base().is_none_or(|base| base == BaseTy::GraphModule)) else { return Ok(()) };
    let message = format!("`{ty}` is not a type of PyTorch's own operators");
    Err(Diagnostic::new(&shared::UNKNOWN_TYPE, message).at(text.span()))
}

/// Keys that PyTorch's default build leaves out.
fn is_unbuilt(key: &str) -> bool {
    ["MPS", "XPU", "MTIA"].iter().any(|backend| key.ends_with(backend))
}
