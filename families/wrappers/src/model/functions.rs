//! The functions of the backend's graph API.
//!
//! Invariant: every parameter has a kind that wrappers can pass, and names are distinct.

use std::sync::LazyLock;

use crate::codes;
use crate::records::FunctionRecord;
use crate::types::{TypeSuffixes, form, kind};
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_base::lang::cpp::{is_keyword, is_macro};
use torchgen_base::yaml::Text;
use torchgen_kit::schema::{self, DefaultForm, Rules, Suffix, TypeRow, TypeTable};
use torchgen_model::model::{BaseTy, Type};

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParameterType {
    /// A node of the graph.
    Node,
    /// A node, or nothing.
    OptionalNode,
    /// A list of nodes.
    NodeList,
    /// A number that becomes a constant of the graph.
    Const,
    /// An integer that does.
    ConstInt,
    Int,
    Float,
    Bool,
    /// A list of integers.
    Shape,
    Str,
    Dtype,
}

/// What becomes of an argument. The words are those of torch_spyre.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    PrimaryInput,
    PrimaryInputList,
    /// A number that becomes a tensor without dimensions.
    PrimaryInputScalar,
    ConstInput,
    ByPass,
    Int,
    Float,
    TensorShape,
    /// It has the value that the entry gives.
    Default,
    /// The function does not take it.
    Ignore,
}

impl Class {
    /// Its name in GeneratedDeclarations.yaml.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Class::PrimaryInput => "PrimaryInput",
            Class::PrimaryInputList => "PrimaryInputList",
            Class::PrimaryInputScalar => "PrimaryInputScalar",
            Class::ConstInput => "ConstInput",
            Class::ByPass => "ByPass",
            Class::Int => "int",
            Class::Float => "float",
            Class::TensorShape => "TensorShape",
            Class::Default => "Default",
            Class::Ignore => "Ignore",
        }
    }
}

impl ParameterType {
    /// The class of an argument that the parameter can take.
    pub(crate) fn class_of(self, ty: &Type) -> Option<Class> {
        let (form, _) = form(ty);
        let single = matches!(form, TypeSuffixes::Plain | TypeSuffixes::Optional);
        let is_int = matches!(kind(ty), BaseTy::Int | BaseTy::SymInt);
        match (self, kind(ty)) {
            (ParameterType::Node | ParameterType::OptionalNode, BaseTy::Tensor) if single => Some(Class::PrimaryInput),
            (ParameterType::Node, BaseTy::Scalar | BaseTy::Float) if single => Some(Class::PrimaryInputScalar),
            (ParameterType::NodeList, BaseTy::Tensor) if form == TypeSuffixes::List => Some(Class::PrimaryInputList),
            (
                ParameterType::Const | ParameterType::ConstInt,
                BaseTy::Int | BaseTy::SymInt | BaseTy::Scalar | BaseTy::Float | BaseTy::Bool,
            ) if single => Some(Class::ConstInput),
            (ParameterType::Int, BaseTy::Scalar) if single => Some(Class::Int),
            (ParameterType::Int, _) if is_int && single => Some(Class::ByPass),
            (ParameterType::Float, BaseTy::Scalar | BaseTy::Float) if single => Some(Class::Float),
            (ParameterType::Bool, BaseTy::Bool)
            | (ParameterType::Str, BaseTy::Str)
            | (ParameterType::Dtype, BaseTy::ScalarType)
                if single =>
            {
                Some(Class::ByPass)
            }
            (ParameterType::Shape, _) if is_int && form != TypeSuffixes::ListOfOptional => Some(Class::TensorShape),
            _ => None,
        }
    }

