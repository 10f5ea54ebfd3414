//! Decides for every operator: a wrapper and its template, or the reason that there is none.
//!
//! Invariant: each operator has exactly one row, and no name is registered twice.

use std::collections::HashMap;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::aliases::{self, Named};
use super::codes;
use super::expression::Language;
use super::flags::{Flags, OnMissing, Pack};
use super::matching::{self, Hints, NoMapping};
use super::model::Model;
use super::model::functions::Function;
use super::model::operators::Operator;
use super::reason::Reason;
use super::records::EntryRecord;
use super::together::DiagnosticsByOperator;
use super::types::{TypeSuffixes, form, kind};
use super::unknown;
use super::values;
use super::wrapper::{Maker, Refusal, Wrapped};
use torchgen_base::diag::{Diagnostic, Diagnostics, did_you_mean};
use torchgen_base::yaml::Text;
use torchgen_model::model::{BaseTy, SchemaKind};

/// The templates of entries.
pub(super) const TEMPLATES: [&str; 8] =
    ["base", "list_inp", "factory", "view", "native", "fallback", "fallthrough", "custom"];

/// What is generated for an operator.
#[derive(Debug, Clone)]
pub(super) enum Code {
    /// A call of the graph API.
    Call(Box<Wrapped>),
    /// A call of a function in `at::native`.
    Native(String),
    /// A registration of PyTorch's fallback to the CPU.
    Fallback,
    /// A registration of the next key's kernel.
    Fallthrough,
    /// A declaration; the author writes the function.
    Custom,
}

/// The decision about an operator.
#[derive(Debug, Clone)]
pub(super) enum Decision {
    Made(Code),
    Skipped(Reason, String),
}

/// An operator and its decision.
#[derive(Debug)]
pub(super) struct Row<'a> {
    pub(super) operator: &'a Operator,
    pub(super) entry: Option<&'a EntryRecord>,
    pub(super) template: &'a str,
    pub(super) decision: Decision,
    /// Its entry has errors.
    pub(super) is_wrong: bool,
}

/// What decisions depend on.
pub(super) struct Plan<'a> {
    model: &'a Model,
    flags: &'a Flags,
    language: Language,
    named: Named<'a>,
}

/// The operators that an entry is for.
fn selector(entry: &EntryRecord) -> (&str, Option<&str>) {
    match entry.op.as_str().split_once('.') {
        Some((name, "default")) => (name, Some("")),
        Some((name, overload)) => (name, Some(overload)),
        None => (entry.op.as_str(), None),
    }
}

