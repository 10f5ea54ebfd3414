//! The types that fields can have, and their spelling in C++.
//!
//! Invariant: a type has one C++ spelling for fields and one for parameters.

pub(crate) use torchgen_base::lang::cpp::string_literal as cpp_string;
use torchgen_kit::schema::{Default, DefaultForm, Suffix, Type, TypeRow, TypeTable, Value};

/// What the table knows of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SchemaTypeKind {
    /// Any expression.
    Expr,
    /// Any statement.
    Stmt,
    /// A node of this kind or base.
    Node(String),
    /// A data type.
    Dtype,
    /// `std::string`
    Str,
    /// `int`
    Int,
    /// `int64_t`
    Int64,
    /// `float`
    Float,
    /// `bool`
    Bool,
    /// A function.
    Func,
    /// A function, or an expression that points to one.
    Callee,
    /// The bits of a literal.
    Scalar,
    /// Values by name.
    Attrs,
    /// Bytes.
    Data,
    /// An unsigned literal that becomes an expression; for intrinsics.
    Index,
    /// An enumeration.
    Enum(String),
    /// The enumeration of intrinsics.
    Intrinsic,
    /// A plain record of this name.
    Struct(String),
    /// A type of the user's: its name.
    User(String),
}

/// How often it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Many {
    /// Once.
    One,
    /// Once or not at all.
    Optional,
    /// Any number of times.
    List,
}

/// The type of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldType {
    pub(crate) kind: SchemaTypeKind,
    pub(crate) many: Many,
}

const NOTHING: &[&str] = &[];
const POINTER: &[&str] = &["?", "[]"];
const LIST: &[&str] = &["[]"];
const OPTIONAL: &[&str] = &["?"];

/// The table of the types that every IR has; enumerations, records, node names and the user's types
/// come on top.
pub(crate) fn builtin() -> TypeTable<SchemaTypeKind> {
    let mut table = TypeTable::new();
    let word = |word: &str| DefaultForm::OneOf(vec![word.to_owned()]);
    table.add("expr", TypeRow::new(SchemaTypeKind::Expr).suffixes(POINTER).list_default(word(DENSE)));
    table.add("stmt", TypeRow::new(SchemaTypeKind::Stmt).suffixes(POINTER));
    let dtypes = DefaultForm::OneOf(DTYPES.iter().map(|(name, _)| (*name).to_owned()).collect());
    table.add("dtype", TypeRow::new(SchemaTypeKind::Dtype).suffixes(LIST).default(dtypes));
    table.add("str", TypeRow::new(SchemaTypeKind::Str).suffixes(LIST).default(DefaultForm::Str));
    table.add("int", TypeRow::new(SchemaTypeKind::Int).suffixes(LIST).default(DefaultForm::INT32));
    table.add("int64", TypeRow::new(SchemaTypeKind::Int64).suffixes(LIST).default(DefaultForm::INT64));
    table.add("float", TypeRow::new(SchemaTypeKind::Float).suffixes(LIST).default(DefaultForm::Float));
    table.add("bool", TypeRow::new(SchemaTypeKind::Bool).suffixes(NOTHING).default(DefaultForm::Bool));
    table.add("func", TypeRow::new(SchemaTypeKind::Func).suffixes(OPTIONAL));
    table.add("callee", TypeRow::new(SchemaTypeKind::Callee).suffixes(NOTHING));
    table.add("scalar", TypeRow::new(SchemaTypeKind::Scalar).suffixes(LIST));
    table.add("attrs", TypeRow::new(SchemaTypeKind::Attrs).suffixes(NOTHING));
    table.add("data", TypeRow::new(SchemaTypeKind::Data).suffixes(OPTIONAL));
    table.add("index", TypeRow::new(SchemaTypeKind::Index).suffixes(NOTHING));
    table.add("intrin_type", TypeRow::new(SchemaTypeKind::Intrinsic).suffixes(NOTHING));
    table.hint("Expr", "write `expr`");
    table.hint("Stmt", "write `stmt`");
    table.hint("string", "write `str`");
    table.hint("int32", "write `int`");
    table.hint("double", "write `float`");
    table.hint("type", "write `dtype`");
    table
}

