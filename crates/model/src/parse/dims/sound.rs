//! Whether a line can hold: what can be said without running the operator.
//!
//! Invariant: an error names the first token that cannot be as it is. A line without errors has a
//! meaning for all calls that its checks accept; whether its words are true is for tests.

use std::ops::Range;

use super::known::{Known, group, why_lacking};
use crate::codes;
use crate::model::dims::{Dim, DimBase, DimsLine, DimsResult};
use crate::model::{Argument, BaseTy, FunctionSchema, Return, Type};
use torchgen_base::diag::{TextError, did_you_mean, plural};
use torchgen_kit::schema::Spanned;

/// How many names the tables of checks can have, `MAX_NAMES` in C++; places in them are names too.
const MAX_NAMES: usize = 48;

/// The errors of a line, beside which an operator has these.
pub(super) fn errors(line: &DimsLine, others: &[DimsLine], func: &FunctionSchema) -> Vec<TextError> {
    let (known, in_every_call) = (Known::of_line(line, func), Known::of_every_call(line, others, func));
    let mut checks = Checks { line, others, func, known, in_every_call, errors: Vec::new() };
    checks.arguments();
    if checks.errors.is_empty() {
        checks.dims();
        checks.results();
    }
    if checks.errors.is_empty() {
        checks.clauses();
    }
    if checks.errors.is_empty() {
        checks.words();
    }
    checks.errors
}

struct Checks<'l> {
    line: &'l DimsLine,
    others: &'l [DimsLine],
    func: &'l FunctionSchema,
    known: Known<'l>,
    in_every_call: Known<'l>,
    errors: Vec<TextError>,
}

impl<'l> Checks<'l> {
    fn report(&mut self, range: &Range<usize>, message: impl Into<String>) -> &mut TextError {
        self.errors.push(TextError::new(&codes::BAD_DIMS, range.clone(), message));
        let last = self.errors.len() - 1;
        &mut self.errors[last]
    }

    /// Reports a word that the line cannot have.
    fn refuse(&mut self, range: &Range<usize>, message: impl Into<String>, help: &str) {
        let error = TextError::new(&codes::UNSOUND_DIMS, range.clone(), message);
        self.errors.push(if help.is_empty() { error } else { error.help(help) });
    }

