//! The derivatives of an operator.

use super::Known;
use super::types::{Derivatives, Formula, Saved};
use torchgen_api::autograd::{DifferentiabilityInfo, NativeFunctionWithDifferentiabilityInfo, SavedAttribute};
use torchgen_model::model::DispatchKey;

impl Known<'_> {
    /// The derivatives by key.
    pub(super) fn derivatives(&self, found: &NativeFunctionWithDifferentiabilityInfo<'_>) -> Vec<Derivatives> {
        // An out= variant has those of its functional variant only to refuse gradients.
        let infos = found.info.iter().filter(|_| !found.func.func.is_out_fn()).flat_map(|infos| infos.iter());
        infos.map(|(key, info)| self.of_key(*key, info, found)).collect()
    }

    fn of_key(
        &self,
        key: DispatchKey,
        info: &DifferentiabilityInfo<'_>,
        found: &NativeFunctionWithDifferentiabilityInfo<'_>,
    ) -> Derivatives {
        let formula = |names: &[String], formula: &str, span| Formula {
            of: names.to_vec(),
            formula: formula.to_owned(),
            at: self.place(found.func, span),
        };
        let saved = |all: &[SavedAttribute]| all.iter().map(self::saved).collect();
        let forward = found.fw_derivatives_of(key);
        Derivatives {
            key: key.as_str(),
            at: self.place(found.func, info.span),
            of: info.func.full_name(),
            node: info.op.clone(),
            backward: info.derivatives.iter().map(|d| formula(&d.var_names, &d.original_formula, d.span)).collect(),
            forward: forward.iter().map(|d| formula(&d.var_names, &d.formula, d.span)).collect(),
            saved_inputs: saved(&info.all_saved_inputs),
            saved_outputs: saved(&info.all_saved_outputs),
            non_differentiable: info.non_differentiable_arg_names.clone(),
            output_differentiability: info.output_differentiability.clone(),
        }
    }
}

fn saved(saved: &SavedAttribute) -> Saved {
    Saved { name: saved.name.clone(), ty: saved.ty.to_string(), expr: saved.expr.clone() }
}
