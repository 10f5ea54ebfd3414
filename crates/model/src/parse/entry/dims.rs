//! The line of `dims:` beside the other keys of an entry: they agree, and what no line can say has
//! another key.
//!
//! Invariant: the line itself is sound (`parse::dims`). A line that follows from another operator's
//! is not here; it repeats what its source says.

use super::EntryOptions;
use crate::codes;
use crate::model::dims::{DimBase, Dims, DimsLine, DimsResult, Flops};
use crate::model::outputs::Fake;
use crate::model::{BackendMetadata, BaseTy, DispatchKey, FunctionSchema, NativeFunction, Type};
use crate::records::NativeFunctionRecord;
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};

/// The value of `flops:`, unless its names are those of a line with errors.
pub(super) fn flops(
    record: &NativeFunctionRecord,
    dims: Option<&Dims>,
    func: &FunctionSchema,
    diagnostics: &mut Diagnostics,
) -> Option<Flops> {
    let text = record.flops.as_ref().filter(|_| record.dims.is_none() || dims.is_some())?;
    crate::parse::dims::flops(text, dims, func, diagnostics)
}

/// Reports a line that another key of the entry contradicts.
pub(super) fn check_dims(
    f: &NativeFunction,
    record: &NativeFunctionRecord,
    kernels: &[(DispatchKey, BackendMetadata)],
    options: EntryOptions,
    diagnostics: &mut Diagnostics,
) {
    let Some(place) = f.spans.dims.or(f.spans.flops) else { return };
    if options.target.is_stock(f) {
        let error = Diagnostic::new(&codes::DIMS_CONFLICT, "PyTorch knows the dimensions of its own operators");
        diagnostics.push(error.at(place).help("delete the key"));
        return;
    }
    let Some(dims) = &f.dims else { return };
    let texts = record.dims.iter().flat_map(|texts| &texts.value);
    for (line, text) in dims.lines.iter().zip(texts) {
        let mut entry = Entry { f, record, line, place: text.span(), diagnostics };
        entry.splits();
        entry.tags();
        if !kernels.iter().any(|(key, _)| *key == DispatchKey::Meta) {
            entry.sizes_are_known();
        }
        entry.fake();
        entry.whole(|range| text.sub_span(range));
    }
}

/// A line and its entry.
struct Entry<'e> {
    f: &'e NativeFunction,
    record: &'e NativeFunctionRecord,
    line: &'e DimsLine,
    place: Span,
    diagnostics: &'e mut Diagnostics,
}

