//! Generated variants: out= and functional forms for operators that lack them.
//!
//! Invariant: a generated operator carries the tag `generated`, has one CompositeExplicitAutograd
//! kernel, and is in a group with the operator it was made from. The generator
//! `composite_kernels` makes the bodies of their kernels. Rule:
//! torchgen/native_function_generation.py, `add_generated_native_functions`.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Deserialize;

use super::pre_group::{PreGroup, pre_group};
use super::schema_variants::{functional_schema, out_schema};
use crate::codes;
use crate::model::condition::Conditions;
use crate::model::native_function::{DeviceCheckType, Variants, default_kernel_name};
use crate::model::rules::Rules;
use crate::model::{BackendIndices, BackendMetadata, DispatchKey, NativeFunction, SchemaKind, Target};
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_base::lang::is_word;
use torchgen_kit::driver::data::{Table, Tables};

/// The operators that `data/torch/variants.yaml` treats specially.
#[derive(Deserialize)]
struct Exceptions {
    out_without_group: FxHashSet<String>,
    mutable_without_out: FxHashSet<String>,
    functional_without_out: FxHashSet<String>,
    inplace_without_group: FxHashSet<String>,
}

impl Table for Exceptions {
    const PATH: &'static str = "torch/variants.yaml";
}

/// Tags that a generated variant inherits.
const INHERITED_TAGS: [&str; 3] = ["nondeterministic_seeded", "view_copy", "pt2_compliant_tag"];

/// Appends the missing variants to `functions` and their kernels to `indices`.
///
/// Errors (an out variant without other variants, an operator that can have no out variant, a
/// generated name that is in use) go to `diagnostics`.
pub fn add_generated(
    functions: &mut Vec<NativeFunction>,
    indices: &mut BackendIndices,
    target: Target,
    diagnostics: &mut Diagnostics,
) {
    let made = generated(functions, target, diagnostics);
    add(made, functions, indices, diagnostics);
}

/// The variants of written operators that are generated.
pub fn generated(functions: &[NativeFunction], target: Target, diagnostics: &mut Diagnostics) -> Vec<Variant> {
    let namespace = |f: &NativeFunction| target.identity(f).map(str::to_owned);
    let written: FxHashMap<_, _> = functions.iter().map(|f| ((namespace(f), &f.func.name), f)).collect();
    let mut made = Vec::new();
    for group in pre_group(functions, target, diagnostics).values() {
        for variant in missing_variants(group, functions, target, diagnostics) {
            match written.get(&(namespace(&variant.function), &variant.function.func.name)) {
                Some(existing) => diagnostics.push(name_taken(&variant, existing)),
                None => made.push(variant),
            }
        }
    }
    made
}

/// Adds generated variants after the written operators.
pub fn add(
    made: Vec<Variant>,
    functions: &mut Vec<NativeFunction>,
    indices: &mut BackendIndices,
    diagnostics: &mut Diagnostics,
) {
    for variant in made {
        let name = &variant.function.func.name;
        if indices.add(DispatchKey::CompositeExplicitAutograd, name, variant.kernel) {
            functions.push(variant.function);
        } else {
            diagnostics.push(made_twice(&variant.function));
        }
    }
}

/// A generated operator.
pub struct Variant {
    function: NativeFunction,
    kernel: BackendMetadata,
    /// `autogen:` names it.
    asked_for: bool,
}

/// The operator mutates an argument, and its schema rules out the functional and out variants that
/// it would need.
pub fn is_kept_out_of_groups(name: &str, tables: &Tables) -> bool {
    let Exceptions { out_without_group, mutable_without_out, inplace_without_group, .. } = tables.get();
    [out_without_group, mutable_without_out, inplace_without_group].iter().any(|names| names.contains(name))
}

