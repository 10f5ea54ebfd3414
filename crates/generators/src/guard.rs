//! Text that only some builds have: an `#if` around it.
//!
//! Invariant: text without a condition is unchanged.

use serde::Serialize;

use torchgen_base::render::{Fragment, RenderError, Renderer};
use torchgen_model::model::condition::{ComparedTorch, Condition};
use torchgen_model::model::{ATEN, NativeFunction};

/// A condition, for templates.
#[derive(Debug, Clone, Serialize)]
pub struct Guard {
    /// As C++.
    cpp: String,
    /// As in the YAML.
    text: String,
}

impl Guard {
    /// That of a condition.
    pub fn new(condition: &Condition, torch: ComparedTorch) -> Guard {
        Guard { cpp: condition.cpp(torch), text: condition.text().to_owned() }
    }

    /// That of a condition in code for libtorch's C++ API.
    pub fn compiled(condition: Option<Condition>) -> Option<Guard> {
        condition.map(|condition| Guard::new(&condition, ComparedTorch::Compiled))
    }
}

#[derive(Serialize)]
struct Guarded<'a> {
    guard: Guard,
    body: &'a Fragment,
    /// The text begins with a blank line.
    apart: bool,
}

/// The text for the builds in which the condition holds.
pub fn guarded(renderer: &Renderer, condition: Option<&Condition>, body: Fragment) -> Result<Fragment, RenderError> {
    let Some(condition) = condition else { return Ok(body) };
    let view =
        Guarded { guard: Guard::new(condition, ComparedTorch::Compiled), body: &body, apart: body.starts_with('\n') };
    Ok(Fragment::new(renderer.fragment("torch/library/guarded.j2", &view)?))
}

/// When an operator exists together with others. PyTorch's exist, whatever kernels a library has
/// for them.
pub fn together(f: &NativeFunction, others: &[&NativeFunction]) -> Option<Condition> {
    let all = std::iter::once(f).chain(others.iter().copied()).filter(|f| f.namespace != ATEN);
    Condition::all(all.filter_map(|f| f.conditions.operator.as_ref()))
}

/// Whether a condition of some operators compares the version of torch.
pub fn compares_torch(functions: &[NativeFunction], mut alone: impl Iterator<Item = Option<Condition>>) -> bool {
    let kernels = |f: &NativeFunction| f.conditions.kernels.iter().any(|(_, condition)| condition.compares_torch());
    functions.iter().any(|f| f.conditions.operator.as_ref().is_some_and(Condition::compares_torch) || kernels(f))
        || alone.any(|condition| condition.is_some_and(|condition| condition.compares_torch()))
}
