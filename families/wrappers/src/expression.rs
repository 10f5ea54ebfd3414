//! Conditions and sizes in the small typed language of `kit::expr`: its words for tensors, and C++.
//!
//! Invariant: variables are the operator's arguments; numbers of any class are `float`, and every
//! expression prints as one C++ expression.

use super::model::operators::Operator;
use super::types::{TypeSuffixes, form, kind};
use torchgen_base::diag::Diagnostic;
use torchgen_base::yaml::Text;
use torchgen_kit::expr::{self, Checker, Constant, Cpp, Function, Type, Typed, Vocabulary, core_functions};
use torchgen_model::model::scalar_types::ScalarType;
use torchgen_model::model::{Argument, BaseTy, Type as TorchType};

/// The words for types of elements, and their C++ names.
pub(super) fn dtypes() -> impl Iterator<Item = (&'static str, &'static str)> {
    let word = |ty: &ScalarType| if ty.torch == "bool" { "boolean" } else { ty.torch };
    let carried = ScalarType::of_tensors().filter(|ty| !NOT_CARRIED.contains(&ty.torch));
    carried.map(move |ty| (word(ty), ty.cpp))
}

/// The C++ name of the type with this word.
pub(super) fn dtype_named(word: &str) -> Option<String> {
    dtypes().find(|(known, _)| *known == word).map(|(_, cpp)| format!("at::k{cpp}"))
}

/// The types that wrappers cannot have.
const NOT_CARRIED: [&str; 7] =
    ["complex32", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "uint16", "uint32", "uint64"];

/// Relations that may start a condition whose left side is the argument.
const RELATIONS: [&str; 9] = ["==", "!=", "<=", ">=", "<", ">", "is ", "in ", "not in "];

/// The language of one backend.
pub(super) struct Language {
    functions: Vec<Function>,
    /// The namespace of `<name>_shape.h`, with its colons.
    shape: String,
    /// The namespace of `<name>_expr.h`, with its colons.
    helpers: String,
}

fn tensor() -> Type {
    Type::with_name("Tensor")
}

/// The type of element types.
pub(super) fn dtype() -> Type {
    Type::with_name("dtype")
}

impl Language {
    /// The language for code in a namespace.
    pub(super) fn new(namespace: &str) -> Language {
        let x = || [("x", tensor())];
        let ints = || Type::Int.list();
        let mut functions = vec![
            Function::new("dim", &x(), Type::Int, "The number of dimensions."),
            Function::new("sizes", &x(), ints(), "The sizes."),
            Function::new("strides", &x(), ints(), "The strides."),
            Function::new("numel", &x(), Type::Int, "The number of elements."),
            Function::new("dtype", &x(), dtype(), "The type of elements."),
            Function::new("is_contiguous", &x(), Type::Bool, "Whether elements are in order without gaps."),
            Function::new("is_floating_point", &x(), Type::Bool, "Whether elements are floating-point numbers."),
            Function::new("is_complex", &x(), Type::Bool, "Whether elements are complex numbers."),
            Function::new("ceil", &[("x", Type::Float)], Type::Int, "Rounds up."),
            Function::new("floor", &[("x", Type::Float)], Type::Int, "Rounds down."),
            Function::new("broadcast", &[("a", ints()), ("b", ints())], ints(), "The sizes that both expand to."),
        ];
        functions.extend(core_functions());
        Language { functions, shape: format!("::{namespace}::shape::"), helpers: format!("::{namespace}::expr::") }
    }

    /// The namespace of `<name>_shape.h`, with its colons.
    pub(super) fn shape(&self) -> &str {
        &self.shape
    }

    /// The namespace of `<name>_expr.h`, with its colons.
    pub(super) fn helpers(&self) -> &str {
        &self.helpers
    }

    /// A condition on an argument: `== 1`, `is_none`, or any condition.
    pub(super) fn condition(
        &self,
        argument: &str,
        text: &Text,
        operator: &Operator,
    ) -> Result<(String, String), Diagnostic> {
        let written = text.as_str().trim();
        let prefix = match written {
            "is_none" => return self.print(&format!("{argument} is None"), None, text, operator, &Type::Bool),
            _ if RELATIONS.iter().any(|relation| written.starts_with(relation)) => format!("{argument} "),
            _ => String::new(),
        };
        let whole = format!("{prefix}{}", text.as_str());
        self.print(&whole, Some(prefix.len()), text, operator, &Type::Bool)
    }

    /// An expression of a type.
    pub(super) fn expression(&self, text: &Text, operator: &Operator, wanted: &Type) -> Result<String, Diagnostic> {
        self.print(text.as_str(), Some(0), text, operator, wanted).map(|(_, cpp)| cpp)
    }

