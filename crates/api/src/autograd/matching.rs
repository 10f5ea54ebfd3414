//! Finds the derivatives of every operator.
//!
//! Invariant: an operator's own derivatives come first; then those of its functional variant; then,
//! for generated functional variants, those of the mutable one; foreach operators use those of
//! operators on single tensors. Generated out variants have none. Rule: torchgen/api/autograd.py,
//! `match_differentiability_info`.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::info::OperatorId;
use super::inplace::Origin;
use super::{
    DEFAULT_KEY, DifferentiabilityInfo, DifferentiabilityInfos, InfoByKey, NativeFunctionWithDifferentiabilityInfo,
    foreach, inplace,
};
use torchgen_base::diag::{Diagnostic, Diagnostics};
use torchgen_model::codes;
use torchgen_model::model::Target;
use torchgen_model::model::{FunctionSchema, NativeFunction, SchemaKind, SignatureOptions};

/// Operators with their derivatives, and the derivatives that this module makes.
#[derive(Debug, Clone, Default)]
pub struct Matched<'a> {
    /// The operators, in the order given.
    pub functions: Vec<NativeFunctionWithDifferentiabilityInfo<'a>>,
    /// The derivatives of foreach operators, in the order of the operators. The C++ nodes of a run
    /// include them, its Python bindings do not, since PyTorch's build makes the bindings first.
    pub foreach: IndexMap<OperatorId<'a>, Arc<InfoByKey<'a>>>,
}

/// Finds the derivatives of the operators. Operators whose derivatives do not match are reported,
/// and get none.
pub fn match_differentiability_info<'a>(
    functions: impl IntoIterator<Item = &'a NativeFunction>,
    infos: &DifferentiabilityInfos<'a>,
    target: Target,
    diagnostics: &mut Diagnostics,
) -> Matched<'a> {
    let matcher = Matcher::new(infos, target);
    let mut matched = Matched::default();
    for f in functions {
        let found = matcher.find(f, &mut matched.foreach).and_then(|found| match found {
            Some((info, origin)) => with_forward(f, info, origin),
            None => Ok(without(f)),
        });
        matched.functions.push(found.unwrap_or_else(|error| {
            diagnostics.push(*error);
            without(f)
        }));
    }
    matched
}

/// A signature, and the namespace where it matters.
type Signature<'a> = (Option<&'a str>, FunctionSchema);

type BySignature<'a> = IndexMap<Signature<'a>, Arc<InfoByKey<'a>>, FxBuildHasher>;

type MatchedInfo<'a> = Option<(Arc<InfoByKey<'a>>, Origin)>;

/// Of derivatives with one signature, the last one is used, at the place of the first.
pub(super) struct Matcher<'i, 'a> {
    infos: &'i DifferentiabilityInfos<'a>,
    target: Target<'i>,
    functional: BySignature<'a>,
    non_functional: BySignature<'a>,
    /// Positions in `functional` and `non_functional` by base name.
    functional_by_base: FxHashMap<String, Vec<usize>>,
    non_functional_by_base: FxHashMap<String, Vec<usize>>,
}

impl<'i, 'a> Matcher<'i, 'a> {
    fn new(infos: &'i DifferentiabilityInfos<'a>, target: Target<'i>) -> Self {
        let mut functional = BySignature::default();
        let mut non_functional = BySignature::default();
        for (id, by_key) in &infos.by_operator {
            let list = if id.func().kind() == SchemaKind::Functional { &mut functional } else { &mut non_functional };
            list.insert((id.namespace(), signature(id.func())), by_key.clone());
        }
        Matcher {
            infos,
            target,
            functional_by_base: by_base(&functional),
            non_functional_by_base: by_base(&non_functional),
            functional,
            non_functional,
        }
    }

