//! Reports how a library's kernels differ from what its YAML declares.
//!
//! Invariant: each kernel is reported once, with all that is wrong with its signature.

use std::collections::BTreeSet;

use super::contract;
use super::conversions;
use super::foreign;
use super::matching::{Comparison, compare};
use super::skeletons;
use super::sources::{KernelSources, LocatedDefinition};
use super::wanted::{WantedKernel, wanted};
use crate::library::headers::registration_header;
use crate::library::settings::Settings;
use torchgen_base::diag::{Diagnostic, FileId, Span, did_you_mean};
use torchgen_base::lang::cpp::{Definition, DefinitionForm, differences, signature};
use torchgen_base::render::{RenderError, Renderer};
use torchgen_generators::{AuthorSignatures, Context, Errors, Namespaces};
use torchgen_model::codes;
use torchgen_model::model::DispatchKey;

/// What to report.
pub(crate) struct Report<'a> {
    /// How signatures are shown.
    pub(crate) renderer: &'a Renderer,
    /// What the library must define.
    pub(crate) wanted: &'a [WantedKernel],
    /// What its sources define.
    pub sources: &'a KernelSources,
    /// The namespaces in which every function that other sources see is a kernel. Without them,
    /// kernels without an operator are no errors.
    pub(crate) own_namespaces: &'a [String],
    /// All kernels that the YAML names, also those for the other ABI.
    pub(crate) named: &'a BTreeSet<String>,
    /// Skeletons of missing kernels are written, so they are not reported.
    pub(crate) writes: bool,
}

/// The differences, as diagnostics.
pub(crate) fn report(report: &Report, outcome: &Comparison) -> Result<Vec<Diagnostic>, RenderError> {
    let Report { renderer, wanted, sources, own_namespaces, named, writes } = *report;
    let found = &sources.definitions;
    let mut all = Vec::new();
    for i in outcome.missing.iter().filter(|_| !writes) {
        let kernel = &wanted[*i];
        let signature = skeletons::signature(renderer, kernel)?;
        let mut missing =
            Diagnostic::new(&codes::KERNEL_MISSING, format!("{} is not defined anywhere", called(kernel)))
                .at(kernel.span)
                .note(format!("expected {}: {signature}", expected_place(&kernel.namespace)));
        let elsewhere = found.iter().find(|one| {
            let Definition { form, name, .. } = &one.definition;
            *form == kernel.form && name.rsplit("::").next() == Some(&kernel.name) && *name != kernel.full_name()
        });
        missing = match elsewhere {
            Some(one) => {
                let scope = one.definition.name.rsplit_once("::").map_or("", |(scope, _)| scope);
                let place = if scope.is_empty() { "in no namespace".to_owned() } else { format!("in `{scope}`") };
                let own = match kernel.namespace.as_str() {
                    "" => "no namespace".to_owned(),
                    own => format!("`{own}`"),
                };
                let help = match (scope, kernel.form) {
                    ("", _) | (_, DefinitionForm::Impl | DefinitionForm::Meta) => {
                        format!("move it to {own}")
                    }
                    _ => format!("move it to {own}, or write `{scope}::{}` in the YAML", kernel.name),
                };
                missing.also(one.span(), format!("this one is {place}")).help(help)
            }
            None => {
                let unnamed = outcome.unnamed.iter().map(|at| found[*at].definition.name.as_str());
                missing.maybe_help(did_you_mean(&kernel.full_name(), unnamed))
            }
        };
        all.push(missing.help("`torchgen-rs kernels --write` writes a skeleton"));
    }
    for (i, at) in &outcome.differs {
        let (kernel, one) = (&wanted[*i], &found[*at]);
        // That error says what to write for each type.
        if foreign::types(kernel, one).is_some() {
            continue;
        }
        let own = signature(&kernel.returns, &kernel.parameters);
        let listed = match kernel.form {
            DefinitionForm::Function if !kernel.is_structured => {
                conversions::differences(&own, &one.signature, kernel.abi.spelling())
            }
            _ => differences(&own, &one.signature),
        };
        let fits = listed.is_empty();
        let message = match fits {
            true => format!("{} is not visible outside this source", called(kernel)),
            false => format!("the definition of {} does not match its declaration", called(kernel)),
        };
        let differs = Diagnostic::new(&codes::KERNEL_DIFFERS, message).note(format!(
            "`{}` needs: {}",
            kernel.operator,
            skeletons::signature(renderer, kernel)?
        ));
        let mut differs = at_differences(differs, one, listed);
        if let Some(other) = namesakes(*at, found).next().filter(|_| fits) {
            let help = "give each of the two functions a name of its own, and name it for its keys in the YAML";
            differs = differs.also(other.span(), "another function of this name").help(help);
        } else if fits && one.definition.is_private {
            differs = differs
                .help("declare it without `static`, and not in an unnamed namespace: other sources call it")
                .help("or write `registration: included`, and include the header that registers it in this source");
        }
        all.push(differs);
    }
    all.extend(contract(wanted, sources, outcome));
    for (i, first, second) in &outcome.repeated {
        let message = format!("two sources define {}", called(&wanted[*i]));
        all.push(
            Diagnostic::new(&codes::REPEATED_KERNEL, message)
                .at_with(found[*second].span(), "second one")
                .also(found[*first].span(), "first one")
                .help("delete one, or if they are for different builds, compile only one of the sources in each"),
        );
    }
    for at in outcome.unnamed.iter().filter(|_| !own_namespaces.is_empty()) {
        let Definition { name, form, returns, is_private, .. } = &found[*at].definition;
        let scope = name.rsplit_once("::").map_or("", |(scope, _)| scope);
        let counts = match form {
            DefinitionForm::Function => own_namespaces.iter().any(|own| own == scope),
            DefinitionForm::Impl | DefinitionForm::Meta => true,
        };
        // Without a return type it is a macro.
        if *is_private || !counts || named.contains(name) || *form == DefinitionForm::Function && returns.is_empty() {
            continue;
        }
        let names = wanted.iter().map(WantedKernel::full_name).collect::<Vec<_>>();
        let near = did_you_mean(name, names.iter().map(String::as_str));
        let help = near.unwrap_or_else(|| "a helper can be `static` or in an anonymous namespace".into());
        let message = format!("no operator has the kernel `{name}`");
        all.push(Diagnostic::new(&codes::UNNAMED_KERNEL, message).at(found[*at].span()).help(help));
    }
    Ok(all)
}

