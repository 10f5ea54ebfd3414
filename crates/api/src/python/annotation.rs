//! Operators in a library's own Python package: names that Python allows, types, and defaults.
//!
//! Unlike in PyTorch's stubs (`pyi`), types are those of the language and of `torch` itself, and
//! the return type is what `torch.ops` returns.
//!
//! Invariant: every type and default of a schema has a form. Rule for accepted values:
//! torch/_ops.py calls operators through `torch/csrc/jit/python/pybind_utils.cpp`, `toIValue`.

use std::borrow::Cow;

use torchgen_base::lang::python::{in_one_line, is_keyword};
use torchgen_model::model::{BaseTy, Return, Type};

/// The names that the modules of a package use themselves.
const OWN: [&str; 15] = [
    "_torch",
    "_builtins",
    "_expand",
    "_import_module",
    "_ABSENT",
    "_NamedTuple",
    "_pytree",
    "_register",
    "_return_types",
    "_type",
    "_OPERATORS",
    "__debug__",
    "__package__",
    "__all__",
    "_load",
];

/// The names that stubs use for types and for overloads, and the modules that they are from. Where
/// an operator has such a name, stubs use a private alias.
pub const TYPES: [(&str, &str); 13] = [
    ("Generator", "torch"),
    ("Sequence", "collections.abc"),
    ("SymInt", "torch"),
    ("Tensor", "torch"),
    ("bool", "builtins"),
    ("complex", "builtins"),
    ("dict", "builtins"),
    ("float", "builtins"),
    ("int", "builtins"),
    ("list", "builtins"),
    ("overload", "typing"),
    ("str", "builtins"),
    ("tuple", "builtins"),
];

/// The name, with an underscore at its end if Python or the package uses the word itself, as in
/// PyTorch's `from_`.
pub fn name(name: &str) -> Cow<'_, str> {
    let is_alias = name.strip_prefix('_').is_some_and(|rest| TYPES.iter().any(|(ty, _)| *ty == rest));
    if is_keyword(name) || is_alias || OWN.contains(&name) {
        Cow::Owned(format!("{name}_"))
    } else {
        Cow::Borrowed(name)
    }
}

/// The variable of an argument in a function that the dispatcher calls. All other names in the
/// modules of such functions start with an underscore, and those that are made from names of the
/// schema are [`derived`].
pub fn variable(name: &str) -> Cow<'_, str> {
    if name.starts_with('_') || is_keyword(name) { Cow::Owned(derived("a", name)) } else { Cow::Borrowed(name) }
}

/// A name that is made from one of the schema. It has underscores at both ends, which no other name
/// in its module has. No family begins with another one and an underscore.
pub fn derived(family: &str, name: &str) -> String {
    format!("_{family}_{name}_")
}

/// The type of an argument.
pub fn argument_type(ty: &Type) -> String {
    match ty {
        Type::Base(base) => base_argument(*base).to_owned(),
        Type::Optional(elem) => format!("{} | None", argument_type(elem)),
        Type::List(elem, size) => {
            let elem = argument_type(elem);
            // A list of known size can be given as one element, which is repeated.
            if size.is_some() { format!("{elem} | Sequence[{elem}]") } else { format!("Sequence[{elem}]") }
        }
        Type::Dict(key, value) => format!("dict[{}, {}]", returned_type(key), returned_type(value)),
        Type::CustomClass(_) => "_torch.ScriptObject".to_owned(),
    }
}

fn base_argument(base: BaseTy) -> &'static str {
    match base {
        BaseTy::Device => "_torch.device | str | int",
        BaseTy::Scalar => "float | complex",
        BaseTy::SymInt => "int | SymInt",
        BaseTy::SymBool => "bool | _torch.SymBool",
        other => base_value(other),
    }
}

/// The type of the return value.
pub fn returns_type(returns: &[Return]) -> String {
    let types: Vec<String> = returns.iter().map(result_type).collect();
    returned(&types)
}

/// The type of one result.
pub fn result_type(result: &Return) -> String {
    returned_type(&result.ty)
}

/// The type of an argument in a kernel: of what the dispatcher passes on.
pub fn passed_type(ty: &Type) -> String {
    returned_type(ty)
}

/// The type of one of the values that a schema without a model returns.
pub fn declared_return(ty: Option<&Type>) -> String {
    ty.map_or_else(|| "object".to_owned(), returned_type)
}

/// The type of several values.
pub fn returned(types: &[String]) -> String {
    match types {
        [] => "None".to_owned(),
        [single] => single.clone(),
        several => format!("tuple[{}]", several.join(", ")),
    }
}

fn returned_type(ty: &Type) -> String {
    match ty {
        Type::Base(base) => base_value(*base).to_owned(),
        Type::Optional(elem) => format!("{} | None", returned_type(elem)),
        Type::List(elem, _) => format!("list[{}]", returned_type(elem)),
        Type::Dict(..) | Type::CustomClass(_) => argument_type(ty),
    }
}

