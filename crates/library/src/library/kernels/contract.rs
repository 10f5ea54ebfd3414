//! Compares what kernels do with what their schemas and keys say.
//!
//! Invariant: a kernel gets one lint of each kind and argument. A kernel whose text does not show
//! all that it does with an argument gets none for what it may not do.

use std::ops::Range;

use super::body::{Does, Effect, SIZES, name};
use super::sources::LocatedDefinition;
use super::wanted::{SchemaTensor, WantedKernel};
use crate::library::int_sizes::IntArgument;
use torchgen_base::diag::{CodeInfo, Diagnostic, Help, Span};
use torchgen_base::lang::cpp::DefinitionForm;
use torchgen_model::codes;
use torchgen_model::model::DispatchKey;

/// Codes of what `kernels` and `check` report about what kernels do.
pub const CONTRACT: [&CodeInfo; 8] = [
    &codes::COMPOSITE_MEMORY,
    &codes::KERNEL_WRITES,
    &codes::KERNEL_RETURNS_ARGUMENT,
    &codes::META_READS_NUMBER,
    &codes::INT_SIZE,
    &codes::NEVER_WRITTEN,
    &codes::KERNEL_NAMESAKE,
    &codes::OTHER_ABI,
];

/// The lints on a kernel and its definition.
pub(super) fn lints(kernel: &WantedKernel, one: &LocatedDefinition) -> Vec<Diagnostic> {
    let compared = Compared { kernel, one };
    let mut found: Vec<Diagnostic> = compared.memory().into_iter().collect();
    found.extend(compared.mutated());
    found.extend(compared.returned());
    found.extend(compared.numbers());
    found.extend(compared.untouched());
    found
}

struct Compared<'c> {
    kernel: &'c WantedKernel,
    one: &'c LocatedDefinition,
}