    /// The text of a checked expression, and its C++. `offset` is how many bytes were put before
    /// the text of the file; `None` if all of it was made.
    fn print(
        &self,
        whole: &str,
        offset: Option<usize>,
        text: &Text,
        operator: &Operator,
        wanted: &Type,
    ) -> Result<(String, String), Diagnostic> {
        let at = |error: torchgen_base::diag::TextError| {
            let end = text.as_str().len();
            let range = match offset {
                Some(offset) => {
                    let place = |at: usize| at.saturating_sub(offset).min(end);
                    place(error.range.start)..place(error.range.end)
                }
                None => 0..end,
            };
            Diagnostic::new(error.code, error.message).at(text.sub_span(range)).maybe_help(error.help)
        };
        let tree = expr::parse(whole).map_err(at)?;
        let mut checker = Checker::new(self, variables(operator));
        let typed = checker.expression_of(&tree, wanted, "this").map_err(at)?;
        if typed.has_comprehension() {
            let message = "a comprehension is not possible here";
            return Err(Diagnostic::new(&super::codes::BAD_VALUE, message).at(text.span()));
        }
        Ok((expr::source(&tree), self.cpp(&typed, operator)))
    }

    fn cpp(&self, typed: &Typed, operator: &Operator) -> String {
        let named = |name: &str| if name == "Tensor" { "at::Tensor".to_owned() } else { "at::ScalarType".to_owned() };
        let function = |name: &str, arguments: &[String]| {
            let method = |name: &str| format!("{}.{name}()", arguments.concat());
            Some(match name {
                "dim" | "numel" | "is_contiguous" | "is_floating_point" | "is_complex" => method(name),
                "sizes" | "strides" => format!("{}.vec()", method(name)),
                "dtype" => method("scalar_type"),
                "ceil" | "floor" | "broadcast" => format!("{}{name}({})", self.shape, arguments.join(", ")),
                _ => return None,
            })
        };
        let variable = |name: &str| {
            let argument = operator.schema.schema_order_arguments().find(|parameter| parameter.name.as_str() == name);
            argument.map_or(name.to_owned(), |argument| self.variable(argument))
        };
        Cpp { helpers: &self.helpers, named: &named, function: &function, variable: &variable }.print(typed)
    }

    /// An argument as a value of the language.
    fn variable(&self, argument: &Argument) -> String {
        let name = argument.name.as_str();
        let (form, _) = form(&argument.ty);
        match (kind(&argument.ty), form) {
            (BaseTy::Scalar | BaseTy::Str, TypeSuffixes::Plain | TypeSuffixes::Optional)
            | (
                BaseTy::Int | BaseTy::SymInt | BaseTy::Float | BaseTy::Bool | BaseTy::Tensor,
                TypeSuffixes::List | TypeSuffixes::OptionalList,
            ) => {
                format!("{}plain({name})", self.shape)
            }
            _ => name.to_owned(),
        }
    }
}

/// The operator's arguments and their types in the language.
fn variables(operator: &Operator) -> Vec<(String, Type)> {
    let typed = operator.schema.schema_order_arguments().filter_map(|parameter| {
        let ty = type_of(&parameter.ty);
        ty.map(|ty| (parameter.name.clone(), ty))
    });
    typed.collect()
}

fn type_of(ty: &TorchType) -> Option<Type> {
    let base = match kind(ty) {
        BaseTy::Tensor => tensor(),
        BaseTy::Int | BaseTy::SymInt => Type::Int,
        BaseTy::Float | BaseTy::Scalar => Type::Float,
        BaseTy::Bool => Type::Bool,
        BaseTy::Str => Type::Str,
        BaseTy::ScalarType => dtype(),
        _ => Type::with_name("object"),
    };
    Some(match form(ty).0 {
        TypeSuffixes::Plain => base,
        TypeSuffixes::Optional => base.optional(),
        TypeSuffixes::List => base.list(),
        TypeSuffixes::OptionalList => base.list().optional(),
        TypeSuffixes::ListOfOptional => return None,
    })
}

impl Vocabulary for Language {
    fn constant(&self, name: &str) -> Option<Constant> {
        Some(Constant { ty: dtype(), cpp: dtype_named(name)? })
    }

    fn constants(&self) -> Vec<&str> {
        dtypes().map(|(word, _)| word).collect()
    }

    fn functions(&self) -> &[Function] {
        &self.functions
    }

    fn instead_of_comparing(&self, ty: &str) -> Option<&'static str> {
        match ty {
            "Tensor" => Some("compare `sizes(x)`, `dtype(x)` or `dim(x)`"),
            "object" => Some("only `is_none` and `is not None` are possible"),
            _ => None,
        }
    }
}