    fn find(
        &self,
        f: &'a NativeFunction,
        made: &mut IndexMap<OperatorId<'a>, Arc<InfoByKey<'a>>>,
    ) -> Result<MatchedInfo<'a>, Box<Diagnostic>> {
        if f.is_generated() && f.func.kind() == SchemaKind::Out {
            return Ok(None);
        }
        let id = OperatorId::new(f, self.target);
        if let Some(own) = self.infos.by_operator.get(&id) {
            return Ok(Some((own.clone(), Origin::Own)));
        }
        let signature = (self.target.identity(f), signature(&f.func));
        let is_foreach = super::is_foreach_func(f);
        if !is_foreach && let Some(functional) = self.functional.get(&signature) {
            return Ok(Some((functional.clone(), Origin::Borrowed)));
        }
        if f.is_generated()
            && let Some(mutable) = self.non_functional.get(&signature)
        {
            return match mutable.values().find(|info| saves_self(info)) {
                Some(info) => Err(Box::new(functional_of_mutable(f, info))),
                None => Ok(Some((mutable.clone(), Origin::Borrowed))),
            };
        }
        if !is_foreach {
            return Ok(None);
        }
        let Some((schema, reference)) = self.foreach_reference(f) else { return Ok(None) };
        if f.func.kind() == SchemaKind::Inplace {
            return Ok(Some((Arc::new(InfoByKey::from([(DEFAULT_KEY, reference.clone())])), Origin::Borrowed)));
        }
        let info = Arc::new(InfoByKey::from([(
            DEFAULT_KEY,
            foreach::derive(f, schema, reference, self.target.tables.get())?,
        )]));
        made.insert(id, info.clone());
        Ok(Some((info, Origin::Own)))
    }

    /// The derivatives that a foreach operator uses, and the signature of their operator.
    fn foreach_reference(&self, f: &NativeFunction) -> Option<(&FunctionSchema, &DifferentiabilityInfo<'a>)> {
        let base = foreach::reference_name(f);
        let space = self.target.identity(f);
        let table = self.target.tables.get();
        let among = |list: &'_ BySignature<'a>, places: &FxHashMap<String, Vec<usize>>| {
            let places = places.get(base).map_or(&[][..], Vec::as_slice);
            places.iter().copied().find(|place| {
                list.get_index(*place).is_some_and(|((other, schema), by_key)| {
                    *other == space
                        && foreach::is_reference_for_foreach(f, schema, table)
                        && by_key.contains_key(&DEFAULT_KEY)
                })
            })
        };
        let (list, place) = match among(&self.functional, &self.functional_by_base) {
            Some(place) => (&self.functional, place),
            None if foreach::follows_inplace(f, table) => {
                (&self.non_functional, among(&self.non_functional, &self.non_functional_by_base)?)
            }
            None => return None,
        };
        let ((_, schema), by_key) = list.get_index(place)?;
        Some((schema, by_key.get(&DEFAULT_KEY)?))
    }
}

fn by_base(list: &BySignature<'_>) -> FxHashMap<String, Vec<usize>> {
    let mut places: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (place, (_, schema)) in list.keys().enumerate() {
        places.entry(schema.name.name.base.clone()).or_default().push(place);
    }
    places
}

fn signature(func: &FunctionSchema) -> FunctionSchema {
    func.signature_with(SignatureOptions { strip_default: true, ..SignatureOptions::default() })
}

fn saves_self(info: &DifferentiabilityInfo<'_>) -> bool {
    info.all_saved_inputs.iter().any(|saved| saved.name.contains("self"))
}

fn functional_of_mutable(f: &NativeFunction, info: &DifferentiabilityInfo<'_>) -> Diagnostic {
    let message = format!(
        "the derivative of `{}` saves `self`, which its functional variant `{}` does not write",
        info.func.func.name, f.func.name
    );
    Diagnostic::new(&codes::FUNCTIONAL_OF_MUTABLE, message)
        .at(info.span)
        .also(f.spans.func, "the operator")
        .help(format!("add a derivative for `{}`", f.func.name))
}

fn without(f: &NativeFunction) -> NativeFunctionWithDifferentiabilityInfo<'_> {
    NativeFunctionWithDifferentiabilityInfo { func: f, info: None, fw_derivatives: IndexMap::new() }
}

/// The operator with its derivatives and their forward formulas, adapted to it.
fn with_forward<'a>(
    f: &'a NativeFunction,
    info: Arc<InfoByKey<'a>>,
    origin: Origin,
) -> Result<NativeFunctionWithDifferentiabilityInfo<'a>, Box<Diagnostic>> {
    let is_inplace = f.func.kind() == SchemaKind::Inplace;
    if is_inplace && let Some(derivative) = info.values().find_map(inplace::uses_strides_of_self) {
        return Err(Box::new(
            Diagnostic::new(
                &codes::UNSUPPORTED_IN_FORMULA,
                format!("the strides of `self` are lost to inplace operator `{}`", f.func.name),
            )
            .at(derivative.span)
            .also(f.spans.func, "the operator"),
        ));
    }
    if info.is_empty() {
        return Ok(without(f));
    }
    let mut fw_derivatives = IndexMap::with_capacity(info.len());
    for (key, info) in info.iter() {
        let own = if is_inplace && !info.forward_derivatives.is_empty() {
            Arc::new([inplace::forward(f, info, origin)?])
        } else {
            info.forward_derivatives.clone()
        };
        fw_derivatives.insert(*key, own);
    }
    Ok(NativeFunctionWithDifferentiabilityInfo { func: f, info: Some(info), fw_derivatives })
}
