//! Names of operators and namespaces that C++ or Python cannot use.
//!
//! Invariant: for libraries only. Arguments and returns get other names in C++ (`parse::c10`);
//! an operator and its namespace have one name everywhere. What PyTorch's own layout accepts is in
//! `compiles`.

use std::ops::Range;

use super::EntryOptions;
use crate::codes;
use crate::model::{Language, NativeFunction, ReservedNames};
use crate::records::NativeFunctionRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::lang::cpp::is_keyword;
use torchgen_base::lang::python;
use torchgen_kit::driver::data::Tables;

impl ReservedNames {
    fn is_macro(&self, name: &str) -> bool {
        self.macros.iter().any(|own| own == name)
            || self.macro_prefixes.iter().any(|own| name.starts_with(own.as_str()))
    }
}

fn has(list: &[String], name: &str) -> bool {
    list.iter().any(|own| own == name)
}

/// The places of namespace, name and overload in a schema.
fn places(schema: &str) -> (Option<Range<usize>>, Range<usize>, Option<Range<usize>>) {
    let end = schema.find('(').unwrap_or(schema.len());
    let end = schema[..end].trim_end().len();
    let start = schema[..end].rfind("::").map_or(0, |at| at + 2);
    let name_end = schema[start..end].find('.').map_or(end, |at| start + at);
    ((start > 0).then(|| 0..start - 2), start..name_end, (name_end < end).then(|| name_end + 1..end))
}

/// Why no C++ can be generated for an operator of that name.
fn why_not_in_cpp(name: &str, namespace: &str, table: &ReservedNames) -> Option<&'static str> {
    if is_keyword(name) {
        Some("a keyword of C++")
    } else if table.is_macro(name) {
        Some("a macro in C++")
    } else if has(&table.operators, name) || name == namespace {
        Some("a name that the generated C++ uses itself")
    } else {
        None
    }
}

/// Whether C++ can be generated for an operator, by its name.
pub fn is_usable_in_cpp(f: &NativeFunction, tables: &Tables) -> bool {
    why_not_in_cpp(&f.func.name.name.to_string(), &f.namespace, tables.get()).is_none()
}

/// Checks the names of an operator.
pub(super) fn check_operator_names(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    if options.target.language == Language::Torchgen || options.target.is_stock(f) {
        return;
    }
    let tables = options.target.tables;
    let table: &ReservedNames = tables.get();
    let (space_at, name_at, overload_at) = places(record.func.as_str());
    let (namespace, name) = (f.namespace.as_str(), f.func.name.name.to_string());
    if let Some(at) = space_at
        && let Some(reason) = why_not_a_namespace(namespace, tables)
    {
        let message = format!("operators cannot be in the namespace `{namespace}`: it is {reason}");
        diagnostics.push(Diagnostic::new(&codes::UNUSABLE_NAMESPACE, message).at(record.func.sub_span(at)));
    }
    // Without generated C++, only Python needs the name.
    let in_cpp = why_not_in_cpp(&name, namespace, table).filter(|_| !f.registers_itself());
    let reason = if in_cpp.is_some() {
        in_cpp
    } else if has(&table.unreachable_operators, &name) {
        Some("an attribute of `torch.ops` itself")
    } else if name == "__debug__" {
        Some("a constant of Python")
    } else {
        None
    };
    if let Some(reason) = reason {
        let message = format!("an operator cannot be called `{name}`: that is {reason}");
        let help = format!("call it `{name}_op`, for example");
        diagnostics.push(Diagnostic::new(&codes::UNUSABLE_NAME, message).at(record.func.sub_span(name_at)).help(help));
    }
    let overload = f.func.name.overload_name.as_str();
    if let Some(at) = overload_at
        && has(&table.unreachable_overloads, overload)
    {
        let message = format!("an overload cannot be called `{overload}`: that is an attribute of `torch.ops` itself");
        diagnostics.push(Diagnostic::new(&codes::UNUSABLE_NAME, message).at(record.func.sub_span(at)));
    }
}

/// What else the name of a namespace means, if it cannot be one.
pub fn why_not_a_namespace(name: &str, tables: &Tables) -> Option<&'static str> {
    let table: &ReservedNames = tables.get();
    if is_keyword(name) {
        Some("a keyword of C++")
    } else if python::is_keyword(name) {
        Some("a keyword of Python")
    } else if table.is_macro(name) {
        Some("a macro in C++")
    } else if has(&table.namespaces, name) {
        Some("used by C++, by PyTorch or by the generated Python package")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_names() {
        let check = |schema: &str, expected: (Option<&str>, &str, Option<&str>)| {
            let (space, name, overload) = places(schema);
            let text = |range: Range<usize>| &schema[range];
            assert_eq!((space.map(text), &schema[name], overload.map(text)), expected, "{schema}");
        };
        check("a::b.c(Tensor x) -> ()", (Some("a"), "b", Some("c")));
        check("b(Tensor x) -> ()", (None, "b", None));
        check("a::b (Tensor x=a::c) -> ()", (Some("a"), "b", None));
    }

    #[test]
    fn namespaces() {
        for name in ["union", "lambda", "linux", "torch", "std", "numpy", "mmap"] {
            assert!(why_not_a_namespace(name, Tables::embedded()).is_some(), "{name}");
        }
        assert!(why_not_a_namespace("shop", Tables::embedded()).is_none());
    }
}
