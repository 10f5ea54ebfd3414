//! Function schemas: `name.overload(arguments) -> returns`, as data.
//!
//! Invariant: `Display` prints exactly the text that a schema was parsed from. Rule:
//! torchgen/model.py, `FunctionSchema` and below.

use std::fmt::{self, Write as _};

use super::name::OperatorName;
use super::types::{Annotation, Type, write_all, write_joined};

/// One argument of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Argument {
    /// Its name in C++.
    pub name: String,
    /// Its type, without the annotation.
    pub ty: Type,
    /// The default as written.
    pub default: Option<String>,
    /// The alias annotation of its tensor.
    pub annotation: Option<Annotation>,
    /// Its name in the schema, if C++ cannot use it: a keyword, a duplicate, or a name that the
    /// generated code uses.
    pub schema_name: Option<String>,
    /// Written in c10's grammar, as in a library. Then a mutable optional tensor is a const
    /// reference, because the dispatcher passes no other, and words in defaults have their c10
    /// meaning.
    pub by_c10: bool,
}

/// One return of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Return {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its name in C++, if C++ cannot use that of the schema.
    pub cpp_name: Option<String>,
    /// Its type, without the annotation.
    pub ty: Type,
    /// The alias annotation of its tensor.
    pub annotation: Option<Annotation>,
    /// C++ returns its strings as owning ones, as in a library. In PyTorch's own file they are
    /// views of strings, which a kernel would have to keep.
    pub owns_strings: bool,
    /// It is a mutable argument that C++ returns by value: neither that of an inplace operator nor
    /// an out argument. Other returns may be new. A library's operators can have such returns.
    pub given_back: bool,
}

/// The four arguments for a `TensorOptions` in C++.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TensorOptionsArguments {
    /// `ScalarType? dtype`
    pub dtype: Argument,
    /// `Layout? layout`
    pub layout: Argument,
    /// `Device? device`
    pub device: Argument,
    /// `bool? pin_memory`
    pub pin_memory: Argument,
}

/// The arguments of a schema, sorted by role.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Arguments {
    /// Positional arguments before `self` (as in `where.self`).
    pub pre_self_positional: Vec<Argument>,
    /// The argument named `self`.
    pub self_arg: Option<Argument>,
    /// Positional arguments after `self`, or all of them if there is no `self`.
    pub post_self_positional: Vec<Argument>,
    /// Keyword-only arguments before the tensor options.
    pub pre_tensor_options_kwarg_only: Vec<Argument>,
    /// The tensor options.
    pub tensor_options: Option<TensorOptionsArguments>,
    /// Keyword-only arguments after the tensor options.
    pub post_tensor_options_kwarg_only: Vec<Argument>,
    /// Mutable keyword-only arguments.
    pub out: Vec<Argument>,
}

/// An argument in C++ APIs: tensor options may be gathered into one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgumentRef<'a> {
    /// A plain argument.
    Arg(&'a Argument),
    /// The argument named `self`.
    SelfArg(&'a Argument),
    /// The tensor options, gathered.
    TensorOptions(&'a TensorOptionsArguments),
}

/// A whole schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionSchema {
    /// Name and overload.
    pub name: OperatorName,
    /// Arguments by role.
    pub arguments: Arguments,
    /// Returns in order.
    pub returns: Vec<Return>,
}

/// The kind of variant that a schema is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SchemaKind {
    /// Returns fresh outputs.
    Functional,
    /// Mutates `self`.
    Inplace,
    /// Mutates keyword-only out arguments.
    Out,
    /// Mutates arguments that are neither `self` of an inplace operator nor out arguments.
    Mutable,
    /// An out variant with `_scratch_` arguments.
    Scratch,
}

impl Argument {
    /// A plain argument without default.
    pub fn new(name: impl Into<String>, ty: Type) -> Argument {
        Argument { name: name.into(), ty, default: None, annotation: None, schema_name: None, by_c10: false }
    }

    /// Its name in the schema.
    pub fn schema_name(&self) -> &str {
        self.schema_name.as_deref().unwrap_or(&self.name)
    }

    /// Whether the operator mutates it. Only tensors can be mutable, although c10 allows the
    /// annotation for other types.
    pub fn is_write(&self) -> bool {
        self.annotation.as_ref().is_some_and(|annotation| annotation.is_write) && self.ty.is_tensor_like()
    }

    /// Whether C++ gets a mutable reference.
    pub fn is_mutable_reference(&self) -> bool {
        self.is_write() && !(self.by_c10 && matches!(self.ty, Type::Optional(_)))
    }

    /// Whether it is scratch memory of the kernel: an out argument with the reserved prefix.
    pub(crate) fn is_scratch(&self) -> bool {
        self.name.starts_with("_scratch_")
    }
}

impl Return {
    /// Its name in C++, if it has one.
    pub fn cpp_name(&self) -> Option<&str> {
        self.cpp_name.as_deref().or(self.name.as_deref())
    }

    /// Whether it is the mutable argument of an inplace operator or an out argument, which C++
    /// returns by reference.
    pub fn is_write(&self) -> bool {
        !self.given_back && self.annotation.as_ref().is_some_and(|annotation| annotation.is_write)
    }
}

impl TensorOptionsArguments {
    /// The four in their order.
    pub fn all(&self) -> [&Argument; 4] {
        [&self.dtype, &self.layout, &self.device, &self.pin_memory]
    }
}

