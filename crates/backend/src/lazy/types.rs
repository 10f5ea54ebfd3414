//! The arguments of an operator in a node: tensors and numbers become values of the graph,
//! everything else is stored unchanged.
//!
//! Invariant: a type here is an owning one. Rule: torchgen/api/lazy.py, `process_ir_type`,
//! `isValueType` and their neighbours.

use torchgen_api::error::{ApiError, Result};
use torchgen_api::{BaseCppType, CType, CTypeKind};
use torchgen_model::codes;
use torchgen_model::model::{Argument, BaseTy, Type};

/// The name of the type of tensor lists, whatever the name of the type of values.
const TENSOR_LIST: &str = "torch::lazy::Value";

/// An argument of a node.
#[derive(Debug, Clone)]
pub(super) struct LazyArgument<'a> {
    pub(super) argument: &'a Argument,
    /// Its type in C++.
    pub(super) ty: CType,
    /// It is a list of tensors, which is one value.
    pub(super) is_tensor_list: bool,
    /// It is a number that becomes a value.
    pub(super) is_wrapped_scalar: bool,
    /// It is a random number generator, or may be one.
    pub(super) is_generator: bool,
    /// It is a symbolic size, or may be one; lists of them are not.
    pub(super) is_symint: bool,
    /// The kernel takes symbolic sizes.
    pub(super) symint: bool,
    /// It is a value of the graph, or contains one.
    pub(super) is_value: bool,
}

/// How to convert types.
#[derive(Debug)]
pub struct TypeRules {
    /// The type of values.
    pub value: CType,
    /// Numbers stay numbers.
    pub scalars_are_constants: bool,
    /// Symbolic sizes are values.
    pub symint: bool,
}

impl<'a> LazyArgument<'a> {
    /// An argument by these rules.
    pub(super) fn new(argument: &'a Argument, rules: &TypeRules) -> Result<Self> {
        let ty = rules.type_of_argument(&argument.ty).map_err(|error| error.about(&argument.name))?;
        let is_symint = match &argument.ty {
            Type::Optional(elem) => elem.is(BaseTy::SymInt),
            own => own.is(BaseTy::SymInt),
        };
        Ok(LazyArgument {
            argument,
            is_value: rules.is_value(&ty),
            ty,
            is_tensor_list: matches!(&argument.ty, Type::List(elem, _) if elem.is(BaseTy::Tensor)),
            is_wrapped_scalar: holds_scalar(&argument.ty),
            is_generator: match &argument.ty {
                Type::Optional(elem) => elem.is(BaseTy::Generator),
                own => own.is(BaseTy::Generator),
            },
            is_symint: rules.symint && is_symint,
            symint: rules.symint,
        })
    }

    /// Its name.
    pub(super) fn name(&self) -> &'a str {
        &self.argument.name
    }

    /// The type of its value, if it is optional.
    pub(super) fn optional(&self) -> Option<&CType> {
        match self.ty.kind() {
            CTypeKind::Optional(elem) => Some(elem),
            _ => None,
        }
    }

    /// Its type has no structure.
    pub(super) fn is_base(&self) -> bool {
        self.ty.is_plain()
    }
}

impl TypeRules {
    /// The type of an argument in a node.
    pub fn type_of_argument(&self, ty: &Type) -> Result<CType> {
        Ok(match ty {
            Type::Base(BaseTy::Tensor) => self.value,
            Type::Base(BaseTy::Scalar) if !self.scalars_are_constants => self.value,
            Type::Base(BaseTy::SymInt) if self.symint => self.value,
            Type::Base(BaseTy::SymInt) => BaseCppType::Long.into(),
            Type::Base(
                base @ (BaseTy::Scalar
                | BaseTy::ScalarType
                | BaseTy::Int
                | BaseTy::Bool
                | BaseTy::Float
                | BaseTy::Str
                | BaseTy::Device
                | BaseTy::Generator
                | BaseTy::Layout
                | BaseTy::MemoryFormat),
            ) => BaseCppType::from_base_type(*base).ok_or_else(|| unsupported(ty))?.into(),
            Type::Optional(elem) => self.type_of_argument(elem)?.optional(),
            Type::List(elem, _) if matches!(&**elem, Type::Optional(inner) if inner.is(BaseTy::Tensor)) => {
                self.value.optional().list()
            }
            Type::List(elem, _) if elem.is(BaseTy::Tensor) => CType::from_qualified_name(TENSOR_LIST),
            Type::List(elem, _) if elem.is(BaseTy::SymInt) => CType::base(BaseCppType::Long).vector(),
            Type::List(elem, _) => self.type_of_argument(elem)?.vector(),
            _ => return Err(unsupported(ty)),
        })
    }

    /// Whether such a type is a value of the graph, or contains one. Lists of symbolic sizes are
    /// none.
    pub fn is_value(&self, ty: &CType) -> bool {
        match ty.kind() {
            CTypeKind::Vector(elem) if elem.is(BaseCppType::SymInt) => false,
            CTypeKind::Optional(elem) | CTypeKind::List(elem) | CTypeKind::Vector(elem) => self.is_value(elem),
            _ => {
                let is_number = ty.is(BaseCppType::Scalar) && !self.scalars_are_constants;
                *ty == self.value || is_number || ty.is(BaseCppType::SymInt)
            }
        }
    }
}

/// It is a number, or may contain numbers.
pub fn holds_scalar(ty: &Type) -> bool {
    match ty {
        Type::Optional(elem) | Type::List(elem, _) => holds_scalar(elem),
        own => own.is(BaseTy::Scalar),
    }
}

fn unsupported(ty: &Type) -> ApiError {
    ApiError::new(&codes::LAZY_OPERATOR, format!("a node cannot have an argument of type `{ty}`"))
}
