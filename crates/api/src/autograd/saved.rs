//! What a formula saves: whole inputs and outputs, or only a property that is known when the node
//! is made.
//!
//! Invariant: the returned formula names exactly what is saved. Rule:
//! torchgen/packaged/autograd/load_derivatives.py, `saved_variables`. Unlike there, only whole
//! words match a property: `my_self.sym_sizes()` is not a property of `self`, and
//! `at::zeros_like(self)` is not a call of `zeros_like`.
//!
//! What is left of a name in the formula decides whether the whole value is saved, and is found by
//! words, as `formula` explains. So properties are replaced in the text: each search reads what
//! the earlier ones have written, in the order of [`PROPERTIES`].

use super::SavedAttribute;
use super::formula;
use crate::{BaseCppType, CType, NamedCType};
use torchgen_base::diag::{Help, TextError};
use torchgen_base::lang::{is_word, replace_words, starts_word};
use torchgen_formula::{Method, Node, Unary, parse};
use torchgen_model::codes;
use torchgen_model::model::{Target, cpp_names};

/// How a formula asks for a property.
#[derive(Clone, Copy)]
enum PropertySpelling {
    /// `self.property()`
    Method,
    /// `self->property()`
    Arrow,
    /// `self.property(1)`
    MethodOfIndex,
    /// `property(self)`
    Call,
}

/// A property that is saved instead of the whole.
struct Property {
    form: PropertySpelling,
    name: &'static str,
    /// The suffix of the saved value's name, after the input's name.
    suffix: &'static str,
    ty: fn() -> CType,
    /// The expression that makes it, if it differs from the one in the formula.
    expr: Option<fn(&str) -> String>,
    /// What replaces it in the formula, if not the name of the saved value.
    replacement: Option<fn(&str) -> String>,
}

impl Property {
    const fn new(form: PropertySpelling, name: &'static str, suffix: &'static str, ty: fn() -> CType) -> Self {
        Property { form, name, suffix, ty, expr: None, replacement: None }
    }

    /// The property for that target. libtorch does not export the function that makes zeros for
    /// ATen.
    fn for_target(&'static self, target: Target) -> &'static Property {
        if target.sees_exports_only && self.name == LIBRARY_ZEROS.name { &LIBRARY_ZEROS } else { self }
    }

    /// Where the formula asks for the property at or after `from`, and the index if it has one.
    fn find<'f>(&self, formula: &'f str, input: &str, from: usize) -> Option<(std::ops::Range<usize>, &'f str)> {
        let name = self.name;
        let (start, end) = match self.form {
            PropertySpelling::Method => (format!("{input}.{name}()"), false),
            PropertySpelling::Arrow => (format!("{input}->{name}()"), false),
            PropertySpelling::MethodOfIndex => (format!("{input}.{name}("), true),
            PropertySpelling::Call => (format!("{name}({input})"), false),
        };
        formula[from..].match_indices(&start).find_map(|(at, found)| {
            let at = from + at;
            let qualified = matches!(self.form, PropertySpelling::Call) && formula[..at].ends_with("::");
            if !starts_word(formula, at) || qualified {
                return None;
            }
            let behind = at + found.len();
            if !end {
                return Some((at..behind, ""));
            }
            let index = &formula[behind..behind + formula[behind..].find(')')?];
            let digits = index.strip_prefix('-').unwrap_or(index);
            let fits = !digits.is_empty() && digits.chars().all(is_word);
            fits.then_some((at..behind + index.len() + 1, index))
        })
    }
}

fn long() -> CType {
    BaseCppType::Long.into()
}

fn sym_int() -> CType {
    BaseCppType::SymInt.into()
}

fn sym_ints() -> CType {
    BaseCppType::SymIntArrayRef.into()
}