impl Entry<'_> {
    fn conflict(&mut self, message: String, help: &str) {
        let error = Diagnostic::new(&codes::DIMS_CONFLICT, message).at(self.place);
        let beside = self.record.tags.as_ref().map(|tags| tags.span).filter(|_| help.contains("tag"));
        let error = match beside {
            Some(tags) => error.also(tags, "the tags are here"),
            None => error,
        };
        self.diagnostics.push(error.help(help));
    }

    /// Operators of which no part can run alone have no words.
    fn splits(&mut self) {
        let Some(word) = self.line.split().next().map(|word| word.value.clone()) else { return };
        let name = &self.f.func.name;
        if self.f.has_composite_implicit_autograd_kernel {
            let message = format!(
                "`{name}` is composite, so `torch.vmap` and DTensor see the operators that it calls, and never `{word}`"
            );
            self.conflict(message, "delete `map` and `reduce`: the line is checked, and gives sizes");
        } else if self.f.has_tag("nondeterministic_seeded") {
            let message = format!("`{name}` draws random numbers, and parts along `{word}` would draw others");
            self.conflict(message, "delete `map` and `reduce`, or the tag `nondeterministic_seeded`");
        }
    }

    fn tags(&mut self) {
        let (line, name) = (self.line, &self.f.func.name);
        let all: Vec<&str> = line.argument_dims().flat_map(|dim| dim.value.base.names()).collect();
        let is_whole = |name: &&&str| line.map.iter().all(|mapped| mapped.value != **name);
        if self.f.has_tag("pointwise")
            && let Some(other) = all.iter().find(is_whole)
        {
            let message = format!("`{name}` is pointwise, but the line does not map `{other}`");
            self.conflict(message, "map all dimensions, or delete the tag `pointwise`");
        }
        let results: Vec<_> = line.results.iter().filter_map(|result| line.result(result)).collect();
        let in_result =
            |name: &str| results.iter().any(|dims| dims.iter().any(|dim| dim.value.base.names().contains(&name)));
        if self.f.has_tag("reduction") && !all.is_empty() && all.iter().all(|name| in_result(name)) {
            let message = format!("`{name}` has the tag `reduction`, but all dimensions of the line are in its result");
            self.conflict(message, "name what it reduces, or delete the tag `reduction`");
        }
        let has_data = results.iter().any(|dims| dims.iter().any(|dim| dim.value.base == DimBase::Data));
        match (self.f.has_tag("dynamic_output_shape"), has_data) {
            (true, false) => {
                let message = format!(
                    "the tag says that the size of a result of `{name}` depends on data, but the line does not"
                );
                self.conflict(message, "write `?` for the size, or delete the tag `dynamic_output_shape`");
            }
            (false, true) => {
                let message = format!("the size of a result depends on data, but the tags of `{name}` do not say so");
                self.conflict(message, "add `tags: dynamic_output_shape`");
            }
            _ => {}
        }
    }

    /// A size that the line does not give has a fake.
    fn sizes_are_known(&mut self) {
        let unknown = self.line.results.iter().find_map(|result| match result {
            DimsResult::Dims(dims) => dims.value.iter().find(|dim| !dim.value.base.is_given()),
            DimsResult::Argument(_) => None,
        });
        let Some(dim) = unknown.filter(|_| !self.f.part_of_structured_group()) else { return };
        let is_given = match &self.f.fake {
            Some(Fake::Function(_)) => true,
            Some(Fake::Outputs(outputs)) => outputs.iter().all(|output| output.size.is_some()),
            None => self.record.fake.is_some(),
        };
        if !is_given {
            let message = format!("the line does not give the size `{}` of a result, and nothing else does", dim.value);
            let help = "write `fake: .fakes:function`, a Python function that makes the results without data";
            self.conflict(message, help);
        }
    }

    /// The sizes of `fake:` are those of the line.
    fn fake(&mut self) {
        let (Some(Fake::Outputs(outputs)), Some(place)) = (&self.f.fake, self.f.spans.fake) else { return };
        for (output, result) in outputs.iter().zip(&self.line.results) {
            let (Some(size), DimsResult::Dims(dims)) = (&output.size, result) else { continue };
            let Some(difference) = super::fake_sizes::difference(self.line, size, &dims.value) else { continue };
            let error =
                Diagnostic::new(&codes::DIMS_CONFLICT, format!("`fake:` and `dims:` give a result {difference}"));
            self.diagnostics.push(
                error
                    .at(place)
                    .also(self.place, "this is the line")
                    .help("delete `size=`, which follows from the line"),
            );
        }
    }

    /// What parts get whole without a name for it.
    fn whole(&mut self, place: impl Fn(std::ops::Range<usize>) -> Span) {
        let Some(word) = self.line.map.first() else { return };
        let warning = |message: String| Diagnostic::new(&codes::DIMS_UNNAMED, message).at(place(word.range.clone()));
        for (tensor, dims) in &self.line.tensors {
            let names = |base: &DimBase| !matches!(base, DimBase::Unchecked | DimBase::Number(_));
            let is_unnamed = dims.iter().any(|dim| dim.value.base == DimBase::Unchecked)
                && !dims.iter().any(|dim| names(&dim.value.base))
                && self.line.scratch.iter().all(|scratch| scratch != tensor);
            if is_unnamed {
                let (tensor, word) = (&tensor.value, &word.value);
                let message =
                    format!("each part along `{word}` gets all of `{tensor}`, whose dimensions have no names");
                let help = format!("name them: a value for each of `{word}` would be `{tensor}[{word}|1]`");
                self.diagnostics.push(warning(message).help(help));
            }
        }
        let is_named = |name: &str| self.line.is_about(name) || self.line.gives_result(name);
        let numbers = self.f.func.schema_order_arguments();
        let number = numbers.filter(|a| matches!(a.ty, Type::Base(BaseTy::Int | BaseTy::SymInt)));
        for argument in number.filter(|a| !is_named(a.schema_name())) {
            let (name, word) = (argument.schema_name(), &word.value);
            let message = format!("each part along `{word}` gets the same `{name}`, which could be a place along it");
            let help = format!("delete `{word}` from `map` if it is one; else write `allow: [TG0951]`");
            self.diagnostics.push(warning(message).help(help));
        }
    }
}