impl Compared<'_> {
    fn place(&self, range: &Range<usize>) -> Span {
        Span::new(self.one.file, range.start, range.end)
    }

    /// Whether it is a kernel for all backends.
    fn is_composite(&self) -> bool {
        self.kernel.key.is_some_and(|key| key.as_str().starts_with("Composite"))
    }

    /// The schema's argument for a parameter.
    fn argument(&self, parameter: usize) -> Option<&SchemaTensor> {
        self.kernel.tensors.iter().find(|tensor| self.is_named(parameter, &tensor.name))
    }

    /// Whether a parameter is the schema's argument of that name. C++ may need another one.
    fn is_named(&self, parameter: usize, argument: &str) -> bool {
        let declared = self.kernel.parameters.get(parameter).map(|declared| name(declared));
        declared.is_some_and(|own| own == argument || own.strip_suffix('_') == Some(argument))
    }

    /// A kernel for all backends that uses the memory of tensors.
    fn memory(&self) -> Option<Diagnostic> {
        let key = self.kernel.key.filter(|_| self.is_composite())?;
        let (method, range) = self.one.memory.as_ref()?;
        let message = format!("`{}` is a kernel for all backends, and calls `{method}`", self.kernel.full_name());
        let why = if self.kernel.is_default { ", since there is no `dispatch:`" } else { "" };
        Some(
            Diagnostic::new(&codes::COMPOSITE_MEMORY, message)
                .at_with(self.place(range), "tensors of compilers and other devices have no memory here")
                .also(self.kernel.span, format!("it is for {key}{why}"))
                .help("name the kernel for the devices whose memory it uses: `CPU`")
                .help("or call operators, which work on all backends"),
        )
    }

    /// A lint on an effect, with the places of the effect and of the argument.
    fn on(&self, lint: Diagnostic, effect: &Effect, argument: &SchemaTensor, label: String) -> Diagnostic {
        let mut lint = lint.at_with(self.place(&effect.range), label);
        if let Some((file, range)) = &effect.inside {
            lint = lint.also(Span::new(*file, range.start, range.end), "here");
        }
        let lint = lint.also(argument.span, format!("`{}`", argument.text));
        match effect.unless {
            Some(method) => lint.note(format!("`{method}` gives the tensor itself where it has nothing to do")),
            None => lint,
        }
    }

    /// Arguments that the kernel mutates, and the schema does not mark.
    fn mutated(&self) -> Vec<Diagnostic> {
        let lint = |effect: &Effect| {
            let argument = self.argument(effect.parameter).filter(|argument| !argument.is_mutable)?;
            let name = &argument.name;
            let message = format!("kernel `{}` writes `{name}`: mark it `Tensor(a!)`", self.kernel.full_name());
            let label = format!("`{}` writes it", effect.by);
            let lint = self.on(Diagnostic::new(&codes::KERNEL_WRITES, message), effect, argument, label);
            let marked = argument.text.replacen("Tensor", "Tensor(a!)", 1);
            let help = format!("write `{marked}` in the schema, or let the kernel write a copy of `{name}`");
            let note = "a program that is compiled drops a write that no schema declares";
            Some(lint.help(help).note(note))
        };
        self.one.effects.first_of_each_parameter(Does::Writes).into_iter().filter_map(lint).collect()
    }

    /// Arguments that the kernel returns, and the schema does not declare as aliases of a result.
    fn returned(&self) -> Vec<Diagnostic> {
        // Compilers see through these: they call the operators that such a kernel calls.
        if self.kernel.key == Some(DispatchKey::CompositeImplicitAutograd)
            || self.kernel.form != DefinitionForm::Function
        {
            return Vec::new();
        }
        let lint = |effect: &Effect| {
            let argument = self.argument(effect.parameter).filter(|argument| !argument.is_returned)?;
            let name = &argument.name;
            let message = format!("kernel `{}` returns its argument `{name}`", self.kernel.full_name());
            let label = "the result shares the memory of an argument".to_owned();
            let lint = self.on(Diagnostic::new(&codes::KERNEL_RETURNS_ARGUMENT, message), effect, argument, label);
            Some(match argument.is_mutable {
                true => lint.help("give the result the alias set of the argument: `-> Tensor(a!)`"),
                false => lint
                    .help(format!("return a copy: `{name}.clone()`"))
                    .help("or declare a view: `Tensor(a)` for the argument and the result"),
            })
        };
        self.one.effects.first_of_each_parameter(Does::Returns).into_iter().filter_map(lint).collect()
    }

    /// Sizes that a Meta kernel reads as numbers, or gets as such.
    fn numbers(&self) -> Vec<Diagnostic> {
        let is_meta = self.kernel.key == Some(DispatchKey::Meta) || self.kernel.form == DefinitionForm::Meta;
        // A meta function of PyTorch's kind may have numbers for all its sizes.
        if !is_meta || self.kernel.form == DefinitionForm::Meta {
            return Vec::new();
        }
        let of_size = |effect: &&Effect| SIZES.iter().any(|(size, _)| *size == effect.by);
        let mut sizes = self.one.effects.all.iter().filter(|effect| effect.does == Does::ReadsAsNumber).filter(of_size);
        let full_name = self.kernel.full_name();
        let Some((effect, argument)) = sizes.next().and_then(|effect| Some((effect, self.argument(effect.parameter)?)))
        else {
            return self.numbers_by_type(&full_name);
        };
        let message = format!("Meta kernel `{full_name}` reads a size of `{}` as a number", argument.name);
        let label = format!("`{}` gives a number, also where the size is a symbol", effect.by);
        let lint = Diagnostic::new(&codes::META_READS_NUMBER, message).at_with(self.place(&effect.range), label);
        let mut lint = lint.also(self.kernel.span, "compilers call it with symbols for sizes");
        for further in sizes.take(4) {
            lint = lint.also(self.place(&further.range), "here too");
        }
        let symbolic = SIZES.iter().find(|(size, _)| *size == effect.by).map(|(_, symbolic)| *symbolic);
        let lint = match symbolic.filter(|_| !self.kernel.abi.is_stable()) {
            Some(symbolic) => lint
                .help(Help::write(symbolic).at(self.place(&effect.range), symbolic))
                .help("and `c10::SymInt` for what is computed with it"),
            None => lint.help("write `fake:` with an expression or a function in Python in place of the Meta kernel"),
        };
        vec![lint]
    }

    /// What the types of a Meta kernel's arguments make numbers of, or its text.
    fn numbers_by_type(&self, full_name: &str) -> Vec<Diagnostic> {
        let Compared { kernel, one } = self;
        // A meta function of the stable ABI has a lint of its own.
        if kernel.abi.is_stable() {
            return Vec::new();
        }
        if let Some((guard, range)) = &one.symbolic.guard {
            let message = format!("Meta kernel `{full_name}` makes a number of a symbolic size");
            let lint = Diagnostic::new(&codes::META_READS_NUMBER, message);
            let lint = lint.at_with(self.place(range), "holds for one value of the size");
            let help = format!("compute with `c10::SymInt`, without `{guard}`");
            return vec![lint.also(kernel.span, "compilers call it with symbols for sizes").help(help)];
        }
        let size_of = |own: &IntArgument| {
            let mut sizes = one.symbolic.sizes.iter();
            sizes.find(|size| self.is_named(size.parameter, &own.name) && size.is_element != own.is_list())
        };
        let ints = kernel.ints.iter().filter_map(|own| Some((own, size_of(own)?)));
        ints.map(|(own, size)| own.lint(&kernel.operator, self.place(&size.range))).collect()
    }

    /// Arguments that the schema marks, and the kernel does not write.
    fn untouched(&self) -> Vec<Diagnostic> {
        let writes = self.kernel.key.is_some_and(|key| {
            key.is_of_backend() && key != DispatchKey::Meta && !key.as_str().starts_with("Autograd")
        });
        if !writes || self.kernel.form != DefinitionForm::Function {
            return Vec::new();
        }
        let effects = &self.one.effects;
        let note = |(parameter, is_open): (usize, &bool)| {
            let argument = self.argument(parameter).filter(|argument| argument.is_mutable && !is_open)?;
            let is_written =
                effects.all.iter().any(|effect| effect.parameter == parameter && effect.does != Does::ReadsAsNumber);
            if is_written {
                return None;
            }
            let message = format!("kernel `{}` does not write `{}`", self.kernel.full_name(), argument.name);
            let range = self.one.definition.parameter_ranges.get(parameter)?;
            Some(
                Diagnostic::new(&codes::NEVER_WRITTEN, message)
                    .at(self.place(range))
                    .also(argument.span, "marked as mutable")
                    .help(format!("delete the mark of `{}` in the schema, if no kernel writes it", argument.name)),
            )
        };
        effects.open.iter().enumerate().filter_map(note).collect()
    }
}
