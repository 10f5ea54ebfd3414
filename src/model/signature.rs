//! The signature of a schema: what its functional, inplace, out and mutable variants have in common.
//!
//! Invariant: two schemas are variants of one operator exactly if their signatures are equal. Deliberately absent: the
//! grouping itself (see `group`).
//! Rule: torchgen/model.py, `FunctionSchema.signature`.

use super::name::{BaseOperatorName, OperatorName};
use super::schema::{Argument, Arguments, FunctionSchema, Return};
use super::types::{BaseTy, Type};

/// What [`FunctionSchema::signature_with`] keeps and drops beyond the usual.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SignatureOptions {
    /// Drop the defaults of arguments.
    pub strip_default: bool,
    /// Name a copy or scatter variant like the view that it belongs to.
    pub strip_view_copy_name: bool,
    /// Keep the names of returns; written arguments that become returns are named after the argument.
    pub keep_return_names: bool,
}

impl FunctionSchema {
    /// The signature that pairs up functional, inplace, out and mutable variants.
    #[must_use]
    pub fn signature(&self) -> FunctionSchema {
        self.signature_with(SignatureOptions::default())
    }

    /// The signature that pairs up views with their copy variants.
    #[must_use]
    pub fn view_signature(&self) -> FunctionSchema {
        self.signature_with(SignatureOptions { strip_view_copy_name: true, ..SignatureOptions::default() })
    }

    /// The signature with options: no overload, no annotations, no out arguments, no tensor options; arguments that are
    /// written but not returned become returns behind the others.
    #[must_use]
    pub fn signature_with(&self, options: SignatureOptions) -> FunctionSchema {
        let mut arguments = self.arguments.signature(options.strip_default);
        if self.is_bernoulli_p() {
            give_p_its_default(&mut arguments);
        }
        let base =
            if options.strip_view_copy_name { view_name(&self.name.name.base) } else { self.name.name.base.clone() };
        FunctionSchema {
            name: OperatorName {
                name: BaseOperatorName { dunder_method: self.name.name.dunder_method, ..BaseOperatorName::plain(base) },
                overload_name: String::new(),
            },
            arguments,
            returns: self.signature_returns(options.keep_return_names),
        }
    }

    fn signature_returns(&self, keep_names: bool) -> Vec<Return> {
        let own = self.returns.iter().map(|ret| Return {
            name: if keep_names { ret.name.clone() } else { None },
            ty: ret.ty.clone(),
            annotation: None,
        });
        let is_returned = |argument: &Argument| self.returns.iter().any(|ret| ret.annotation == argument.annotation);
        // Out arguments come before other written ones, so that inplace and out variants with further written arguments agree.
        let written = self
            .arguments
            .self_arg
            .iter()
            .chain(&self.arguments.out)
            .chain(&self.arguments.post_self_positional)
            .chain(self.arguments.flat_kwarg_only())
            .filter(|argument| argument.is_write() && !is_returned(argument))
            .map(|argument| Return {
                name: keep_names.then(|| format!("{}_out", argument.name)),
                ty: argument.ty.clone(),
                annotation: None,
            });
        own.chain(written).collect()
    }

    fn is_bernoulli_p(&self) -> bool {
        let OperatorName { name, overload_name } = &self.name;
        overload_name == "p" && *name == BaseOperatorName::plain("bernoulli")
    }
}

/// `bernoulli.p` has no default where its inplace and out twins have 0.5; the signature is given theirs.
fn give_p_its_default(arguments: &mut Arguments) {
    for argument in &mut arguments.post_self_positional {
        if argument.name == "p" && argument.ty == Type::Base(BaseTy::Float) {
            argument.default = Some("0.5".to_owned());
        }
    }
}

/// The name of the view whose copy or scatter variant has this name. Every occurrence of the word goes, as in the reference.
fn view_name(base: &str) -> String {
    if base.ends_with("_copy") {
        base.replace("_copy", "")
    } else if base.ends_with("_scatter") {
        base.replace("scatter", "inverse")
    } else {
        base.to_owned()
    }
}
