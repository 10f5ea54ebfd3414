//! The schema of a node: the arguments of its operator in order, and what to generate for it.
//!
//! Invariant: at most one property of each group is set. Rule: torchgen/api/lazy.py, `LazyIrSchema`
//! and `LazyIrProperties`.

use super::types::{LazyArgument, TypeRules};
use torchgen_api::error::{ApiError, Result};
use torchgen_api::{CType, SymInts};
use torchgen_base::yaml::Text;
use torchgen_model::codes;
use torchgen_model::model::{FunctionSchema, OperatorName};

/// The source of a node's shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shapes {
    /// The caller of the constructor passes them.
    Precomputed,
    /// They are computed when the node is made.
    Computed,
    /// They are computed on request.
    Cached,
}

/// Whether a member function is defined, or only declared for a hand-written definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Member {
    Defined,
    Declared,
}

/// What to generate for a node.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Properties {
    pub(super) shapes: Option<Shapes>,
    pub(super) lower: Option<Member>,
    pub(super) can_be_reused: Option<Member>,
    pub(super) create: Option<Member>,
    pub(super) scalars_are_constants: bool,
}

impl Properties {
    /// The properties of an operator's node.
    pub(super) const OPERATOR: Properties = Properties {
        shapes: Some(Shapes::Precomputed),
        lower: Some(Member::Defined),
        can_be_reused: Some(Member::Defined),
        create: None,
        scalars_are_constants: false,
    };

    /// The properties of a node that is not an operator; named ones replace the defaults.
    pub(super) fn from_names(names: &[Text]) -> Properties {
        let mut own = Properties {
            shapes: Some(Shapes::Cached),
            lower: Some(Member::Declared),
            can_be_reused: Some(Member::Defined),
            ..Properties::default()
        };
        for name in names {
            match name.as_str() {
                "ShapePrecompute" => own.shapes = Some(Shapes::Precomputed),
                "ShapeCompute" => own.shapes = Some(Shapes::Computed),
                "ShapeCache" => own.shapes = Some(Shapes::Cached),
                "Lower" => own.lower = Some(Member::Defined),
                "LowerDeclOnly" => own.lower = Some(Member::Declared),
                "CanBeReused" => own.can_be_reused = Some(Member::Defined),
                "CanBeReusedDeclOnly" => own.can_be_reused = Some(Member::Declared),
                "CreateFn" => own.create = Some(Member::Defined),
                "CreateFnDeclOnly" => own.create = Some(Member::Declared),
                "TreatScalarsAsConstants" => own.scalars_are_constants = true,
                // The reader of the YAML has already reported it.
                _ => {}
            }
        }
        own
    }
}

/// The schema of a node.
#[derive(Debug)]
pub(super) struct LazySchema<'a> {
    pub(super) func: &'a FunctionSchema,
    pub(super) positional: Vec<LazyArgument<'a>>,
    /// Arguments passed by name, including out arguments.
    pub(super) keyword: Vec<LazyArgument<'a>>,
    pub(super) properties: Properties,
}

impl<'a> LazySchema<'a> {
    /// The schema of a node.
    pub(super) fn new(
        func: &'a FunctionSchema,
        properties: Properties,
        value: CType,
        sym_ints: SymInts,
    ) -> Result<Self> {
        let rules =
            TypeRules { value, scalars_are_constants: properties.scalars_are_constants, symint: sym_ints.are_kept() };
        let new = |argument| LazyArgument::new(argument, &rules);
        let arguments = &func.arguments;
        let positional = arguments.flat_positional().map(new).collect::<Result<Vec<_>>>()?;
        let keyword = arguments.flat_kwarg_only().chain(&arguments.out).map(new).collect::<Result<Vec<_>>>()?;
        let mut generators = keyword.iter().filter(|argument| argument.is_generator);
        match (generators.next(), generators.next()) {
            (Some(_), Some(second)) => {
                Err(ApiError::new(&codes::LAZY_OPERATOR, "a node cannot have two generators").about(second.name()))
            }
            _ => Ok(LazySchema { func, positional, keyword, properties }),
        }
    }

    /// All arguments, in order.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &LazyArgument<'a>> {
        self.positional.iter().chain(&self.keyword)
    }

    /// Arguments that are values of the graph.
    pub(super) fn values(&self) -> impl Iterator<Item = &LazyArgument<'a>> {
        self.arguments().filter(|argument| argument.is_value)
    }

    /// Arguments that are not.
    pub(super) fn scalars(&self) -> impl Iterator<Item = &LazyArgument<'a>> {
        self.arguments().filter(|argument| !argument.is_value)
    }

    /// The name of the class: `BitwiseAndTensor`.
    pub(super) fn node_name(&self) -> String {
        node_name(&self.func.name)
    }

    /// The name of the operator, without its overload.
    pub(super) fn aten_name(&self) -> String {
        self.func.name.name.to_string()
    }
}

/// The name of the class for an operator: the words of its name, each with a capital letter.
pub fn node_name(name: &OperatorName) -> String {
    let words = format!("{}_{}", name.name, name.overload_name).to_lowercase();
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    words.split('_').map(capital).collect()
}