impl<'a> Plan<'a> {
    /// The plan of a run.
    pub(super) fn new(model: &'a Model, flags: &'a Flags) -> Plan<'a> {
        let language = Language::new(&model.names.namespace);
        Plan { model, flags, language, named: Named::from_operators(&model.operators) }
    }

    /// A row for every operator. Errors in entries are diagnostics.
    pub(super) fn rows(&self, diagnostics: &mut Diagnostics) -> Vec<Row<'a>> {
        let chosen = self.choose(diagnostics);
        let row = |operator: &'a Operator| self.row(operator, chosen.get(operator.full_name().as_str()).copied());
        let decided: Vec<(Row<'a>, Vec<Diagnostic>)> = self.model.operators.par_iter().map(row).collect();
        let mut rows = Vec::with_capacity(decided.len());
        let mut found = DiagnosticsByOperator::default();
        for (row, wrong) in decided {
            wrong.into_iter().for_each(|diagnostic| found.add(&row.operator.full_name(), diagnostic));
            rows.push(row);
        }
        diagnostics.extend(found.diagnostics());
        rows
    }

    /// The entry of each operator: the most specific one.
    fn choose(&self, diagnostics: &mut Diagnostics) -> HashMap<String, &'a EntryRecord> {
        let mut entries: HashMap<(&str, Option<&str>), &'a EntryRecord> = HashMap::new();
        let mut chosen: HashMap<String, (u8, &'a EntryRecord)> = HashMap::new();
        for entry in &self.model.record.entries {
            let (name, overload) = selector(entry);
            if let Some(first) = entries.get(&(name, overload)) {
                let message = format!("a second entry for `{}`", entry.op);
                let diagnostic = Diagnostic::new(&codes::DUPLICATE_ENTRY, message).at(entry.op.span());
                diagnostics.push(diagnostic.also(first.op.span(), "the first is here"));
                continue;
            }
            entries.insert((name, overload), entry);
            let mut taken = 0;
            let inplace = format!("{name}_");
            let names = [(name, 2_u8), (inplace.as_str(), 0)];
            for (name, base) in names.into_iter().take(if entry.inplace { 2 } else { 1 }) {
                for operator in self.named.overloads(name) {
                    if overload.is_some_and(|overload| overload != operator.overload()) {
                        continue;
                    }
                    taken += 1;
                    let rank = base + u8::from(overload.is_some());
                    let slot = chosen.entry(operator.full_name()).or_insert((rank, entry));
                    if rank > slot.0 {
                        *slot = (rank, entry);
                    }
                }
            }
            if taken == 0 {
                diagnostics.push(unknown::operator(entry, name, overload, &self.named));
                diagnostics.extend(unknown::function(entry, self.model));
                diagnostics.extend(unknown::shapes(entry));
            }
        }
        chosen.into_iter().map(|(name, (_, entry))| (name, entry)).collect()
    }

    fn row(&self, operator: &'a Operator, entry: Option<&'a EntryRecord>) -> (Row<'a>, Vec<Diagnostic>) {
        let mut wrong = Vec::new();
        let template = self.template(operator, entry);
        let decision = match entry {
            _ if self.model.registered.contains(&operator.full_name()) => {
                Decision::Skipped(Reason::ManualInBody, "the body registers it".to_owned())
            }
            _ if self.flags.required_only && !operator.required => {
                Decision::Skipped(Reason::NotRequired, "PyTorch has a kernel for every backend".to_owned())
            }
            None => self.missing(operator),
            Some(entry) => self.decide(operator, entry, template, &mut wrong),
        };
        (Row { operator, entry, template, decision, is_wrong: !wrong.is_empty() }, wrong)
    }

    fn template(&self, operator: &Operator, entry: Option<&'a EntryRecord>) -> &'a str {
        match entry.map(|entry| &entry.template) {
            _ if self.flags.pack == Pack::Cpu => "fallback",
            Some(Some(template)) => template.as_str(),
            Some(None) => match operator.inputs().next() {
                Some(first) if first.ty.is_tensor_like() && form(&first.ty).0 == TypeSuffixes::List => "list_inp",
                _ => "base",
            },
            None => match self.flags.on_missing {
                OnMissing::Skip => "",
                OnMissing::Fallback => "fallback",
                OnMissing::Native => "native",
            },
        }
    }

    fn missing(&self, operator: &Operator) -> Decision {
        let none = || Decision::Skipped(Reason::NoMetadata, "no entry names it".to_owned());
        match (self.flags.on_missing, &operator.native) {
            _ if !operator.required => none(),
            (OnMissing::Skip, _) | (OnMissing::Native, None) => none(),
            (OnMissing::Fallback, _) => Decision::Made(Code::Fallback),
            (OnMissing::Native, Some(native)) => Decision::Made(Code::Native(native.clone())),
        }
    }

    fn decide(
        &self,
        operator: &'a Operator,
        entry: &'a EntryRecord,
        template: &str,
        wrong: &mut Vec<Diagnostic>,
    ) -> Decision {
        if operator.composite_implicit && !entry.composite {
            let detail = "a kernel would replace PyTorch's derivative too".to_owned();
            return Decision::Skipped(Reason::CompositeImplicit, detail);
        }
        match template {
            "base" | "list_inp" | "factory" => {}
            "custom" => return Decision::Made(Code::Custom),
            "fallback" => return Decision::Made(Code::Fallback),
            "fallthrough" => return Decision::Made(Code::Fallthrough),
            "view" | "native" => {
                if template == "view" && operator.overload() == "dtype" {
                    return Decision::Skipped(Reason::ViewDtype, "it views memory as another type".to_owned());
                }
                return match &operator.native {
                    Some(native) => Decision::Made(Code::Native(native.clone())),
                    None => Decision::Skipped(Reason::NoTemplate, "`at::native` has no function for it".to_owned()),
                };
            }
            _ => {
                if let Some(template) = &entry.template {
                    let message = format!("there is no template `{template}`");
                    let help = did_you_mean(template.as_str(), TEMPLATES)
                        .unwrap_or_else(|| format!("the templates are {}", TEMPLATES.join(", ")).into());
                    wrong.push(Diagnostic::new(&codes::WRAPPER_KEY, message).at(template.span()).help(help));
                }
                return Decision::Skipped(Reason::NoTemplate, format!("there is no template `{template}`"));
            }
        }
        match self.call(operator, entry, template) {
            Ok(wrapped) => Decision::Made(Code::Call(Box::new(wrapped))),
            Err(Refusal::Skip(reason, detail)) => Decision::Skipped(reason, detail),
            Err(Refusal::Wrong(diagnostics)) => {
                wrong.extend(diagnostics);
                Decision::Skipped(Reason::NoTemplate, "its entry has errors".to_owned())
            }
        }
    }

    fn call(&self, operator: &'a Operator, entry: &'a EntryRecord, template: &str) -> Result<Wrapped, Refusal> {
        let skip = |reason, detail: &str| Err(Refusal::Skip(reason, detail.to_owned()));
        let is_factory = template == "factory";
        let starts_with_tensor = operator.inputs().next().is_some_and(|first| first.ty.is_tensor_like());
        if !is_factory && !starts_with_tensor {
            return skip(Reason::FirstArgNotTensor, "its first argument is not a tensor");
        }
        if let Some(input) = operator.inputs().find(|input| kind(&input.ty) == BaseTy::Dimname) {
            return skip(Reason::UnsupportedType, &format!("`{}` is a Dimname", input.name));
        }
        if operator.kind() == SchemaKind::Mutable {
            return skip(Reason::WritesArguments, "it mutates an argument other than `self` and `out`");
        }
        let functional = self.named.functional_of(operator);
        if let Some(wrong) = aliases::refused(operator, entry, functional, &self.named) {
            return Err(Refusal::Wrong(vec![wrong]));
        }
        let functions = self.functions_of(entry)?;
        // A condition on an argument without a default does not say that it is left out.
        let is_option = |name: &&Text| {
            let mut inputs = operator.inputs();
            inputs.any(|input| input.name.as_str() == name.as_str() && input.default.is_some())
        };
        let options = entry.guard.iter().map(|(name, _)| name).filter(is_option).chain(&entry.drop).map(Text::as_str);
        let hints = Hints {
            extra: entry.extra.iter().map(|(name, _)| name.as_str()).collect(),
            map: entry.map.iter().map(|(parameter, argument)| (parameter.as_str(), argument.as_str())).collect(),
            // What an expression uses is not passed by its type too, except for tensors.
            spared: operator
                .inputs()
                .filter(|input| !input.ty.is_tensor_like())
                .map(|input| input.name.as_str())
                .filter(|name| entry.extra.iter().any(|(_, node)| values::mentions(node, name)))
                .chain(options)
                .collect(),
        };
        let (function, mapping) =
            matching::choose(operator, &functions, &hints).map_err(|none| self.no_mapping(operator, entry, none))?;
        let maker = Maker {
            operator,
            entry,
            function,
            mapping: &mapping,
            language: &self.language,
            contiguous: self.model.record.contiguous,
            is_factory,
            functional,
            backend: &self.model.names.name,
            dispatch_key: &self.model.names.dispatch_key,
        };
        maker.make()
    }

    fn functions_of(&self, entry: &'a EntryRecord) -> Result<Vec<&'a Function>, Refusal> {
        let Some(call) = &entry.call else {
            let message = format!("the entry of `{}` needs the key `call`", entry.op);
            let help = "name a function of the backend, or set `template:` to `view`, `fallback` or `custom`";
            return Err(Refusal::Wrong(vec![
                Diagnostic::new(&codes::WRAPPER_KEY, message).at(entry.op.span()).help(help),
            ]));
        };
        let functions: Vec<&Function> =
            self.model.functions.iter().filter(|function| function.name == call.as_str()).collect();
        match unknown::function(entry, self.model) {
            Some(error) => Err(Refusal::Wrong(std::iter::once(error).chain(unknown::shapes(entry)).collect())),
            None => Ok(functions),
        }
    }

    /// An error for the only operator of an entry; otherwise the overload is skipped.
    fn no_mapping(&self, operator: &Operator, entry: &EntryRecord, none: NoMapping) -> Refusal {
        let is_specific = selector(entry).1.is_some();
        let place = entry.call.as_ref().unwrap_or(&entry.op).span();
        let name = operator.full_name();
        let error = |code, message: String, help: String| {
            Refusal::Wrong(vec![Diagnostic::new(code, message).at(place).help(help)])
        };
        match none {
            NoMapping::Ambiguous { parameter, candidates } => {
                let message = format!("`{name}` has several arguments for `{parameter}`: {}", candidates.join(", "));
                let help = format!("name one: `map: {{{parameter}: {}}}`", candidates[0]);
                error(&codes::AMBIGUOUS_MAPPING, message, help)
            }
            NoMapping::Missing { parameter } if is_specific => {
                let message = format!("`{name}` has no argument for the parameter `{parameter}`");
                let help = "give it a value with `extra:`, or name an argument with `map:`".to_owned();
                error(&codes::MISSING_ARGUMENT, message, help)
            }
            NoMapping::Missing { parameter } => {
                Refusal::Skip(Reason::ExtraBackendArgs, format!("no argument fits the parameter `{parameter}`"))
            }
            NoMapping::Unfit { parameter, argument } => {
                let named = entry.map.iter().find(|(_, value)| value.as_str() == argument);
                let message = format!("`{argument}` of `{name}` does not fit the parameter `{parameter}`");
                let place = named.map_or(place, |(_, value)| value.span());
                Refusal::Wrong(vec![Diagnostic::new(&codes::MISSING_ARGUMENT, message).at(place)])
            }
        }
    }
}
