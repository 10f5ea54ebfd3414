//! `torchgen_rs.api.autograd` and `torchgen_rs.autograd.load_derivatives`: derivatives as objects.
//!
//! Data flows `load -> make -> Python` and, for questions about objects, `read -> api -> make`.
//! Invariant: derivatives are those of `api::autograd`. The infos of Python have all that the
//! program knows of them, but for the places in files.

pub(crate) mod entry;
pub(crate) mod kernels;
pub(crate) mod load;
mod make;
pub(crate) mod matching;
pub(crate) mod nodes;
mod read;

use indexmap::IndexMap;

use crate::model::{Loaded, tables_of};
use crate::templates::renderer;
use torchgen_api::autograd::{DEFAULT_KEY, DifferentiabilityInfos, Matched};
use torchgen_generators::{AutogradContext, Namespaces, managers};
use torchgen_kit::driver::context::FileContext;
use torchgen_model::model::{DispatchKey, Target};

crate::classes::classes! {
    "torchgen_rs.api.autograd";
    derivative "Derivative",
    forward_derivative "ForwardDerivative",
    info "DifferentiabilityInfo",
    saved_attribute "SavedAttribute",
}

/// What Python calls the key of derivatives that serve all keys.
const DEFAULT: &str = "Default";

/// The name of a key among derivatives.
fn key_name(key: DispatchKey) -> &'static str {
    if key == DEFAULT_KEY { DEFAULT } else { key.as_str() }
}

/// The key of that name.
fn key_of(name: &str) -> Option<DispatchKey> {
    if name == DEFAULT { Some(DEFAULT_KEY) } else { DispatchKey::parse(name) }
}

/// Answers with a generator's context, by the rules of the file that operators are from.
fn context<T>(loaded: Option<&Loaded>, make: impl for<'a> FnOnce(&AutogradContext<'_, 'a>) -> T) -> T {
    let target = Target::pytorch(tables_of(loaded));
    let (namespaces, matched) = (Namespaces::aten(), Matched { functions: Vec::new(), foreach: IndexMap::new() });
    let (derivatives, files) = (DifferentiabilityInfos::default(), FileContext::new(renderer(loaded), managers::CPU));
    make(&AutogradContext::new(target, &namespaces, &[], &matched, &derivatives, files))
}