/// The suffixes of node names, enumerations and records.
pub(crate) fn suffixes(kind: &SchemaTypeKind) -> &'static [&'static str] {
    match kind {
        SchemaTypeKind::Node(_) => POINTER,
        SchemaTypeKind::Struct(_) | SchemaTypeKind::User(_) => LIST,
        _ => NOTHING,
    }
}

/// The default of a list that says: what a tensor without gaps has.
pub(crate) const DENSE: &str = "dense";

/// The data types by the names that rules use, and by those that C++ has.
pub(crate) const DTYPES: &[(&str, &str)] = &[
    ("undef", "undef"),
    ("f16", "f16"),
    ("bf16", "bf16"),
    ("f32", "f32"),
    ("s8", "s8"),
    ("u8", "u8"),
    ("u16", "u16"),
    ("s32", "s32"),
    ("u32", "u32"),
    ("index", "index"),
    ("boolean", "boolean"),
    ("bool", "boolean"),
    ("generic", "generic"),
    ("pointer", "pointer"),
    ("void", "void_t"),
];

/// The C++ name of a data type in `datatypes`, if there is one of that name.
pub(crate) fn dtype_name(name: &str) -> Option<&'static str> {
    DTYPES.iter().find(|(known, _)| *known == name).map(|(_, cpp)| *cpp)
}

impl FieldType {
    /// The field's type, from a schema's.
    pub(crate) fn from_schema_type(ty: &Type<SchemaTypeKind>) -> FieldType {
        let many = match ty.suffixes.last().map(|suffix| suffix.value) {
            Some(Suffix::Optional) => Many::Optional,
            Some(Suffix::List(_)) => Many::List,
            None => Many::One,
        };
        FieldType { kind: ty.kind.clone(), many }
    }

    /// Whether visitors go into it.
    pub(crate) fn is_child(&self) -> bool {
        matches!(
            self.kind,
            SchemaTypeKind::Expr
                | SchemaTypeKind::Stmt
                | SchemaTypeKind::Node(_)
                | SchemaTypeKind::Callee
                | SchemaTypeKind::Struct(_)
        )
    }

