//! The signature of a schema: what its functional, inplace, out and mutable variants share.
//!
//! Invariant: two schemas are variants of one operator if and only if their signatures are equal.
//! Rule: torchgen/model.py, `FunctionSchema.signature`.

use std::borrow::Cow;

use super::name::{BaseOperatorName, OperatorName};
use super::schema::{Argument, Arguments, FunctionSchema, Return};
use super::types::{BaseTy, Type};

/// What [`FunctionSchema::signature_with`] also keeps or drops.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SignatureOptions {
    /// Drop the defaults of arguments.
    pub strip_default: bool,
    /// Name a copy or scatter variant like its view.
    pub strip_view_copy_name: bool,
    /// Keep the names of returns; mutable arguments that become returns keep the name of the
    /// argument.
    pub keep_return_names: bool,
}

/// A signature to compare: equal exactly if the signatures are, but borrowed from the schema, since
/// most are only compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct SignatureKey<'a> {
    base: Cow<'a, str>,
    dunder_method: bool,
    arguments: Vec<ArgumentKey<'a>>,
    returns: Vec<&'a Type>,
}

/// An argument without its annotation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct ArgumentKey<'a> {
    role: Role,
    name: &'a str,
    ty: &'a Type,
    default: Option<&'a str>,
    schema_name: Option<&'a str>,
    by_c10: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    BeforeSelf,
    SelfArg,
    AfterSelf,
    KwargOnly,
}

impl FunctionSchema {
    /// The result of [`FunctionSchema::signature`], to compare.
    pub(crate) fn signature_key(&self) -> SignatureKey<'_> {
        self.key(Cow::Borrowed(&self.name.name.base))
    }

    /// The result of [`FunctionSchema::view_signature`], to compare.
    pub(crate) fn view_signature_key(&self) -> SignatureKey<'_> {
        self.key(view_name(&self.name.name.base))
    }

    fn key<'a>(&'a self, base: Cow<'a, str>) -> SignatureKey<'a> {
        let Arguments { pre_self_positional: before, self_arg, post_self_positional: after, .. } = &self.arguments;
        let Arguments { pre_tensor_options_kwarg_only: first, post_tensor_options_kwarg_only: last, .. } =
            &self.arguments;
        let roles = before.iter().map(|a| (Role::BeforeSelf, a));
        let roles = roles.chain(self_arg.iter().map(|a| (Role::SelfArg, a)));
        let roles = roles.chain(after.iter().map(|a| (Role::AfterSelf, a)));
        let roles = roles.chain(first.iter().chain(last).map(|a| (Role::KwargOnly, a)));
        let is_bernoulli_p = self.is_bernoulli_p();
        let argument = |(role, a): (Role, &'a Argument)| ArgumentKey {
            role,
            name: &a.name,
            ty: &a.ty,
            default: match is_bernoulli_p && role == Role::AfterSelf && is_probability(a) {
                true => Some(PROBABILITY),
                false => a.default.as_deref(),
            },
            schema_name: a.schema_name.as_deref(),
            by_c10: a.by_c10,
        };
        SignatureKey {
            base,
            dunder_method: self.name.name.dunder_method,
            arguments: roles.map(argument).collect(),
            returns: self.returns.iter().map(|ret| &ret.ty).chain(self.unreturned().map(|a| &a.ty)).collect(),
        }
    }

    /// The mutable arguments that are not returned. Out arguments come before other mutable ones,
    /// so that inplace and out variants with additional mutable arguments agree.
    fn unreturned(&self) -> impl Iterator<Item = &Argument> {
        let is_returned = |argument: &Argument| self.returns.iter().any(|ret| ret.annotation == argument.annotation);
        self.arguments
            .self_arg
            .iter()
            .chain(&self.arguments.out)
            .chain(&self.arguments.post_self_positional)
            .chain(self.arguments.flat_kwarg_only())
            .filter(move |argument| argument.is_write() && !is_returned(argument))
    }

    /// The signature that groups functional, inplace, out and mutable variants.
    #[must_use]
    pub fn signature(&self) -> FunctionSchema {
        self.signature_with(SignatureOptions::default())
    }

    /// The signature that groups views with their copy variants.
    #[must_use]
    #[cfg(test)]
    pub(crate) fn view_signature(&self) -> FunctionSchema {
        self.signature_with(SignatureOptions { strip_view_copy_name: true, ..SignatureOptions::default() })
    }

    /// The signature with options: no overload, no annotations, no out arguments, no tensor
    /// options; mutable arguments that are not returned become returns after the others.
    #[must_use]
    pub fn signature_with(&self, options: SignatureOptions) -> FunctionSchema {
        let mut arguments = self.arguments.signature(options);
        if self.is_bernoulli_p() {
            give_p_its_default(&mut arguments);
        }
        let base = if options.strip_view_copy_name {
            view_name(&self.name.name.base).into_owned()
        } else {
            self.name.name.base.clone()
        };
        FunctionSchema {
            name: OperatorName {
                name: BaseOperatorName { dunder_method: self.name.name.dunder_method, ..BaseOperatorName::plain(base) },
                overload_name: String::new(),
            },
            arguments,
            returns: self.signature_returns(options),
        }
    }

    fn signature_returns(&self, options: SignatureOptions) -> Vec<Return> {
        let own = self.returns.iter().map(|ret| Return {
            name: ret.name.clone().filter(|_| options.keep_return_names),
            cpp_name: ret.cpp_name.clone().filter(|_| options.keep_return_names),
            ty: ret.ty.clone(),
            annotation: None,
            owns_strings: ret.owns_strings,
            given_back: false,
        });
        let written = self.unreturned().map(|argument| Return {
            name: options.keep_return_names.then(|| format!("{}_out", argument.name)),
            cpp_name: None,
            ty: argument.ty.clone(),
            annotation: None,
            owns_strings: false,
            given_back: false,
        });
        own.chain(written).collect()
    }

    fn is_bernoulli_p(&self) -> bool {
        let OperatorName { name, overload_name } = &self.name;
        overload_name == "p" && *name == BaseOperatorName::plain("bernoulli")
    }
}