fn base_value(base: BaseTy) -> &'static str {
    match base {
        BaseTy::Tensor => "Tensor",
        BaseTy::Generator => "Generator",
        BaseTy::Int | BaseTy::DeviceIndex | BaseTy::SymInt => "int",
        BaseTy::Float => "float",
        BaseTy::Bool | BaseTy::SymBool => "bool",
        BaseTy::Complex => "complex",
        BaseTy::Scalar => "int | float | bool | complex",
        BaseTy::Str => "str",
        BaseTy::DimVector => "Sequence[int]",
        BaseTy::ScalarType => "_torch.dtype",
        BaseTy::Layout => "_torch.layout",
        BaseTy::Device => "_torch.device",
        BaseTy::MemoryFormat => "_torch.memory_format",
        BaseTy::QScheme => "_torch.qscheme",
        BaseTy::Stream => "_torch.Stream",
        BaseTy::Storage => "_torch.UntypedStorage",
        BaseTy::GraphModule => "_torch.fx.GraphModule",
        BaseTy::Dimname => "object",
    }
}

/// The default of an argument in Python.
pub fn default<'a>(default: &'a str, ty: &Type) -> Cow<'a, str> {
    let ty = if let Type::Optional(elem) = ty { elem } else { ty };
    if let Some(inside) = default.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let elem = if let Type::List(elem, _) = ty { elem } else { ty };
        let items: Vec<Cow<str>> = split(inside).into_iter().map(|item| word(item, elem)).collect();
        return Cow::Owned(match items.as_slice() {
            [single] => format!("({single},)"),
            items => format!("({})", items.join(", ")),
        });
    }
    word(default, ty)
}

/// The items of a list; commas in strings do not separate items.
fn split(inside: &str) -> Vec<&str> {
    let (mut items, mut start, mut quote, mut escaped) = (Vec::new(), 0, None, false);
    for (at, c) in inside.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == ',' => {
                items.push(inside[start..at].trim());
                start = at + 1;
            }
            None => {}
        }
    }
    items.push(inside[start..].trim());
    items.retain(|item| !item.is_empty());
    items
}

/// The values of a schema's words: numbers if the argument is one.
fn word<'a>(text: &'a str, ty: &Type) -> Cow<'a, str> {
    if text.starts_with(['"', '\'']) {
        return in_one_line(text);
    }
    if *ty == Type::Base(BaseTy::ScalarType) && !matches!(text, "complex" | "float" | "long" | "None") {
        return Cow::Owned(format!("_torch.{text}"));
    }
    let is_int = matches!(ty, Type::Base(BaseTy::Int | BaseTy::SymInt | BaseTy::Scalar | BaseTy::Float));
    Cow::Borrowed(match (text, is_int) {
        ("Mean", _) => "1",
        ("long", true) => "4",
        ("float", true) => "6",
        ("complex", true) => "9",
        ("strided" | "contiguous_format", true) => "0",
        ("long", false) => "_torch.int64",
        ("float", false) => "_torch.float32",
        ("complex", false) => "_torch.complex64",
        ("strided", false) => "_torch.strided",
        ("contiguous_format", false) => "_torch.contiguous_format",
        _ => text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_model::model::Language;
    use torchgen_model::parse;

    fn check(argument: &str, expected_type: &str, expected_default: Option<&str>) {
        let parsed = parse::schema::argument(argument, Language::Torchgen);
        let a = parsed.or_else(|_| parse::schema::argument(argument, Language::C10)).unwrap();
        assert_eq!(argument_type(&a.ty), expected_type, "{argument}");
        assert_eq!(a.default.as_deref().map(|text| default(text, &a.ty)).as_deref(), expected_default, "{argument}");
    }

    #[test]
    fn types_and_defaults() {
        check("Tensor? x=None", "Tensor | None", Some("None"));
        check("Tensor?[] x", "Sequence[Tensor | None]", None);
        check("SymInt[2] x=1", "int | SymInt | Sequence[int | SymInt]", Some("1"));
        check("int[] x=[0, 1]", "Sequence[int]", Some("(0, 1)"));
        check("int[]? x=None", "Sequence[int] | None", Some("None"));
        check("str[] x=['a,b']", "Sequence[str]", Some("('a,b',)"));
        check("str x=\"sum\"", "str", Some("\"sum\""));
        check("int reduction=Mean", "int", Some("1"));
        check("ScalarType dtype=long", "_torch.dtype", Some("_torch.int64"));
        check("int dtype=long", "int", Some("4"));
        check("Layout? layout=strided", "_torch.layout | None", Some("_torch.strided"));
        check("Device? device=None", "_torch.device | str | int | None", Some("None"));
        check("Scalar x=-1.5", "float | complex", Some("-1.5"));
        check("Dict(str, Tensor) x", "dict[str, Tensor]", None);
    }

    #[test]
    fn names() {
        assert_eq!((name("from"), name("self")), ("from_".into(), "self".into()));
        assert_eq!((name("_int"), name("_torch")), ("_int_".into(), "_torch_".into()));
        assert_eq!((variable("from"), variable("self")), ("_a_from_".into(), "self".into()));
        assert_eq!((variable("_a_from_"), variable("from_")), ("_a__a_from__".into(), "from_".into()));
    }
}
