//! Signatures: schema strings with the types of this family.
//!
//! Invariant: inputs are tensors and modules; all other parameters are options.

use super::codes;
use super::records::{EntryKind, EntryRecord};
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_kit::expr::Type;
use torchgen_kit::schema::{self, DefaultForm, Presence, Rules, Schema, Suffix, TypeRow, TypeTable, Value};

/// A type of signatures, without suffixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    Tensor,
    Module,
    Int,
    Float,
    Bool,
    Str,
    DType,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) base: Base,
    /// The default as written, without decoding strings.
    pub(super) default: Option<Value>,
    /// The default as in the schema.
    pub(super) default_text: Option<String>,
    /// The type as in the schema.
    pub(super) type_text: String,
    /// The key in options: the name, unless `keys:` changes it.
    pub(super) key: String,
    /// The bytes of the name in the schema.
    pub(super) range: std::ops::Range<usize>,
}

impl Parameter {
    /// Whether it can be omitted.
    pub(super) fn is_optional(&self) -> bool {
        self.default.is_some()
    }

    /// Whether it takes any number of inputs.
    pub(super) fn is_variadic(&self) -> bool {
        matches!(self.ty, Type::List(_)) && matches!(self.base, Base::Tensor | Base::Module)
    }
}

/// A signature.
#[derive(Debug, Clone)]
pub(super) struct Signature {
    pub(super) name: String,
    /// Tensors.
    pub(super) inputs: Vec<Parameter>,
    /// Modules.
    pub(super) modules: Vec<Parameter>,
    /// Parameters after `*`.
    pub(super) options: Vec<Parameter>,
    /// For helpers: all parameters, in order.
    pub(super) parameters: Vec<Parameter>,
    pub(super) results: Vec<(Type, Option<String>)>,
}

/// The type of tensors.
pub(super) fn tensor() -> Type {
    Type::with_name("Tensor")
}

/// The element types, as spelled in bodies and options.
pub(super) const DTYPES: [&str; 18] = [
    "bool_type",
    "half_type",
    "float_type",
    "double_type",
    "uint8_type",
    "int8_type",
    "uint16_type",
    "int16_type",
    "int32_type",
    "int64_type",
    "uint32_type",
    "uint64_type",
    "fp8e4m3fnuz_type",
    "fp8e4m3fn_type",
    "fp8e5m2_type",
    "bf16_type",
    "fp8e5m2fnuz_type",
    "fp4x2_type",
];

/// The type of element types.
pub(super) fn dtype() -> Type {
    Type::with_name("DType")
}

/// The type of modules.
pub(super) fn module() -> Type {
    Type::with_name("Module")
}

fn table() -> TypeTable<Base> {
    let mut table = TypeTable::new();
    let types = DTYPES.iter().map(|name| (*name).to_owned()).collect();
    table.add("Tensor", TypeRow::new(Base::Tensor).suffixes(&["?", "[]"]));
    table.add("Module", TypeRow::new(Base::Module).suffixes(&["[]"]));
    table.add("int", TypeRow::new(Base::Int).default(DefaultForm::INT64));
    table.add("float", TypeRow::new(Base::Float).default(DefaultForm::Float).default(DefaultForm::INT64));
    table.add("bool", TypeRow::new(Base::Bool).default(DefaultForm::Bool));
    table.add("str", TypeRow::new(Base::Str).default(DefaultForm::Str));
    table.add("DType", TypeRow::new(Base::DType).default(DefaultForm::OneOf(types)));
    table.hint("double", "write `float`, which is a double in C++");
    table.hint("string", "write `str`");
    table.hint("Scalar", "write `float` or `int`");
    table.hint("ScalarType", "write `DType`");
    table
}