/// In order of search.
static PROPERTIES: [Property; 17] = {
    use PropertySpelling::*;
    [
        Property::new(Method, "sym_sizes", "_sym_sizes", sym_ints),
        Property {
            expr: Some(|input| {
                format!("{input}.has_value() ? std::optional<c10::SymIntArrayRef>({input}->sym_sizes()) : std::nullopt")
            }),
            ..Property::new(Arrow, "sym_sizes", "_sym_sizes_opt", || sym_ints().optional())
        },
        Property {
            expr: Some(|input| format!("at::sparse_csr::getSymIntBlockSize({input})")),
            ..Property::new(Method, "sym_blocksize", "_self_sym_blocksize_opt", || sym_ints().optional())
        },
        Property::new(Method, "options", "_options", || BaseCppType::TensorOptions.into()),
        Property {
            expr: Some(str::to_owned),
            replacement: Some(|input| format!("{input}_info.zeros()")),
            ..Property::new(Call, "zeros_like", "_info", || BaseCppType::TypeAndSize.into())
        },
        Property::new(MethodOfIndex, "sym_size", "_sym_argsize_", sym_int),
        Property::new(Method, "numel", "_numel", long),
        Property::new(Method, "sym_numel", "_sym_numel", sym_int),
        Property::new(Call, "to_args_sizes", "_args_sizes", || long().vector().vector()),
        Property::new(Call, "to_args_sizes_symint", "_args_sizes_symint", || sym_int().vector().vector()),
        Property::new(Call, "to_args_scalartypes", "_args_scalartypes", || {
            CType::base(BaseCppType::ScalarType).vector()
        }),
        Property::new(Call, "TensorGeometry", "_geometry", || BaseCppType::TensorGeometry.into()),
        Property::new(Method, "scalar_type", "_scalar_type", || BaseCppType::ScalarType.into()),
        Property::new(Method, "dim", "_dim", long),
        Property {
            expr: Some(|input| format!("strides_or_error({input}, \"{}\")", cpp_names::written(input))),
            ..Property::new(Method, SYM_STRIDES, "_sym_strides", sym_ints)
        },
        Property::new(Method, "layout", "_layout", || BaseCppType::Layout.into()),
        Property::new(Method, "is_conj", "_conjugate", || BaseCppType::Bool.into()),
    ]
};

/// `zeros_like(self)` in operator libraries.
static LIBRARY_ZEROS: Property = Property {
    expr: Some(str::to_owned),
    replacement: Some(|input| format!("at::zeros_symint({input}_info.sym_sizes, {input}_info.options)")),
    ..Property::new(PropertySpelling::Call, "zeros_like", "_info", || BaseCppType::TypeAndSize.into())
};

const SYM_STRIDES: &str = "sym_strides";

