//! Derivatives: the formulas of each operator, what they save, and the variants that use them.
//!
//! [`load`] turns the records of derivatives.yaml into [`DifferentiabilityInfos`], [`load_entry`]
//! and [`create_derivative`] single ones;
//! [`match_differentiability_info`] finds the derivatives of every operator, and makes those of
//! foreach operators. `outputs` answers the generators' questions about an
//! operator.
//!
//! Invariant: derivatives belong to operators that exist, and every name in a formula is in scope
//! there. Formulas are C++, so all of this is here and not in `model`. Nothing assumes the
//! namespace `aten`: in operator libraries it is part of an operator's identity. Rule:
//! torchgen/api/autograd.py and torchgen/packaged/autograd/load_derivatives.py.

mod cpp_names;
mod derivative;
mod differentiable;
mod entry;
mod foreach;
mod formula;
mod forward;
mod gradients;
mod info;
mod inplace;
mod load;
mod matching;
mod names;
pub(crate) mod outputs;
mod reserved;
mod saved;
mod syntax;
#[cfg(test)]
pub(crate) mod tests;
mod title;
mod undefined;
pub mod view;
pub use derivative::create_derivative;
pub(crate) use foreach::is_foreach_func;
pub use formula::{has_lambda, uses as formula_uses};
pub use info::{
    DEFAULT_KEY, Derivative, DifferentiabilityInfo, DifferentiabilityInfos, ForwardDerivative, InfoByKey,
    NativeFunctionWithDifferentiabilityInfo, OperatorId, Operators, SavedAttribute, SavedFrom,
};
pub use load::{load, load_entry, node_class_prefix};
pub use matching::{Matched, match_differentiability_info};
pub use names::{is_formula_word, is_usable_function};
pub use outputs::{
    DifferentiableOutput, DispatchStrategy, dispatch_strategy, gen_differentiable_outputs, is_differentiable,
};
pub use undefined::tests_gradient;
