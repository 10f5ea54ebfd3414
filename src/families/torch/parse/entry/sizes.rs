//! Lints on sizes that tracing would fix: integers that should be symbolic.
//!
//! Invariant: they are warnings, for libraries only. ATen's schemas are not ours to change.

use std::sync::LazyLock;

use serde::Deserialize;

use super::EntryOptions;
use crate::diag::{Diagnostic, Diagnostics, codes};
use crate::driver::data;
use crate::families::torch::model::{BaseTy, Language, NativeFunction, Type};
use crate::families::torch::records::NativeFunctionRecord;
use crate::lang::whole_words;

#[derive(Deserialize)]
struct Names {
    names: Vec<String>,
    prefixes: Vec<String>,
    suffixes: Vec<String>,
    except: Vec<String>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| data::table("torch/size_names.yaml"));

impl Names {
    fn contain(&self, name: &str) -> bool {
        let is_size = self.names.iter().any(|known| known == name)
            || self.prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()))
            || self.suffixes.iter().any(|suffix| name.ends_with(suffix.as_str()));
        is_size && !self.except.iter().any(|known| known == name)
    }
}

/// Warns about integers that look like sizes, and about meta functions that compute with plain
/// numbers.
pub(super) fn check(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    if options.target.language == Language::Torchgen || options.target.is_stock(f) {
        return;
    }
    iterator(f, record, diagnostics);
    // The functional variant has the same arguments.
    if f.func.is_out_fn() || f.structured_delegate.is_some() && f.func.name.name.inplace {
        return;
    }
    for a in f.func.arguments.flat_non_out().filter(|a| is_int(&a.ty) && NAMES.contain(&a.name)) {
        let (old, new) = (a.ty.to_string(), a.ty.to_string().replacen("int", "SymInt", 1));
        let message = format!("argument `{}` looks like a size, but `{old}` is never symbolic", a.name);
        let place = place(record.func.as_str(), &old, &a.name);
        diagnostics.push(
            Diagnostic::new(&codes::SIZE_NOT_SYMBOLIC, message)
                .at(place.map_or(f.spans.name, |start| record.func.sub_span(start..start + old.len())))
                .help(format!(
                    "write `{new} {}`: otherwise compiled and exported programs are valid for one value only",
                    a.name
                )),
        );
    }
}

fn is_int(ty: &Type) -> bool {
    match ty {
        Type::Base(base) => *base == BaseTy::Int,
        Type::Optional(elem) | Type::List(elem, _) => is_int(elem),
        Type::Dict(..) | Type::CustomClass(_) => false,
    }
}

/// The place of an argument's type in the schema.
fn place(schema: &str, ty: &str, name: &str) -> Option<usize> {
    let written = format!("{ty} {name}");
    whole_words(schema, &written).map(|range| range.start).next()
}

/// TensorIterator computes with plain numbers; only the outputs of elementwise operators can be
/// computed without it.
fn iterator(f: &NativeFunction, record: &NativeFunctionRecord, diagnostics: &mut Diagnostics) {
    let Some(class) = record.structured_inherits.as_ref() else { return };
    let has_list = f.func.arguments.flat_non_out().any(|a| a.ty.is_tensor_like() && a.ty.is_list_like().is_some());
    if f.tags.contains("pointwise") && !has_list {
        return;
    }
    let message = format!("a meta function that calls `{}` does not support symbolic sizes", class.as_str());
    diagnostics.push(Diagnostic::new(&codes::META_NOT_SYMBOLIC, message).at(class.span()).help(
        "if outputs have the size that the inputs broadcast to, add the tag `pointwise`; else drop `structured_inherits:` and set the outputs with `set_output_raw_strided`",
    ));
}

#[cfg(test)]
mod tests {
    #[test]
    fn embedded_table_reads() {
        for (name, expected) in
            [("size", true), ("num_heads", true), ("hidden_size", true), ("block_size", false), ("k", false)]
        {
            assert_eq!(super::NAMES.contain(name), expected, "{name}");
        }
    }
}