/// The missing variants of one group that can be made.
fn missing_variants(
    group: &PreGroup,
    functions: &[NativeFunction],
    target: Target,
    diagnostics: &mut Diagnostics,
) -> Vec<Variant> {
    let get = |kind| group.get(kind).map(|i: usize| &functions[i]);
    let (functional, inplace) = (get(SchemaKind::Functional), get(SchemaKind::Inplace));
    let (mutable, out) = (get(SchemaKind::Mutable), get(SchemaKind::Out));
    let Some(base) = mutable.or(inplace).or(out).or(functional) else { return Vec::new() };
    if is_exempt(group, functions) {
        return Vec::new();
    }
    let exceptions: &Exceptions = target.tables.get();
    if let (Some(out), 1) = (out, group.len()) {
        if !exceptions.out_without_group.contains(&out.func.name.to_string()) && target.groups_are_complete {
            diagnostics.push(lonely_out(out, functions));
        }
        return Vec::new();
    }
    if inplace.is_some_and(|f| exceptions.inplace_without_group.contains(&f.func.name.to_string())) {
        return Vec::new();
    }
    let has_tensor_return = base.func.returns.iter().any(|r| r.ty.is_tensor_like());
    let can_get_out = base.func.kind() == SchemaKind::Inplace || has_tensor_return;
    if out.is_none() && !can_get_out && target.groups_are_complete {
        let name = base.func.name.to_string();
        if !exceptions.mutable_without_out.contains(&name) && !exceptions.functional_without_out.contains(&name) {
            diagnostics.push(no_out_variant(base));
        }
    }
    // ATen generates an out variant only if `autogen:` requests it.
    let wants_out = base.autogen.iter().any(|name| name.to_string().contains("out"));
    let gets_out = out.is_none() && can_get_out && wants_out;
    let gets_functional = functional.is_none() && (out.is_some() || gets_out);

    let mut generated = Vec::new();
    if gets_out {
        match out_schema(&base.func) {
            Ok(func) => generated.push(generated_function(base, func, target)),
            Err(reason) => diagnostics.push(
                Diagnostic::new(&codes::NO_OUT_VARIANT, reason).at(base.spans.autogen.unwrap_or(base.spans.name)),
            ),
        }
    }
    if gets_functional {
        generated.push(generated_function(base, functional_schema(&base.func), target));
    }
    generated
}

/// Groups that stay unchanged: manual bindings, views, and composites that are not core operators.
fn is_exempt(group: &PreGroup, functions: &[NativeFunction]) -> bool {
    let members = || group.indices().map(|i| &functions[i]);
    let is_core = members().any(|f| f.has_tag("core"));
    // `set_` changes its input's geometry, but is treated as a plain inplace operator.
    let is_set = |f: &NativeFunction| f.func.name.name.base == "set" && f.func.name.name.inplace;
    members().all(|f| f.manual_cpp_binding)
        || members().any(|f| f.is_view_op() && !is_set(f))
        || (members().all(|f| f.has_composite_implicit_autograd_kernel) && !is_core)
}

/// The operator and kernel for a new schema, made from `base`.
fn generated_function(base: &NativeFunction, func: crate::model::FunctionSchema, target: Target) -> Variant {
    let mut kernel = match func.kind() {
        SchemaKind::Out => func.name.unambiguous_name(),
        _ => default_kernel_name(&func),
    };
    if base.func.has_symint() {
        kernel.push_str("_symint");
    }
    let mut tags: BTreeSet<String> =
        INHERITED_TAGS.iter().filter(|t| base.has_tag(t)).map(|t| (*t).to_owned()).collect();
    tags.insert("generated".to_owned());
    let is_tagged = Rules::of_tables(target.tables).variants_are_tagged;
    if is_tagged && func.is_out_fn() && (target.every_variant_is_tagged || func.arguments.survive_inductor_out_call()) {
        tags.insert("out".to_owned());
    }
    if is_tagged && func.name.name.inplace {
        tags.insert("inplace".to_owned());
    }
    let asked_for = base.autogen.contains(&func.name);
    let function = NativeFunction {
        use_const_ref_for_mutable_tensors: base.use_const_ref_for_mutable_tensors,
        device_guard: false,
        device_check: DeviceCheckType::NoCheck,
        // No methods: generated variants are for internal use.
        variants: Variants { function: true, method: false },
        is_abstract: base.is_abstract,
        differentiable: base.differentiable,
        is_helper: base.is_helper,
        has_composite_explicit_autograd_kernel: true,
        tags,
        // Its kernel calls the base.
        conditions: Conditions { operator: base.conditions.operator.clone(), kernels: Vec::new() },
        spans: base.spans.clone(),
        ..NativeFunction::of_schema(base.namespace.clone(), func)
    };
    let cpp_namespace = target.kernel_namespace(&base.namespace);
    Variant { function, kernel: BackendMetadata { kernel, structured: false, cpp_namespace }, asked_for }
}

