//! The derivatives of an operator: PyTorch's or the library's, and those of a backend.

use rustc_hash::FxHashMap;

use super::types::{Derivatives, Formula, Saved};
use super::{Known, id};
use torchgen_api::autograd::{DifferentiabilityInfo, NativeFunctionWithDifferentiabilityInfo, SavedAttribute};
use torchgen_backend::backend::kernels::Added;
use torchgen_base::diag::{Sources, Span};
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::facts::Place;
use torchgen_model::model::{DispatchKey, NativeFunction};

/// A backend's derivatives by operator.
pub(super) type OfBackend = FxHashMap<usize, Vec<Derivatives>>;

impl Known<'_> {
    /// The derivatives by key.
    pub(super) fn derivatives(&self, found: &NativeFunctionWithDifferentiabilityInfo<'_>) -> Vec<Derivatives> {
        // An out= variant has those of its functional variant only to refuse gradients.
        let infos = found.info.iter().filter(|_| !found.func.func.is_out_fn()).flat_map(|infos| infos.iter());
        let own = infos.map(|(key, info)| of_key(*key, info, found, self.sources));
        own.chain(self.of_backend.get(&id(found.func)).into_iter().flatten().cloned()).collect()
    }
}

/// The derivatives of a backend.
pub(super) fn of_backend(
    backend: &Added,
    functions: &[NativeFunction],
    session: &mut Session,
) -> Result<OfBackend, JobError> {
    let found = backend.derivatives(functions, session, |key, matched, session| {
        let operators = matched.functions.iter().filter(|found| !found.func.func.is_out_fn());
        let derivatives = operators.map(|found| {
            let infos = found.info.iter().flat_map(|infos| infos.iter());
            let all = infos
                .map(|(own, info)| Derivatives { key: key.as_str(), ..of_key(*own, info, found, &session.sources) });
            (id(found.func), all.collect())
        });
        derivatives.collect()
    });
    Ok(found?.unwrap_or_default())
}

fn of_key(
    key: DispatchKey,
    info: &DifferentiabilityInfo<'_>,
    found: &NativeFunctionWithDifferentiabilityInfo<'_>,
    sources: &Sources,
) -> Derivatives {
    let place = |span: Span| Place::inside(span, found.func.spans.name, sources);
    let formula = |names: &[String], formula: &str, span| Formula {
        of: names.to_vec(),
        formula: formula.to_owned(),
        at: place(span),
    };
    let saved = |all: &[SavedAttribute]| all.iter().map(self::saved).collect();
    let forward = found.fw_derivatives_of(key);
    Derivatives {
        key: key.as_str(),
        at: place(info.span),
        of: info.func.full_name(),
        node: info.op.clone(),
        backward: info.derivatives.iter().map(|d| formula(&d.var_names, &d.original_formula, d.span)).collect(),
        forward: forward.iter().map(|d| formula(&d.var_names, &d.formula, d.span)).collect(),
        saved_inputs: saved(&info.all_saved_inputs),
        saved_outputs: saved(&info.all_saved_outputs),
        non_differentiable: info.non_differentiable_arg_names.clone(),
        output_differentiability: info.output_differentiability.clone(),
        complex_gradients: info.complex_gradients,
    }
}

fn saved(saved: &SavedAttribute) -> Saved {
    Saved { name: saved.name.clone(), ty: saved.ty.to_string(), expr: saved.expr.clone() }
}