impl<'a> ArgumentRef<'a> {
    /// The argument, unless it is the tensor options.
    pub fn argument(self) -> Option<&'a Argument> {
        match self {
            ArgumentRef::Arg(argument) | ArgumentRef::SelfArg(argument) => Some(argument),
            ArgumentRef::TensorOptions(_) => None,
        }
    }
}

impl FunctionSchema {
    /// Whether any argument is mutable. Agrees with c10's own schemas.
    pub fn is_mutable(&self) -> bool {
        self.arguments.flat_all().any(Argument::is_write)
    }

    /// Every argument as written in the schema.
    pub fn schema_order_arguments(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.arguments.flat_all()
    }

    /// The tensors among the arguments, lists of them and those that can be None too, as written in
    /// the schema.
    pub fn tensor_arguments(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.schema_order_arguments().filter(|argument| argument.ty.is_tensor_like())
    }

    /// Whether the overload marks the functional counterpart of a mutable operator.
    pub fn is_functional_fn(&self) -> bool {
        self.name.overload_name.contains("functional")
    }

    /// Whether it has out arguments.
    pub fn is_out_fn(&self) -> bool {
        !self.arguments.out.is_empty()
    }

    /// The kind of variant. Inplace and out take precedence over other mutable arguments; checks
    /// rule out both at once.
    ///
    /// Rule: torchgen/model.py, `FunctionSchema.kind`.
    pub fn kind(&self) -> SchemaKind {
        if self.name.name.inplace {
            SchemaKind::Inplace
        } else if self.arguments.out.iter().any(Argument::is_scratch) {
            SchemaKind::Scratch
        } else if self.is_out_fn() {
            SchemaKind::Out
        } else if self.arguments.post_self_mutable().next().is_some() {
            SchemaKind::Mutable
        } else {
            SchemaKind::Functional
        }
    }

    /// The arguments with the same annotation as the return. More than one is an error wherever a
    /// single name is needed.
    pub fn aliased_arguments<'a>(&'a self, ret: &'a Return) -> impl Iterator<Item = &'a Argument> {
        self.arguments
            .flat_all()
            .filter(|argument| argument.annotation.is_some() && argument.annotation == ret.annotation)
    }

    /// The argument that the operator mutates and that the return is.
    pub fn mutated_argument<'a>(&'a self, ret: &'a Return) -> Option<&'a Argument> {
        self.aliased_arguments(ret).find(|argument| argument.is_write())
    }

    /// The arguments that a return may be a view of: those with one of its alias sets, whatever the
    /// set is afterwards, as in `Tensor(a -> *) self`, of which `Tensor(a)[]` is a list of views.
    pub fn viewed_arguments<'a>(&'a self, ret: &'a Return) -> impl Iterator<Item = &'a Argument> {
        let sets = ret.annotation.as_ref().map_or(&[] as &[String], |annotation| &annotation.alias_set);
        self.arguments.flat_all().filter(move |argument| {
            argument.annotation.as_ref().is_some_and(|own| own.alias_set.iter().any(|set| sets.contains(set)))
        })
    }

    /// For each return, the name of the argument that it aliases, or the first of several; see
    /// [`Self::aliased_arguments`].
    ///
    /// Rule: torchgen/model.py, `FunctionSchema.aliased_return_names`.
    pub fn aliased_return_names(&self) -> Vec<Option<&str>> {
        self.returns
            .iter()
            .map(|ret| self.aliased_arguments(ret).next().map(|argument| argument.name.as_str()))
            .collect()
    }

    /// The same schema under another name.
    #[must_use]
    pub fn with_name(&self, name: OperatorName) -> FunctionSchema {
        FunctionSchema { name, arguments: self.arguments.clone(), returns: self.returns.clone() }
    }

    /// Whether an argument that is not an out argument is symbolic.
    pub fn has_symint(&self) -> bool {
        self.arguments.has_symint_arg()
    }
}

impl SchemaKind {
    /// Its name in the reference.
    pub fn as_str(self) -> &'static str {
        match self {
            SchemaKind::Functional => "functional",
            SchemaKind::Inplace => "inplace",
            SchemaKind::Out => "out",
            SchemaKind::Mutable => "mutable",
            SchemaKind::Scratch => "scratch",
        }
    }
}

impl fmt::Display for SchemaKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ty.annotated(self.annotation.as_ref()).fmt(f)?;
        f.write_str(" ")?;
        f.write_str(self.schema_name())?;
        match &self.default {
            Some(default) => write_all(f, ["=", default]),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Return {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.ty.annotated(self.annotation.as_ref()).fmt(f)?;
        match &self.name {
            Some(name) => write_all(f, [" ", name]),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, self.flat_positional(), ", ")?;
        let mut keywords = self.flat_kwarg_only().chain(&self.out).peekable();
        if keywords.peek().is_some() {
            f.write_str(if self.flat_positional().next().is_some() { ", *, " } else { "*, " })?;
        }
        write_joined(f, keywords, ", ")
    }
}

impl FunctionSchema {
    /// Its text, as it is displayed. Most have room in what is allocated at once.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(192);
        // Writing to a string cannot fail.
        let _ = write!(text, "{self}");
        text.shrink_to_fit();
        text
    }
}

impl fmt::Display for FunctionSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        f.write_str("(")?;
        self.arguments.fmt(f)?;
        f.write_str(") -> ")?;
        match self.returns.as_slice() {
            [one] => one.fmt(f),
            returns => {
                f.write_str("(")?;
                write_joined(f, returns, ", ")?;
                f.write_str(")")
            }
        }
    }
}