/// Reads the signature of an entry. Errors go to `diagnostics`.
pub(super) fn read_signature(record: &EntryRecord, diagnostics: &mut Diagnostics) -> Option<Signature> {
    let keyword_only = if record.kind == EntryKind::Helper { Presence::Forbidden } else { Presence::Optional };
    let rules = Rules { overload: Presence::Forbidden, keyword_only, returns: Presence::Required, ..Rules::ANY };
    let text = &record.schema;
    let schema = match schema::parse(text.as_str(), &table(), &rules) {
        Ok(schema) => schema,
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| error.at_text(text)));
            return None;
        }
    };
    let mut wrong = |range: std::ops::Range<usize>, message: String, help: &str| {
        let span = text.sub_span(range);
        diagnostics.push(Diagnostic::new(&codes::BUILDER_SIGNATURE, message).at(span).help(help));
    };
    let mut signature = Signature {
        name: schema.name.value.clone(),
        inputs: Vec::new(),
        modules: Vec::new(),
        options: Vec::new(),
        parameters: Vec::new(),
        results: Vec::new(),
    };
    let mut after_optional = false;
    for parameter in &schema.parameters {
        let base = parameter.ty.kind;
        let key = record.keys.iter().find(|(name, _)| name.as_str() == parameter.name.value);
        let made = Parameter {
            name: parameter.name.value.clone(),
            ty: typed(&parameter.ty.value),
            base,
            default: parameter.default.as_ref().map(|default| default.value.value.clone()),
            default_text: parameter.default.as_ref().map(|default| default.text.clone()),
            type_text: text.as_str()[parameter.ty.range.clone()].to_owned(),
            key: key.map_or_else(|| parameter.name.value.clone(), |(_, key)| key.as_str().to_owned()),
            range: parameter.name.range.clone(),
        };
        let is_input = matches!(base, Base::Tensor | Base::Module);
        let range = parameter.ty.range.clone();
        match record.kind {
            EntryKind::Helper => signature.parameters.push(made),
            _ if parameter.keyword_only && is_input => {
                let message = format!("an option cannot be a `{}`", made.type_text);
                wrong(range, message, "put tensors and modules before `*`");
            }
            _ if parameter.keyword_only => signature.options.push(made),
            _ if !is_input => {
                let message = format!("a `{}` cannot be an input", made.type_text);
                wrong(range, message, "put options after `*`");
            }
            _ if base == Base::Module => signature.modules.push(made),
            _ => {
                if signature.inputs.last().is_some_and(Parameter::is_variadic) {
                    wrong(range, "a parameter follows a list of tensors".to_owned(), "put the list last");
                } else if made.is_variadic() && after_optional {
                    wrong(range, "a list of tensors follows an optional input".to_owned(), "make the input required");
                } else if matches!(made.ty, Type::Optional(_)) && made.default.is_none() {
                    wrong(range, format!("`{}` needs `=None`", made.name), "the default of an optional input is None");
                } else if after_optional && !made.is_optional() {
                    wrong(
                        range,
                        format!("`{}` follows an optional input", made.name),
                        "give it the type `Tensor?` and `=None`",
                    );
                }
                after_optional |= made.is_optional();
                signature.inputs.push(made);
            }
        }
    }
    for (name, _) in &record.keys {
        if !signature.options.iter().any(|option| option.name == name.as_str()) {
            let message = format!("`keys` names `{name}`, which is not an option");
            diagnostics.push(Diagnostic::new(&codes::BUILDER_SIGNATURE, message).at(name.span()));
        }
    }
    for result in schema.results() {
        let ty = typed(&result.ty.value);
        let fits = record.kind == EntryKind::Helper || ty == tensor() || ty == tensor().list();
        if !fits {
            let message = format!("a result must be a tensor, not a `{ty}`");
            let span = text.sub_span(result.ty.range.clone());
            diagnostics.push(Diagnostic::new(&codes::BUILDER_SIGNATURE, message).at(span));
        }
        signature.results.push((ty, result.name.as_ref().map(|name| name.value.clone())));
    }
    results(record, &schema, &signature, diagnostics);
    Some(signature)
}

/// Checks the number of results.
fn results(record: &EntryRecord, schema: &Schema<Base>, signature: &Signature, diagnostics: &mut Diagnostics) {
    let several = signature.results.len() > 1;
    let lists = signature.results.iter().any(|(ty, _)| matches!(ty, Type::List(_)));
    let message = match record.kind {
        EntryKind::Helper if signature.results.len() != 1 => "a helper must have one result",
        EntryKind::Operator if signature.results.len() != 1 => "an operator must have one result",
        EntryKind::Builder if signature.results.is_empty() => "a builder must have a result",
        EntryKind::Builder if several && lists => "a list of tensors must be the only result",
        _ => return,
    };
    let span = record.schema.sub_span(schema.name.range.clone());
    diagnostics.push(Diagnostic::new(&codes::BUILDER_SIGNATURE, message).at(span));
}

/// The type with its suffixes.
fn typed(ty: &schema::Type<Base>) -> Type {
    let base = match ty.kind {
        Base::Tensor => tensor(),
        Base::Module => module(),
        Base::DType => dtype(),
        Base::Int => Type::Int,
        Base::Float => Type::Float,
        Base::Bool => Type::Bool,
        Base::Str => Type::Str,
    };
    ty.suffixes.iter().fold(base, |inner, suffix| match suffix.value {
        Suffix::Optional => inner.optional(),
        Suffix::List(_) => inner.list(),
    })
}