/// `bernoulli.p` has no default where its inplace and out counterparts have 0.5; the signature gets
/// theirs.
fn give_p_its_default(arguments: &mut Arguments) {
    for argument in &mut arguments.post_self_positional {
        if is_probability(argument) {
            argument.default = Some(PROBABILITY.to_owned());
        }
    }
}

const PROBABILITY: &str = "0.5";

fn is_probability(argument: &Argument) -> bool {
    argument.name == "p" && argument.ty == Type::Base(BaseTy::Float)
}

/// The name of the view whose copy or scatter variant has this name. Every occurrence of the suffix
/// is removed, as in the reference.
fn view_name(base: &str) -> Cow<'_, str> {
    if base.ends_with("_copy") {
        Cow::Owned(base.replace("_copy", ""))
    } else if base.ends_with("_scatter") {
        Cow::Owned(base.replace("scatter", "inverse"))
    } else {
        Cow::Borrowed(base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Language;
    use crate::parse::schema;
    use torchgen_kit::driver::data::Tables;

    #[test]
    fn keys_are_equal_where_signatures_are() {
        let schemas = [
            "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
            "add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
            "add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)",
            "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
            "add.b(Tensor other, Tensor self, *, Scalar alpha=1) -> Tensor",
            "__add__.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
            "bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
            "bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)",
            "bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
            "view(Tensor(a) self, SymInt[] size) -> Tensor(a)",
            "view_copy(Tensor self, SymInt[] size) -> Tensor",
            "view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)",
            "select_scatter(Tensor self, Tensor src, int dim) -> Tensor",
            "select_inverse(Tensor self, Tensor src, int dim) -> Tensor",
            "zeros(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
            "zeros.out(int[] size, *, Tensor(a!) out) -> Tensor(a!)",
            "split_two.out(Tensor self, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))",
            "split_two.functional(Tensor self) -> (Tensor x, Tensor y)",
            "mix(Tensor self, Tensor(a!) state, Tensor(b!) more) -> Tensor",
            "mix.functional(Tensor self, Tensor state, Tensor more) -> (Tensor, Tensor, Tensor)",
            "mix.out(Tensor self, Tensor(a!) state, Tensor(b!) more, *, Tensor(c!) out) -> Tensor(c!)",
        ];
        let parse = |text: &&str| {
            schema::parse(text, Language::Torchgen, Tables::embedded())
                .unwrap_or_else(|error| panic!("{text}: {}", error.message))
        };
        let schemas: Vec<FunctionSchema> = schemas.iter().map(parse).collect();
        let mut equal = 0;
        for (i, a) in schemas.iter().enumerate() {
            for b in &schemas[..i] {
                let pair = format!("{a} / {b}");
                let same = a.signature() == b.signature();
                equal += usize::from(same);
                assert_eq!(same, a.signature_key() == b.signature_key(), "{pair}");
                assert_eq!(
                    a.view_signature() == b.view_signature(),
                    a.view_signature_key() == b.view_signature_key(),
                    "{pair}"
                );
            }
        }
        assert!(equal >= 6, "{equal}");
    }
}