fn lonely_out(out: &NativeFunction, functions: &[NativeFunction]) -> Diagnostic {
    let diagnostic = Diagnostic::new(
        &codes::LONELY_OUT_VARIANT,
        format!("out= variant `{}` has no functional or inplace variant", out.func.name),
    )
    .at(out.spans.name)
    .help("add the functional variant with the same arguments, or check that the arguments and their defaults agree");
    let is_kin = |f: &&NativeFunction| f.func.name.name.base == out.func.name.name.base && !f.func.is_out_fn();
    match functions.iter().find(is_kin) {
        Some(kin) => diagnostic.also(kin.spans.func, "has other arguments"),
        None => diagnostic,
    }
}

fn no_out_variant(base: &NativeFunction) -> Diagnostic {
    Diagnostic::new(
        &codes::NO_OUT_VARIANT,
        format!("no out= variant can be made for `{}`: it returns no tensor", base.func.name),
    )
    .at(base.spans.name)
    .help("give it a CompositeImplicitAutograd kernel, or return a tensor")
}

/// The name of a variant to generate belongs to an existing operator with another signature.
fn name_taken(variant: &Variant, existing: &NativeFunction) -> Diagnostic {
    let (made, place) = (&variant.function, difference(existing, &variant.function.func.to_string()));
    let name = &made.func.name;
    if variant.asked_for {
        return made_twice(made).also(place, "which differs here");
    }
    Diagnostic::new(
        &codes::GENERATED_NAME_TAKEN,
        format!("`{name}` does not match the other variants, so another `{name}` would be generated"),
    )
    .at_with(place, "differs here")
    .also(made.spans.func, "one of the variants")
    .help(format!("write `func: {}`, or change the other variants accordingly", made.func))
}

fn made_twice(f: &NativeFunction) -> Diagnostic {
    Diagnostic::new(
        &codes::GENERATED_NAME_TAKEN,
        format!("the generated variant `{}` has the name of an existing operator", f.func.name),
    )
    .at(f.spans.autogen.unwrap_or(f.spans.name))
    .help("rename one of the two, or make their signatures agree so that they form a group")
}

/// Where the schema of an operator begins to differ from another text: the word there, or the whole
/// schema if it is not in canonical form.
fn difference(f: &NativeFunction, other: &str) -> Span {
    let (text, whole) = (f.func.to_string(), f.spans.func);
    let written = (whole.end - whole.start) as usize;
    let prefix = written.saturating_sub(text.len());
    if written < text.len() || (prefix != 0 && prefix != f.namespace.len() + 2) {
        return whole;
    }
    let same = text.char_indices().zip(other.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
    let same = same.unwrap_or_else(|| text.len().min(other.len()));
    let (before, after) = text.split_at(same);
    let start = before.trim_end_matches(is_word).len();
    let end = same + after.find(|c| !is_word(c)).unwrap_or(after.len());
    let end = if start == end { end + after.chars().next().map_or(0, char::len_utf8) } else { end };
    let base = whole.start as usize + prefix;
    Span::new(whole.file, base + start, base + end)
}

#[cfg(test)]
mod tests {
    #[test]
    fn embedded_table_reads() {
        assert!(super::Tables::embedded().get::<super::Exceptions>().inplace_without_group.contains("polygamma_"));
    }
}