    /// Its type in the schema of a function.
    pub(crate) fn schema_type(self) -> &'static str {
        match self {
            ParameterType::Node => "Tensor",
            ParameterType::OptionalNode => "Tensor?",
            ParameterType::NodeList => "Tensor[]",
            ParameterType::Const | ParameterType::ConstInt => "const",
            ParameterType::Int => "int",
            ParameterType::Float => "float",
            ParameterType::Bool => "bool",
            ParameterType::Shape => "shape",
            ParameterType::Str => "str",
            ParameterType::Dtype => "dtype",
        }
    }

    /// The C++ type of the parameter in the graph API.
    pub(crate) fn cpp_type(self) -> &'static str {
        match self {
            ParameterType::Node | ParameterType::Const | ParameterType::ConstInt => "Node",
            ParameterType::OptionalNode => "std::optional<Node>",
            ParameterType::NodeList => "std::vector<Node>",
            ParameterType::Int => "std::int64_t",
            ParameterType::Float => "double",
            ParameterType::Bool => "bool",
            ParameterType::Shape => "std::vector<std::int64_t>",
            ParameterType::Str => "std::string",
            ParameterType::Dtype => "at::ScalarType",
        }
    }

    /// The type in the expression language of values that entries give; `None` for nodes.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            ParameterType::Node | ParameterType::OptionalNode => "a tensor",
            ParameterType::NodeList => "a list of tensors",
            ParameterType::Const | ParameterType::ConstInt => "a number",
            ParameterType::Int => "an integer",
            ParameterType::Float => "a number",
            ParameterType::Bool => "`true` or `false`",
            ParameterType::Shape => "a list of integers, or `all`",
            ParameterType::Str => "a string",
            ParameterType::Dtype => "a type such as `float32`",
        }
    }
}

/// A parameter.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) taken: ParameterType,
}

/// A function.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    /// The names of the tensors that it returns, if they have any.
    pub(crate) results: Vec<Option<String>>,
    pub(crate) cpu: Option<String>,
    pub(crate) doc: Option<String>,
    /// Its schema, as written.
    pub(crate) text: Text,
}

static TYPES: LazyLock<TypeTable<Option<ParameterType>>> = LazyLock::new(|| {
    let mut types = TypeTable::new();
    types.add("Tensor", TypeRow::new(None).suffixes(&["[]", "?"]));
    types.add("const int", TypeRow::new(Some(ParameterType::ConstInt)).suffixes(&[]));
    types.add("const float", TypeRow::new(Some(ParameterType::Const)).suffixes(&[]));
    types.add("int", TypeRow::new(Some(ParameterType::Int)).suffixes(&["[]"]).default(DefaultForm::INT64));
    types.add("float", TypeRow::new(Some(ParameterType::Float)).suffixes(&[]));
    types.add("bool", TypeRow::new(Some(ParameterType::Bool)).suffixes(&[]));
    types.add("shape", TypeRow::new(Some(ParameterType::Shape)).suffixes(&[]));
    types.add("str", TypeRow::new(Some(ParameterType::Str)).suffixes(&[]));
    types.add("dtype", TypeRow::new(Some(ParameterType::Dtype)).suffixes(&[]));
    types.hint("Scalar", "write `float`, or `Tensor` to get it as a tensor without dimensions");
    types.hint("double", "write `float`");
    types.hint("ScalarType", "write `dtype`");
    types
});

/// The functions of records. Errors are diagnostics.
pub(crate) fn read_functions(records: &[FunctionRecord], diagnostics: &mut Diagnostics) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    for record in records {
        let Some(function) = function(record, diagnostics) else { continue };
        let kinds = |f: &Function| f.parameters.iter().map(|p| p.taken.cpp_type()).collect::<Vec<_>>();
        let first = functions.iter().find(|other| other.name == function.name && kinds(other) == kinds(&function));
        match first {
            Some(first) => {
                let message = format!("`{}` is declared twice with these parameters", function.name);
                let diagnostic = Diagnostic::new(&codes::WRAPPER_FUNCTION, message).at(function.text.span());
                diagnostics.push(diagnostic.also(first.text.span(), "first declared here"));
            }
            None => functions.push(function),
        }
    }
    functions
}