/// What kernels do that their schemas, keys or names do not say.
fn contract(wanted: &[WantedKernel], sources: &KernelSources, outcome: &Comparison) -> Vec<Diagnostic> {
    let found = &sources.definitions;
    let mut all = Vec::new();
    for (i, at) in &outcome.found {
        all.extend(contract::lints(&wanted[*i], &found[*at]));
        all.extend(typed_calls(&wanted[*i], &found[*at], sources));
        match wanted[*i].is_included {
            true => all.extend(not_included(&wanted[*i], *at, sources)),
            false => all.extend(namesake(&wanted[*i], *at, found)),
        }
    }
    let taken = outcome.found.iter().chain(&outcome.differs);
    all.extend(taken.filter_map(|(i, at)| foreign::types(&wanted[*i], &found[*at])));
    all
}

/// Warnings about calls of an operator with the types of its kernel, which wrappers convert to: the
/// dispatcher throws, since the operator is registered with those of its schema.
fn typed_calls(kernel: &WantedKernel, one: &LocatedDefinition, sources: &KernelSources) -> Vec<Diagnostic> {
    let own = signature(&kernel.returns, &kernel.parameters);
    if kernel.abi.is_stable() || kernel.form != DefinitionForm::Function || one.signature == own {
        return Vec::new();
    }
    let name = kernel.full_name();
    let is_own = |called: &str| {
        let called = called.trim_start_matches(['&', ':']);
        name == called || name.ends_with(&format!("::{called}"))
    };
    let (namespace, operator) = kernel.operator.split_once("::").unwrap_or(("", &kernel.operator));
    let types = operator.replace('.', "_");
    let warning = |place: Span| {
        let message =
            format!("`{}` is registered with the types of its schema, not with those of `{name}`", kernel.operator);
        Diagnostic::new(&codes::TYPED_CALL, message)
            .at_with(place, "the dispatcher throws")
            .also(one.span(), "wrappers convert to these types")
            .help(format!("write `typed<{namespace}::_ops::{types}::schema>()`, of `{namespace}/Operators.h`"))
            .help(format!("or call the function of the operator, of `{namespace}/Functions.h`"))
    };
    sources.typed.iter().filter(|(_, called)| is_own(called)).map(|(place, _)| warning(*place)).collect()
}

