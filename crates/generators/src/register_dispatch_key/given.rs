//! Parts of wrappers that the caller of the program wrote for an operator.
//!
//! Invariant: they only replace what the program would write there. The calls of a wrapper follow
//! its signature, whoever wrote it.

use torchgen_api::{Binding, CType, NamedCType, Signature};
use torchgen_model::model::NativeFunction;
use torchgen_model::model::schema::ArgumentRef;

/// What was written.
#[derive(Debug, Default)]
pub struct Given {
    /// The signatures of wrappers, by operator and overload.
    pub signatures: Vec<(String, GivenSignature)>,
    /// The check of devices.
    pub device_check: Option<String>,
}

/// The signature of a wrapper.
#[derive(Debug)]
pub struct GivenSignature {
    /// Its name.
    pub name: String,
    /// What it returns.
    pub returns_type: CType,
    /// Its parameters.
    pub parameters: Vec<(String, NamedCType<'static>)>,
}

impl Given {
    /// The signature for an operator, in place of another one.
    pub(super) fn signed<'a>(&self, f: &'a NativeFunction, mut signature: Signature<'a>) -> Signature<'a> {
        let wanted = f.func.name.to_string();
        let Some((_, given)) = self.signatures.iter().find(|(name, _)| *name == wanted) else { return signature };
        signature.name.clone_from(&given.name);
        signature.returns_type = given.returns_type;
        // Wrappers only use the names and types of parameters.
        let any = f.func.schema_order_arguments().next();
        let parameter = |(name, nctype): &(String, NamedCType<'static>)| {
            let argument = ArgumentRef::Arg(f.func.schema_order_arguments().find(|a| a.name == *name).or(any)?);
            Some(Binding { name: name.clone().into(), nctype: nctype.clone(), argument, default: None })
        };
        signature.arguments = given.parameters.iter().filter_map(parameter).collect();
        signature
    }
}