/// Names that methods of the graph builder cannot have, since its mock uses them. Parameters can:
/// the mock spells its own names in full where parameters are in scope.
const MOCKS_OWN: [&str; 17] = [
    "ConstInput",
    "Executable",
    "Function",
    "GraphBuilder",
    "Node",
    "PrimaryInput",
    "PrimaryOutput",
    "Steps",
    "TensorInfo",
    "Values",
    "count_",
    "inputs_",
    "load",
    "outputs_",
    "step",
    "steps_",
    "tensors",
];

/// Whether a name is for the compiler, or begins as macros of PyTorch's headers.
fn is_for_macros(name: &str) -> bool {
    let hidden = |rest: &str| rest.starts_with(|c: char| c == '_' || c.is_ascii_uppercase());
    name.strip_prefix('_').is_some_and(hidden)
        || ["AT_", "C10_", "CAFFE2_", "TORCH_"].iter().any(|start| name.starts_with(start))
}

/// Reports names that C++ or the mock of the graph API reserves.
fn reserved_names(
    record: &FunctionRecord,
    parsed: &schema::Schema<Option<ParameterType>>,
    diagnostics: &mut Diagnostics,
) {
    let mut check = |name: &str, is_mocks: bool, range: std::ops::Range<usize>| {
        let owner = match name {
            _ if is_keyword(name) => "C++",
            _ if is_macro(name) || is_for_macros(name) => "a macro of C++",
            _ if is_mocks => "generated code",
            _ => return,
        };
        let message = format!("`{name}` is a name of {owner}");
        let diagnostic = Diagnostic::new(&codes::WRAPPER_FUNCTION, message).at(record.schema.sub_span(range));
        diagnostics.push(diagnostic.help("choose another name"));
    };
    let method = &parsed.name;
    check(&method.value, MOCKS_OWN.contains(&method.value.as_str()), method.range.clone());
    for parameter in parsed.parameters.iter().map(|parameter| &parameter.name) {
        check(&parameter.value, parameter.value.ends_with("_given"), parameter.range.clone());
    }
}

fn function(record: &FunctionRecord, diagnostics: &mut Diagnostics) -> Option<Function> {
    let text = &record.schema;
    let rules =
        Rules { overload: schema::Presence::Forbidden, keyword_only: schema::Presence::Forbidden, ..Rules::ANY };
    let parsed = match schema::parse(text.as_str(), &TYPES, &rules) {
        Ok(parsed) => parsed,
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| error.at_text(text)));
            return None;
        }
    };
    reserved_names(record, &parsed, diagnostics);
    let mut wrong = |range, message: &str, help: &str| {
        diagnostics.push(Diagnostic::new(&codes::WRAPPER_FUNCTION, message).at(text.sub_span(range)).help(help));
    };
    let results = parsed.results();
    for result in results {
        if result.ty.kind.is_some() || !result.ty.suffixes.is_empty() {
            wrong(
                result.range.clone(),
                "a function of the backend returns tensors",
                "write `-> Tensor` or `-> (Tensor, Tensor)`",
            );
            return None;
        }
    }
    if results.is_empty() {
        wrong(parsed.name.range.clone(), "a function of the backend must return a tensor", "add `-> Tensor`");
        return None;
    }
    let parameters = parsed.parameters.iter().map(|parameter| {
        let suffix = parameter.ty.suffixes.first().map(|suffix| suffix.value);
        let taken = match (parameter.ty.kind, suffix) {
            (None, Some(Suffix::Optional)) => ParameterType::OptionalNode,
            (None, Some(Suffix::List(_))) => ParameterType::NodeList,
            (None, None) => ParameterType::Node,
            (Some(_), Some(_)) => ParameterType::Shape,
            (Some(taken), None) => taken,
        };
        Parameter { name: parameter.name.value.clone(), taken }
    });
    Some(Function {
        name: parsed.name.value.clone(),
        parameters: parameters.collect(),
        results: results.iter().map(|result| result.name.as_ref().map(|name| name.value.clone())).collect(),
        cpu: record.cpu.as_ref().map(|cpu| cpu.as_str().trim().to_owned()),
        doc: record.doc.as_ref().map(|doc| doc.as_str().trim().to_owned()),
        text: text.clone(),
    })
}