/// The errors that no source which defines a kernel includes what registers it for a key.
fn not_included(kernel: &WantedKernel, at: usize, sources: &KernelSources) -> Vec<Diagnostic> {
    let name = kernel.full_name();
    let defines = |file: &FileId| {
        let own = |one: &LocatedDefinition| one.file == *file && one.definition.name == name;
        sources.definitions.iter().any(own)
    };
    let (namespace, operator) = kernel.operator.rsplit_once("::").unwrap_or_default();
    let include_dir = Namespaces::library(namespace).include_dir;
    let error = |(key, place): (DispatchKey, Span)| {
        let header = format!("{include_dir}/{}", registration_header(operator, key));
        let includes = |(file, included): &(FileId, String)| included.ends_with(&header) && defines(file);
        if sources.registrations.iter().any(includes) {
            return None;
        }
        let message = format!("no source that defines {} registers it for {key}", called(kernel));
        let error = Diagnostic::new(&codes::NOT_INCLUDED, message).at(sources.definitions[at].span());
        let help = format!("write `#include <{header}>` at the end of this source");
        Some(error.also(place, "a header registers it where it is included").help(help))
    };
    let all = kernel.key.map(|key| (key, kernel.span)).into_iter().chain(kernel.further.iter().copied());
    all.filter_map(error).collect()
}

/// Functions of other sources with the name and the types of one, which only their source sees.
fn namesakes(at: usize, found: &[LocatedDefinition]) -> impl Iterator<Item = &LocatedDefinition> {
    let own = &found[at];
    found.iter().filter(move |other| {
        let definition = &other.definition;
        let is_hidden = definition.is_private && !definition.is_template;
        is_hidden
            && other.file != own.file
            && definition.form == own.definition.form
            && definition.name == own.definition.name
            && other.signature == own.signature
    })
}

/// A kernel for several keys whose name another source gives to a function of its own: each key
/// calls the one function that all sources see.
fn namesake(kernel: &WantedKernel, at: usize, found: &[LocatedDefinition]) -> Option<Diagnostic> {
    let (key, span) = kernel.further.iter().find(|(key, _)| Some(*key) != kernel.key)?;
    let other = namesakes(at, found).next()?;
    let name = kernel.full_name();
    let message = format!("two functions are called `{name}`, and each key calls the same one");
    Some(
        Diagnostic::new(&codes::KERNEL_NAMESAKE, message)
            .at_with(other.span(), "no key calls this one, which only its source sees")
            .also(found[at].span(), "the one that is called")
            .also(*span, format!("also for {key}"))
            .help("give it another name, make it visible, and name it for its key in the YAML"),
    )
}

/// The error at the parameters that differ, or else at the whole signature.
fn at_differences(error: Diagnostic, one: &LocatedDefinition, listed: Vec<(Option<usize>, String)>) -> Diagnostic {
    let ranges = &one.definition.parameter_ranges;
    let place =
        |at: Option<usize>| at.and_then(|i| ranges.get(i)).map(|range| Span::new(one.file, range.start, range.end));
    let places: Option<Vec<Span>> = listed.iter().map(|(at, _)| place(*at)).collect();
    match places.filter(|places| !places.is_empty()) {
        Some(places) => {
            places.into_iter().zip(listed).enumerate().fold(error, |error, (i, (span, (_, text)))| match i {
                0 => error.at_with(span, text),
                _ => error.also(span, text),
            })
        }
        None => listed.into_iter().map(|(_, text)| text).fold(error.at(one.span()), Diagnostic::help),
    }
}

fn called(kernel: &WantedKernel) -> String {
    let what = match kernel.form {
        DefinitionForm::Function => "kernel",
        DefinitionForm::Impl => "structured kernel",
        DefinitionForm::Meta => "meta function",
    };
    format!("{what} `{}`", kernel.full_name())
}

/// Where a kernel is expected.
fn expected_place(namespace: &str) -> String {
    if namespace.is_empty() { "in no namespace".to_owned() } else { format!("in namespace `{namespace}`") }
}

/// The signatures of a namespace's kernels that wrappers must convert to, and what is wrong with
/// its kernels.
pub(crate) fn adapted(
    ctx: &Context,
    settings: &Settings,
    sources: &KernelSources,
    effects_only: bool,
) -> Result<(AuthorSignatures, Vec<Diagnostic>), Errors> {
    let wanted = wanted(ctx, settings)?;
    let mut outcome = compare(&wanted, sources);
    if effects_only {
        return Ok((AuthorSignatures::default(), contract(&wanted, sources, &outcome)));
    }
    let mut signatures = AuthorSignatures::default();
    for (i, signature) in std::mem::take(&mut outcome.adapted) {
        signatures.insert(wanted[i].full_name(), &wanted[i].parameters, signature);
    }
    // This build may leave out their sources.
    outcome.missing.retain(|i| !wanted[*i].conditional);
    let named = BTreeSet::new();
    let all =
        Report { renderer: ctx.renderer, wanted: &wanted, sources, own_namespaces: &[], named: &named, writes: false };
    Ok((signatures, report(&all, &outcome)?))
}
