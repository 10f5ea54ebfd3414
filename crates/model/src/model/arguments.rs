//! The views of a schema's arguments that generators use.
//!
//! Invariant: every view keeps the order of the schema; "flat" views list tensor options
//! separately, the others keep them together. The order of arguments in C++ is in `api`. Rule:
//! torchgen/model.py, `Arguments`.

use super::schema::{Argument, ArgumentRef, Arguments};
use super::signature::SignatureOptions;

impl Arguments {
    /// Each argument with its role, in the order of the schema: `self`, `argument`, `keyword`,
    /// `option` (of tensor options) or `out`.
    pub fn by_role(&self) -> impl Iterator<Item = (&'static str, &Argument)> {
        let of = |role: &'static str| move |argument| (role, argument);
        let options = self.tensor_options.iter().flat_map(|options| options.all());
        (self.pre_self_positional.iter().map(of("argument")))
            .chain(self.self_arg.iter().map(of("self")))
            .chain(self.post_self_positional.iter().map(of("argument")))
            .chain(self.pre_tensor_options_kwarg_only.iter().map(of("keyword")))
            .chain(options.map(of("option")))
            .chain(self.post_tensor_options_kwarg_only.iter().map(of("keyword")))
            .chain(self.out.iter().map(of("out")))
    }

    /// Positional arguments.
    pub fn flat_positional(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.pre_self_positional.iter().chain(&self.self_arg).chain(&self.post_self_positional)
    }

    /// Keyword-only arguments except the out arguments.
    pub fn flat_kwarg_only(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.pre_tensor_options_kwarg_only
            .iter()
            .chain(self.tensor_options.iter().flat_map(|options| options.all()))
            .chain(&self.post_tensor_options_kwarg_only)
    }

    /// All except the out arguments.
    pub fn flat_non_out(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.flat_positional().chain(self.flat_kwarg_only())
    }

    /// Inputs have no defaults, and tensors come first.
    ///
    /// Inductor of torch 2.15 calls an out variant with the tag `out` in place of the functional
    /// one, but puts tensors first and passes omitted defaults twice. Only out variants of this
    /// form work with that.
    pub(crate) fn survive_inductor_out_call(&self) -> bool {
        let mut tensors_ended = false;
        self.flat_non_out().all(|a| a.default.is_none())
            && self.flat_positional().all(|a| {
                tensors_ended |= !a.ty.is_tensor_like();
                !(tensors_ended && a.ty.is_tensor_like())
            })
    }

    /// The tensor, or the list of tensors, whose device kernels switch to, unless they switch to
    /// that of tensor options. Rule: torchgen/dest/register_dispatch_key.py, `gen_unstructured`.
    pub fn guarding_device(&self) -> Option<&Argument> {
        let mut candidates = self.self_arg.iter().chain(&self.out).chain(self.flat_positional());
        candidates.find(|argument| argument.ty.is_tensor_like()).filter(|_| self.tensor_options.is_none())
    }

    /// The tensors and lists of tensors that must be on one device, if the operator checks that.
    pub fn on_one_device(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.out.iter().chain(self.flat_positional()).filter(|argument| argument.ty.is_tensor_like())
    }

    /// All arguments.
    pub fn flat_all(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.flat_non_out().chain(&self.out)
    }

    /// Mutable arguments after `self` that are not out arguments. Keyword-only ones occur only in
    /// libraries.
    pub(crate) fn post_self_mutable(&self) -> impl Iterator<Item = &Argument> + Clone {
        self.post_self_positional.iter().chain(self.flat_kwarg_only()).filter(|argument| argument.is_write())
    }

    /// All except the out arguments, with tensor options gathered.
    pub fn non_out(&self) -> Vec<ArgumentRef<'_>> {
        self.positional_refs().chain(self.kwarg_only_refs()).collect()
    }

    fn positional_refs(&self) -> impl Iterator<Item = ArgumentRef<'_>> {
        let before = self.pre_self_positional.iter().map(ArgumentRef::Arg);
        let after = self.post_self_positional.iter().map(ArgumentRef::Arg);
        before.chain(self.self_arg.iter().map(ArgumentRef::SelfArg)).chain(after)
    }

    fn kwarg_only_refs(&self) -> impl Iterator<Item = ArgumentRef<'_>> {
        let before = self.pre_tensor_options_kwarg_only.iter().map(ArgumentRef::Arg);
        let after = self.post_tensor_options_kwarg_only.iter().map(ArgumentRef::Arg);
        before.chain(self.tensor_options.iter().map(ArgumentRef::TensorOptions)).chain(after)
    }

    /// The names of the mutable arguments.
    pub fn mutable_arg_names(&self) -> Vec<&str> {
        self.flat_all().filter(|argument| argument.is_write()).map(|argument| argument.name.as_str()).collect()
    }

    /// Whether an argument that is not an out argument contains tensors.
    pub fn has_tensor_arg(&self) -> bool {
        self.flat_non_out().any(|argument| argument.ty.is_tensor_like())
    }

    /// Whether an argument that is not an out argument contains symbolic integers.
    pub fn has_symint_arg(&self) -> bool {
        self.flat_non_out().any(|argument| argument.ty.is_symint_like())
    }

    /// Whether an argument that is not an out argument contains a generator.
    pub(crate) fn has_generator_arg(&self) -> bool {
        self.flat_non_out().any(|argument| argument.ty.is_generator_like())
    }

    /// What all variants of an operator have in common: no annotations, no tensor options, no out
    /// arguments; no defaults if the options say so.
    #[must_use]
    pub fn signature(&self, options: SignatureOptions) -> Arguments {
        let strip = |argument: &Argument| Argument {
            name: argument.name.clone(),
            ty: argument.ty.clone(),
            default: argument.default.clone().filter(|_| !options.strip_default),
            annotation: None,
            schema_name: argument.schema_name.clone(),
            by_c10: argument.by_c10,
        };
        Arguments {
            pre_self_positional: self.pre_self_positional.iter().map(strip).collect(),
            self_arg: self.self_arg.as_ref().map(strip),
            post_self_positional: self.post_self_positional.iter().map(strip).collect(),
            pre_tensor_options_kwarg_only: self
                .pre_tensor_options_kwarg_only
                .iter()
                .chain(&self.post_tensor_options_kwarg_only)
                .map(strip)
                .collect(),
            ..Arguments::default()
        }
    }

    /// The same, with `self` neither mutable nor aliased.
    #[must_use]
    pub(crate) fn remove_self_annotation(&self) -> Arguments {
        let mut arguments = self.clone();
        if let Some(argument) = &mut arguments.self_arg {
            argument.annotation = None;
        }
        arguments
    }

    /// The same with these out arguments in place of its own.
    #[must_use]
    pub(crate) fn with_out_args(&self, outs: Vec<Argument>) -> Arguments {
        Arguments { out: outs, ..self.clone() }
    }
}