/// Takes out of a formula what it must save of the values in scope. `var_names` are the inputs that
/// the formula is for.
///
/// Returns the formula in terms of the saved values, and the saved values.
///
/// # Errors
/// A property cannot be saved; the error's place is in `original`.
pub(super) fn saved_variables(
    original: &str,
    formula: String,
    values: &[NamedCType<'_>],
    var_names: &[String],
    target: Target,
) -> Result<(String, Vec<SavedAttribute>), TextError> {
    let mut formula = formula;
    let mut saved = Vec::new();
    for value in values {
        let name = value.name.as_named().unwrap_or(REDUNDANT_MEMORY_FORMAT);
        // Most formulas use few of the values.
        if !formula.contains(name) {
            continue;
        }
        for property in &PROPERTIES {
            formula = take(property.for_target(target), formula, original, name, var_names, &mut saved)?;
        }
        if value.ty == CType::base(BaseCppType::String).optional() {
            formula = view_of_string(&formula, name, target);
        }
        if formula::uses(&formula, name) {
            saved.push(SavedAttribute { name: name.to_owned(), ty: value.ty, expr: name.to_owned() });
        }
    }
    Ok((formula, saved))
}

/// The reference's name for a memory format beside tensor options. Formulas cannot use it.
const REDUNDANT_MEMORY_FORMAT: &str = "possibly_redundant_memory_format";

fn take(
    property: &Property,
    formula: String,
    original: &str,
    input: &str,
    var_names: &[String],
    saved: &mut Vec<SavedAttribute>,
) -> Result<String, TextError> {
    if !formula.contains(property.name) {
        return Ok(formula);
    }
    let mut out = String::new();
    let mut copied = 0;
    while let Some((range, index)) = property.find(&formula, input, copied) {
        if property.name == SYM_STRIDES && !matches!(var_names, [only] if only == input) {
            let place = property.find(original, input, 0).map_or(0..original.len(), |(range, _)| range);
            let input = cpp_names::written(input);
            let message = format!("`{input}.sym_strides()` can be used only in the formula for `{input}`");
            return Err(TextError::new(&codes::UNSUPPORTED_IN_FORMULA, place, message)
                .help(format!("give `{input}` a formula of its own")));
        }
        let name = format!("{input}{}{}", property.suffix, index.replace('-', "minus_"));
        let found = &formula[range.clone()];
        let expr = property.expr.map_or_else(|| found.to_owned(), |make| make(input));
        out.push_str(&formula[copied..range.start]);
        match property.replacement {
            Some(make) => out.push_str(&make(input)),
            None => out.push_str(&name),
        }
        saved.push(SavedAttribute { name, ty: (property.ty)(), expr });
        copied = range.end;
    }
    if copied == 0 {
        return Ok(formula);
    }
    out.push_str(&formula[copied..]);
    Ok(out)
}

/// Nodes keep a string; functions take a view of one. The reference writes no parentheses around
/// it, which compiles only where it is a whole argument.
fn view_of_string(formula: &str, name: &str, target: Target) -> String {
    let view = format!("{name}.has_value() ? std::optional<std::string_view>({name}.value()) : std::nullopt");
    replace_words(formula, name, |range| {
        let (before, after) = (formula[..range.start].trim_end(), formula[range.end..].trim_start());
        let is_argument = before.ends_with(['(', ',']) && after.starts_with([')', ',']);
        Some(match is_argument || !target.refuses_what_cannot_compile {
            true => view.clone(),
            false => format!("({view})"),
        })
    })
}

/// Methods that formulas cannot use, since they return plain integers, and what to use instead. A
/// text that is not an expression has none.
pub(super) fn check_sizes(formula: &str) -> Result<(), TextError> {
    // Most formulas use none, and need not be read.
    if !PLAIN_SIZES.iter().any(|name| formula::uses(formula, name)) {
        return Ok(());
    }
    let Ok(expr) = parse(formula) else { return Ok(()) };
    let mut found: Option<&Method> = None;
    expr.walk(&mut |part| {
        if let Node::Method(method) = &part.node
            && is_plain_size(method)
            && found.is_none_or(|first| method.place.start < first.place.start)
        {
            found = Some(method);
        }
    });
    let Some(Method { name, place, .. }) = found else { return Ok(()) };
    let message = format!("formulas cannot use `{name}()`, which does not support symbolic integers");
    Err(TextError::new(&codes::UNSUPPORTED_IN_FORMULA, place.clone(), message)
        .help(Help::new(format!("write `sym_{name}()`")).word(name.as_str(), format!("sym_{name}")).certainly()))
}

const PLAIN_SIZES: [&str; 3] = ["size", "sizes", "strides"];

/// Whether a method returns plain sizes or strides, or one size by its number.
fn is_plain_size(method: &Method) -> bool {
    match (method.name.as_str(), method.arguments.as_slice()) {
        ("sizes" | "strides", []) => true,
        ("size", [index]) => match &index.node {
            Node::Number(_) => true,
            Node::Unary(Unary::Minus, value) => matches!(value.node, Node::Number(_)),
            _ => false,
        },
        _ => false,
    }
}