    /// Whether it is one pointer to a node, there or not.
    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self.kind, SchemaTypeKind::Expr | SchemaTypeKind::Stmt | SchemaTypeKind::Node(_))
            && self.many != Many::List
    }

    /// The C++ type of one element.
    fn element(&self, spelled: impl Fn(&str) -> String) -> String {
        match &self.kind {
            SchemaTypeKind::Expr => "expr".to_owned(),
            SchemaTypeKind::Stmt => "stmt".to_owned(),
            SchemaTypeKind::Dtype => "sc_data_type_t".to_owned(),
            SchemaTypeKind::Str => "std::string".to_owned(),
            SchemaTypeKind::Int => "int".to_owned(),
            SchemaTypeKind::Int64 => "int64_t".to_owned(),
            SchemaTypeKind::Float => "float".to_owned(),
            SchemaTypeKind::Bool => "bool".to_owned(),
            SchemaTypeKind::Func => "func_t".to_owned(),
            SchemaTypeKind::Callee => "std::shared_ptr<node_base>".to_owned(),
            SchemaTypeKind::Scalar => "union_val".to_owned(),
            SchemaTypeKind::Attrs => "std::unique_ptr<any_map_t>".to_owned(),
            SchemaTypeKind::Data => "std::shared_ptr<static_data_t>".to_owned(),
            SchemaTypeKind::Index => "uint64_t".to_owned(),
            SchemaTypeKind::Intrinsic => "intrin_type".to_owned(),
            SchemaTypeKind::Node(name)
            | SchemaTypeKind::Enum(name)
            | SchemaTypeKind::Struct(name)
            | SchemaTypeKind::User(name) => spelled(name),
        }
    }

    /// The C++ type of the field.
    pub(crate) fn field(&self, spelled: impl Fn(&str) -> String) -> String {
        let element = self.element(spelled);
        if self.many == Many::List { format!("std::vector<{element}>") } else { element }
    }

    /// The C++ type of a constructor's parameter, which the constructor moves from.
    pub(crate) fn param(&self, spelled: impl Fn(&str) -> String) -> String {
        if self.kind == SchemaTypeKind::Attrs { "const any_map_t &".to_owned() } else { self.field(spelled) }
    }

    /// The C++ type of a builder's parameter.
    pub(crate) fn builder(&self, spelled: impl Fn(&str) -> String) -> String {
        match (&self.kind, self.many) {
            (SchemaTypeKind::Expr, Many::List) => "const std::vector<expr> &".to_owned(),
            (SchemaTypeKind::Stmt, Many::List) => "const std::vector<stmt_c> &".to_owned(),
            (SchemaTypeKind::Expr, _) => "const expr_c &".to_owned(),
            (SchemaTypeKind::Stmt, _) => "const stmt_c &".to_owned(),
            (SchemaTypeKind::Node(name), Many::One | Many::Optional) => format!("const {}_c &", spelled(name)),
            (SchemaTypeKind::Str, Many::One) => "const std::string &".to_owned(),
            (SchemaTypeKind::Attrs, _) => "const any_map_t &".to_owned(),
            (
                SchemaTypeKind::Int
                | SchemaTypeKind::Int64
                | SchemaTypeKind::Float
                | SchemaTypeKind::Bool
                | SchemaTypeKind::Dtype
                | SchemaTypeKind::Index,
                Many::One,
            )
            | (
                SchemaTypeKind::Enum(_)
                | SchemaTypeKind::Intrinsic
                | SchemaTypeKind::Func
                | SchemaTypeKind::Callee
                | SchemaTypeKind::Data,
                _,
            ) => self.element(spelled),
            _ => format!("const {} &", self.field(spelled)),
        }
    }

    /// Whether moving a parameter of this type saves work.
    pub(crate) fn is_moved(&self) -> bool {
        let small = matches!(
            self.kind,
            SchemaTypeKind::Dtype
                | SchemaTypeKind::Int
                | SchemaTypeKind::Int64
                | SchemaTypeKind::Float
                | SchemaTypeKind::Bool
                | SchemaTypeKind::Index
                | SchemaTypeKind::Intrinsic
                | SchemaTypeKind::Enum(_)
                | SchemaTypeKind::Scalar
                | SchemaTypeKind::Attrs
        );
        self.many == Many::List || !small
    }

    /// A default of a builder's parameter as a C++ expression.
    pub(crate) fn builder_default(&self, default: &Default, spelled: impl Fn(&str) -> String) -> String {
        match (&self.kind, &default.value) {
            (SchemaTypeKind::Expr, Value::None) => "expr_c()".to_owned(),
            (SchemaTypeKind::Stmt, Value::None) => "stmt_c()".to_owned(),
            (SchemaTypeKind::Node(name), Value::None) => format!("{}_c()", spelled(name)),
            _ => self.default(default, spelled),
        }
    }

    /// A default as a C++ expression.
    pub(crate) fn default(&self, default: &Default, spelled: impl Fn(&str) -> String) -> String {
        match &default.value {
            Value::None => match self.kind {
                SchemaTypeKind::Data => "nullptr".to_owned(),
                _ => format!("{}()", self.element(spelled)),
            },
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) if value.is_nan() => "std::numeric_limits<float>::quiet_NaN()".to_owned(),
            Value::Float(value) if value.is_infinite() && *value > 0.0 => {
                "std::numeric_limits<float>::infinity()".to_owned()
            }
            Value::Float(value) if value.is_infinite() => "-std::numeric_limits<float>::infinity()".to_owned(),
            Value::Float(value) => format!("{value:?}f"),
            Value::Str(text) => cpp_string(text),
            Value::Word(word) if word == DENSE => format!("{}()", self.field(spelled)),
            Value::Word(word) => match &self.kind {
                SchemaTypeKind::Dtype => format!("datatypes::{}", dtype_name(word).unwrap_or("undef")),
                SchemaTypeKind::Enum(name) => format!("{}::{word}", spelled(name)),
                _ => word.clone(),
            },
            Value::List(_) => format!("{}()", self.field(spelled)),
        }
    }
}

/// A type as schemas write it.
pub(crate) fn spelling(ty: &Type<SchemaTypeKind>) -> String {
    let mut text = ty.name.to_string();
    for suffix in &ty.suffixes {
        match suffix.value {
            Suffix::Optional => text.push('?'),
            Suffix::List(_) => text.push_str("[]"),
        }
    }
    text
}