    fn argument(&self, name: &str) -> Option<&'l Argument> {
        self.func.schema_order_arguments().find(|a| a.schema_name() == name)
    }

    /// Whether an argument is missing in all calls of the line: one that is given decides for
    /// another line.
    fn decides_for_another(&self, argument: &Argument) -> bool {
        let is_named = |line: &DimsLine| line.tensor(argument.schema_name()).is_some();
        matches!(argument.ty, Type::Optional(_)) && self.others.iter().any(is_named)
    }

    /// Tensors are arguments, each once; a line with words has all that its calls have.
    fn arguments(&mut self) {
        let line = self.line;
        let places = line.argument_dims().filter(|dim| dim.value.at.is_some()).count();
        if let Some((name, _)) = line.tensors.first().filter(|_| self.known.named.len() + places > MAX_NAMES) {
            self.report(&name.range, format!("the line has more than {MAX_NAMES} names"));
        }
        if let Some((name, _)) = line.tensors.iter().find(|(_, dims)| dims.len() > MAX_NAMES) {
            self.report(&name.range, format!("`{}` has more than {MAX_NAMES} dimensions", name.value));
        }
        for (at, (name, _)) in line.tensors.iter().enumerate() {
            self.tensor(name);
            if line.tensors[..at].iter().any(|(other, _)| other == name) {
                self.report(&name.range, format!("`{}` has its dimensions already", name.value));
            }
        }
        let is_missing = |a: &&Argument| line.tensor(a.schema_name()).is_none() && !self.decides_for_another(a);
        let missing = self.func.tensor_arguments().find(is_missing);
        if let Some((argument, word)) = missing.zip(line.split().next()) {
            let (tensor, word) = (argument.schema_name(), (&word.range, &word.value));
            let message = format!("`{tensor}` is not in the line, so parts along `{}` would get all of it", word.1);
            self.refuse(word.0, message, &format!("name every tensor: `{tensor}[_]` if nothing is known of its sizes"));
        }
    }

    /// Reports a name that is not a tensor among the arguments.
    fn tensor(&mut self, name: &Spanned<String>) -> bool {
        let found = self.argument(name);
        if found.is_some_and(|a| a.ty.is_tensor_like()) {
            return true;
        }
        let message = match found {
            Some(_) => format!("`{}` is not a tensor", name.value),
            None => format!("`{}` has no argument `{}`", self.func.name, name.value),
        };
        let known: Vec<&str> = self.func.tensor_arguments().map(Argument::schema_name).collect();
        let help = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| match known.is_empty() {
            true => "delete the line: it has no tensors".into(),
            false => format!("its tensors are `{}`", known.join("`, `")).into(),
        });
        self.report(&name.range, message).help = Some(help);
        false
    }

    /// The dimensions of each tensor among the arguments.
    fn dims(&mut self) {
        for (name, dims) in &self.line.tensors {
            let list = self.argument(name).and_then(|a| a.ty.is_list_like());
            let is_list = list.is_some();
            let can_be_none = self.argument(name).is_some_and(|a| matches!(a.ty, Type::Optional(_)));
            if is_list && can_be_none {
                let message = format!("`{}` is a list that can be None, so it has no dimensions", name.value);
                self.report(&name.range, message).help = Some("leave it out of the line".into());
            } else if matches!(list, Some(Type::List(element, _)) if element.is_nullable()) {
                let message = format!("elements of `{}` can be None, so they have no dimensions", name.value);
                self.report(&name.range, message).help = Some("leave it out of the line".into());
            }
            for dim in dims {
                self.place(dim);
                match &dim.value.base {
                    DimBase::Data | DimBase::SumOf(_) => {
                        self.report(&dim.range, format!("only a result can have `{}`", dim.value));
                    }
                    DimBase::Varying(_) if !is_list => {
                        let message = format!("`{}` is one tensor, whose sizes do not differ", name.value);
                        self.report(&dim.range, message).help = Some("delete `~`".into());
                    }
                    DimBase::Product(_) | DimBase::Computed(_) => self.solved(dim),
                    _ => {}
                }
            }
            let mut groups = dims.iter().filter(|dim| group(&dim.value).is_some());
            if let (Some(_), Some(second)) = (groups.next(), groups.next())
                && dims.iter().any(|dim| group(&dim.value).is_some() && dim.value.or_one)
            {
                let message = format!("a group that can have fewer dimensions is the only one of `{}`", name.value);
                self.report(&second.range, message).help = Some("delete `|1`, or name dimensions one by one".into());
            }
            let mut unknown =
                dims.iter().filter(|dim| group(&dim.value).is_some_and(|g| !self.known.groups.contains(g)));
            if let (Some(first), Some(second)) = (unknown.next(), unknown.next()) {
                let (first, second) = (&first.value, second.clone());
                let message = format!("no other tensor gives the ranks of `{first}` and `{}`", second.value);
                self.report(&second.range, message).help = Some(
                    "give one of them to a tensor that has no other group, or name its dimensions one by one".into(),
                );
            }
        }
    }

    /// Sizes in a product or an expression are known, but for one.
    fn solved(&mut self, dim: &Spanned<Dim>) {
        let unknown = dim.value.base.names().into_iter().find(|name| !self.known.sizes.contains(name));
        if let Some(name) = unknown.map(str::to_owned) {
            let message = format!("nothing gives the size of `{name}` in `{}`", dim.value);
            let help = match dim.value.base {
                DimBase::Product(_) => {
                    "one factor is the quotient of the others; these are sizes of tensors or arguments"
                }
                _ => "the other names of a sum are sizes of tensors or arguments",
            };
            self.report(&dim.range, message).help = Some(help.into());
        }
    }

    /// `n@dim`
    fn place(&mut self, dim: &Spanned<Dim>) {
        let Some(at) = &dim.value.at else { return };
        let found = self.argument(at);
        if found.is_some_and(|a| a.ty == Type::Base(BaseTy::Int)) {
            return;
        }
        let message = match found {
            None => format!("`{}` has no argument `{}`", self.func.name, at.value),
            Some(other) => format!("`{}` is `{}`, not an `int` that says where a dimension is", at.value, other.ty),
        };
        let numbers = self.func.schema_order_arguments().filter(|a| a.ty == Type::Base(BaseTy::Int));
        let help = did_you_mean(at, numbers.map(Argument::schema_name));
        self.report(&at.range, message).help = help;
    }

    /// Each tensor among the results has its dimensions, of known names.
    fn results(&mut self) {
        let (line, func) = (self.line, self.func);
        let returned: Vec<&Return> = func.returns.iter().filter(|ret| ret.ty.is_tensor_like()).collect();
        if returned.len() != line.results.len() {
            let (found, wanted) = (plural(line.results.len(), "result"), returned.len());
            let message = format!("the line has {found}, but `{}` returns {}", func.name, plural(wanted, "tensor"));
            let range = line.results.last().map_or(0..0, |last| self.range(last));
            self.report(&range, message).help = Some("the results are `[…]`, `([…], […])`, or `()` for none".into());
            return;
        }
        for (result, ret) in line.results.iter().zip(returned) {
            match result {
                DimsResult::Argument(name) => self.aliases(name, ret),
                DimsResult::Dims(dims) => self.result_dims(dims, ret),
            }
        }
    }

    fn range(&self, result: &DimsResult) -> Range<usize> {
        match result {
            DimsResult::Dims(dims) => dims.range.clone(),
            DimsResult::Argument(name) => name.range.clone(),
        }
    }

    /// A result that is an argument is so in the schema.
    fn aliases(&mut self, name: &Spanned<String>, ret: &Return) {
        if !self.tensor(name) {
            return;
        }
        let mut aliased = self.func.aliased_arguments(ret).chain(self.func.viewed_arguments(ret));
        if aliased.all(|argument| argument.schema_name() != name.value) {
            let message = format!("the schema does not say that this result is `{}`", name.value);
            self.report(&name.range, message).help = Some("write its dimensions in brackets".into());
        } else if self.line.tensor(name).is_none() {
            self.report(&name.range, format!("the line does not say what the dimensions of `{}` are", name.value));
        }
    }

    fn result_dims(&mut self, dims: &Spanned<Vec<Spanned<Dim>>>, ret: &Return) {
        if let Some(argument) = self.func.mutated_argument(ret) {
            let name = argument.schema_name();
            let message = format!("the schema says that this result is `{name}`");
            self.report(&dims.range, message).help = Some(format!("write `{name}` in place of its dimensions").into());
            return;
        }
        let is_list = ret.ty.is_list_like().is_some();
        for dim in &dims.value {
            self.place(dim);
            let base = &dim.value.base;
            // What a tensor names and nothing gives was reported there.
            let is_known = |name: &&str| {
                let known = match base {
                    DimBase::Group(_) => &self.known.groups,
                    _ => &self.known.sizes,
                };
                known.contains(name) || self.known.named.contains(name)
            };
            let unknown = base.names().into_iter().find(|name| !is_known(name));
            if let Some(name) = unknown.map(str::to_owned) {
                self.only_in_result(dim, &name);
            } else if let Some((message, help)) = self.only_in_some_calls(base) {
                self.report(&dim.range, message).help =
                    Some(format!("{help}; `?` is a size that depends on data").into());
            } else if dim.value.or_one {
                self.report(&dim.range, "a result has one size").help = Some("delete `|1`".into());
            } else if let Some(name) =
                base.names().into_iter().find(|name| self.differs_in(base, name)).map(str::to_owned)
            {
                let message = format!("`{name}` differs between the elements of a list, so it is no size of a result");
                self.report(&dim.range, message).help = Some(format!("write `sum(~{name})` for the sum").into());
            } else if matches!(base, DimBase::Varying(_)) && !is_list {
                self.report(&dim.range, "a tensor has one size, not one for each element of a list").help =
                    Some(format!("write `sum({})` for the sum of the elements'", dim.value).into());
            } else if let DimBase::SumOf(name) = base
                && !self.varies(name)
            {
                let message = format!("`{name}` does not differ between the elements of a list");
                self.report(&dim.range, message).help =
                    Some(format!("write `~{name}` in the list's dimensions").into());
            }
        }
    }

    fn only_in_result(&mut self, dim: &Spanned<Dim>, name: &str) {
        let message = format!("`{name}` is only in the result: nothing gives its size");
        let known: Vec<&str> = self.known.named.iter().copied().collect();
        let help = match did_you_mean(name, known) {
            Some(help) if name.len() > 2 => help,
            _ => format!("name it in a tensor, or add an argument `SymInt {name}`; `?` is a size that depends on data")
                .into(),
        };
        self.report(&dim.range, message).help = Some(help);
    }

    /// The error and the help for a size of a result that calls can lack.
    fn only_in_some_calls(&self, base: &DimBase) -> Option<(String, String)> {
        let name = base.names().into_iter().find(|name| self.known.has(name) && !self.in_every_call.has(name))?;
        why_lacking(self.line, self.others, self.func, name)
    }

    /// Whether a dimension has a name as one size that has several.
    fn differs_in(&self, base: &DimBase, name: &str) -> bool {
        !matches!(base, DimBase::Varying(_) | DimBase::SumOf(_)) && self.varies(name)
    }

    fn varies(&self, name: &str) -> bool {
        let mut all = self.line.argument_dims();
        all.any(|dim| matches!(&dim.value.base, DimBase::Varying(own) if own == name))
    }

    /// The names in clauses are those of dimensions and arguments.
    fn clauses(&mut self) {
        let line = self.line;
        for name in line.split().chain(&line.nonempty).chain(line.index.iter().map(|(_, dim)| dim)) {
            if !self.known.named.contains(name.value.as_str()) {
                let known: Vec<&str> = self.known.named.iter().copied().collect();
                let help = did_you_mean(name, known).unwrap_or_else(|| "name it in a tensor's brackets".into());
                self.report(&name.range, format!("no tensor has a dimension `{}`", name.value)).help = Some(help);
            }
        }
        let added = line.reduce.iter().flat_map(|reduction| &reduction.added);
        let tensors: Vec<&Spanned<String>> =
            added.chain(&line.linear).chain(&line.scratch).chain(line.index.iter().map(|(tensor, _)| tensor)).collect();
        for name in tensors {
            self.tensor(name);
        }
        let names: Vec<&Spanned<String>> = line.split().collect();
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                self.report(&name.range, format!("`{}` has a word already", name.value)).help =
                    Some("a dimension is in `map` or in `reduce`, once".into());
            }
        }
        for name in &line.scratch {
            if self.argument(name).is_some_and(|a| !a.is_write()) {
                let message = format!("`{}` is not mutated, so it is no scratch memory", name.value);
                self.refuse(&name.range, message, "the schema marks what is mutated: `Tensor(a!)`");
            }
            let is_result = |result: &DimsResult| matches!(result, DimsResult::Argument(own) if own == name);
            if line.results.iter().any(is_result) {
                let message = format!("`{}` is a result, so its contents mean something afterwards", name.value);
                self.refuse(&name.range, message, "delete the `scratch`");
            }
        }
        for (tensor, dim) in &line.index {
            if let Some(word) = line.split().find(|word| *word == dim) {
                let message = format!("`{}` has indices along `{}`, which must stay whole", tensor.value, dim.value);
                self.refuse(&word.range, message, "a part would have other indices; delete the word, or the `index`");
            }
        }
    }

    /// Whether the words can hold.
    fn words(&mut self) {
        let line = self.line;
        let results: Vec<(Range<usize>, &[Spanned<Dim>])> =
            line.results.iter().filter_map(|result| Some((self.range(result), line.result(result)?))).collect();
        let data = results.iter().flat_map(|(_, dims)| *dims).find(|dim| dim.value.base == DimBase::Data);
        if let Some((data, word)) = data.zip(line.split().chain(&line.linear).next()) {
            let message =
                format!("the size of a result depends on data, so parts along `{}` cannot be joined", word.value);
            self.refuse(&data.range, message, "delete `map` and `reduce`");
            return;
        }
        for word in line.split() {
            if self.splittable(word, &results) {
                self.has_all(word, &results);
            }
        }
        let lists = self.func.returns.iter().any(|ret| ret.ty.is_list_like().is_some());
        if let Some(word) = line.split().next().filter(|_| lists) {
            self.refuse(&word.range, "a result is a list, whose parts cannot be joined", "delete `map` and `reduce`");
        }
        if let Some(word) = line.linear.first().filter(|_| results.is_empty()) {
            self.refuse(&word.range, "without a result, nothing is linear", "delete `linear`");
        }
    }

    /// Whether parts along a name are parts of each tensor.
    fn splittable(&mut self, word: &Spanned<String>, results: &[(Range<usize>, &[Spanned<Dim>])]) -> bool {
        let before = self.errors.len();
        let inputs = self.line.tensors.iter().map(|(name, dims)| (format!("`{}`", name.value), dims.as_slice()));
        let outputs = results.iter().map(|(_, dims)| ("the result".to_owned(), *dims));
        for (what, dims) in inputs.chain(outputs).collect::<Vec<_>>() {
            // Once for each time that a dimension has it.
            let times = |dim: &Spanned<Dim>| dim.value.base.names().iter().filter(|own| **own == word.value).count();
            let own: Vec<&Spanned<Dim>> = dims.iter().flat_map(|dim| std::iter::repeat_n(dim, times(dim))).collect();
            let name = &word.value;
            let (message, help) = match own.as_slice() {
                [] => continue,
                [_, _, ..] => (format!("`{name}` is twice in {what}: it can only be whole"), "delete the word"),
                [dim] if dim.value.base.splits_along(name) => continue,
                [dim] => match &dim.value.base {
                    DimBase::Product(_) => (
                        format!(
                            "`{name}` is not the outer factor of `{}` in {what}: its parts are not contiguous",
                            dim.value
                        ),
                        "only the first factor can be split",
                    ),
                    DimBase::Varying(_) | DimBase::SumOf(_) => {
                        (format!("`{name}` differs between the elements of {what}"), "delete the word")
                    }
                    _ => (
                        format!(
                            "`{name}` is part of `{}` in {what}: parts along it do not have these sizes",
                            dim.value
                        ),
                        "delete the word",
                    ),
                },
            };
            self.refuse(&word.range, message, help);
            break;
        }
        self.errors.len() == before
    }

    /// `map` is for what all results and mutated arguments have, `reduce` for what some lack.
    fn has_all(&mut self, word: &Spanned<String>, results: &[(Range<usize>, &[Spanned<Dim>])]) {
        let (line, name) = (self.line, word.value.as_str());
        let has = |dims: &[Spanned<Dim>]| dims.iter().any(|dim| dim.value.base.splits_along(name));
        let lacks = |argument: &&Argument| {
            argument.is_write()
                && line.scratch.iter().all(|scratch| scratch.value != argument.schema_name())
                && line.tensor(argument.schema_name()).is_some_and(|dims| !has(dims))
        };
        if let Some(argument) = self.func.tensor_arguments().find(lacks) {
            let argument = argument.schema_name();
            let message = format!("`{argument}` is mutated and has no `{name}`: each part would write all of it");
            self.refuse(&word.range, message, &format!("write `scratch({argument})` if it holds no result afterwards"));
            return;
        }
        let reduction = line.reduce.iter().find(|reduction| reduction.name == *word);
        let lacking = results.iter().find(|(_, dims)| !has(dims));
        match (reduction, lacking) {
            (None, Some(_)) => {
                let help = format!("write `reduce({name}=…)` if the parts' results can be combined");
                self.refuse(
                    &word.range,
                    format!("a result has no `{name}`, so parts along it cannot be joined"),
                    &help,
                );
            }
            (Some(_), None) if !results.is_empty() => {
                let help = format!("write `map({name})`");
                self.refuse(&word.range, format!("all results have `{name}`, so there is nothing to combine"), &help);
            }
            (Some(reduction), Some(_)) => {
                if let Some(added) = reduction.added.first().filter(|_| results.iter().any(|(_, dims)| has(dims))) {
                    let message = format!("a result has `{name}`, so `{}` is no term of one sum", added.value);
                    self.refuse(&added.range, message, &format!("delete `+ {}`", added.value));
                }
                self.added(reduction.added.as_slice(), name, has);
            }
            _ => {}
        }
    }

    /// What is added once has no part of its own.
    fn added(&mut self, added: &[Spanned<String>], name: &str, has: impl Fn(&[Spanned<Dim>]) -> bool) {
        for argument in added {
            if self.line.tensor(argument).is_some_and(&has) {
                let message = format!("`{}` has `{name}`, so each part has its own", argument.value);
                self.refuse(&argument.range, message, &format!("delete `+ {}`", argument.value));
            }
        }
    }
}
