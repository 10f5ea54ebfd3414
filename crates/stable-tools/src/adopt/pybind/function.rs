//! A function of a module as an operator: its schema, its key, and what of them is a guess.
//!
//! Invariant: names are those that callers in Python use, and types those of the C++ function.

use torchgen_base::diag::{FileId, Sources, Span};
use torchgen_base::lang::cpp::{self, Definition, Signature, parameter_name};
use torchgen_library::library::kernels::{LocatedDefinition, Mutates};
use torchgen_model::model::condition::ComparedTorch;
use torchgen_model::parse;
use torchgen_registrations::{Call, Condition, Conditions};

use super::Reason;
use super::annotations::{Mark, mark};
use super::arguments::{Arguments, arguments, default};
use super::expression::named;
use super::types::{Returned, Taken, returned, spelled, taken};
use crate::from_cpp::{Functions, Meant, when};

/// How the comments on guesses begin.
pub(super) const GUESS: &str = "inferred: check";

/// A function of a module.
#[derive(Debug, Clone)]
pub(super) struct Function {
    /// The schema without a namespace.
    pub(super) schema: String,
    /// The dispatch key of its kernel.
    pub(super) key: &'static str,
    /// Its name from the outermost namespace.
    pub(super) name: String,
    pub(super) definition: Option<Span>,
    /// The header to include for it; nothing if a declaration is enough.
    pub(super) header: Option<String>,
    /// The types of its parameters, with their names in the schema.
    pub(super) parameters: Vec<(Taken, String)>,
    pub(super) returned: Returned,
    /// Its return type in C++.
    pub(super) returns: String,
    /// The builds that have it.
    pub(super) condition: Condition,
    /// The same, for the preprocessor.
    pub(super) guard: Option<String>,
    /// What a reader should know.
    pub(super) notes: Vec<String>,
    pub(super) doc: Option<String>,
}

impl Function {
    /// Sets what the preprocessor asks for its builds.
    pub(super) fn guard(&mut self, conditions: &mut Conditions) -> Result<(), String> {
        self.guard = guard(self.condition, conditions)?;
        Ok(())
    }
}

/// What the preprocessor asks for a condition.
fn guard(condition: Condition, conditions: &Conditions) -> Result<Option<String>, String> {
    let text = match when(conditions, condition) {
        None => return Ok(None),
        Some(Ok(text)) => text,
        Some(Err(text)) => return Err(format!("`when:` cannot say which builds have it: {text}")),
    };
    Ok(parse::when(&text).ok().map(|condition| condition.cpp(ComparedTorch::Compiled)))
}

/// The function that sources have.
struct Found<'f> {
    full_name: String,
    definition: &'f Definition,
    signature: &'f Signature,
    file: FileId,
    /// What is known of its parameters; nothing if it is only declared.
    mutates: Vec<Mutates>,
    results: Option<usize>,
    device: Option<&'static str>,
    applied: Option<String>,
    returns_argument: Vec<(usize, Option<&'static str>)>,
    is_declared: bool,
}

/// The function of a `def` named `name`.
pub(super) fn function(
    name: &str,
    call: &Call,
    functions: &Functions,
    conditions: &mut Conditions,
    sources: &Sources,
) -> Result<Function, Reason> {
    let written = call.arguments.get(1).ok_or_else(|| {
        let message = format!("`{name}` of the Python module has no function");
        Reason::new(call.place, message).help(format!("write `m.def(\"{name}\", &{name})`"))
    })?;
    let found = find(name, &written.text, call, functions, sources)?;
    let given = arguments(call);
    let guard = guard(call.condition, conditions).map_err(|why| Reason::new(call.place, format!("`{name}`: {why}")))?;
    let names = names(name, &found, &given, call)?;
    let mut notes = Vec::new();
    let types = types(name, &found, call)?;
    let result = returned(&found.signature.returns, found.results).map_err(|type_| {
        let message = format!("`{name}` returns `{type_}`, which no schema of the YAML has");
        Reason::new(call.place, message).help("bind a function that returns tensors and numbers")
    })?;
    let swapped = swapped(&found, &given);
    if !swapped.is_empty() {
        let both = format!("{} in Python, in another order than in C++", swapped.join(", "));
        notes.push(format!("{GUESS} the names: {both}"));
    }
    let marks = marks(name, &found, &types, &names, &mut notes);
    let schema = schema(name, &found, &given, (&types, &names), &result, &marks, &mut notes);
    if result.schema == ["Tensor[]"] {
        notes.push(format!("{GUESS} the results: nothing shows how many tensors it returns"));
    }
    let path = sources.path(found.file);
    let header = found.definition.is_private.then(|| path.to_owned());
    let is_cuda = [".cu", ".cuh", ".hip"].iter().any(|ending| path.ends_with(ending));
    let key = match &found.applied {
        Some(class) => {
            notes.push(format!("`{class}` records its gradient"));
            "CompositeImplicitAutograd"
        }
        // Nothing else says which device it is for.
        None if !types.iter().any(|taken| taken.schema.starts_with("Tensor")) => "CompositeExplicitAutograd",
        None if is_cuda => "CUDA",
        None => found.device.unwrap_or("CompositeExplicitAutograd"),
    };
    if found.is_declared {
        notes.push(format!("{GUESS} the key and what is mutated: these files only declare `{}`", found.full_name));
    }
    let definition =
        (!found.is_declared).then(|| Span::new(found.file, found.definition.range.start, found.definition.range.end));
    Ok(Function {
        schema,
        key,
        definition,
        header,
        parameters: types.into_iter().zip(names).collect(),
        returned: result,
        returns: spelled(&found.signature.returns),
        condition: call.condition,
        guard,
        notes,
        doc: given.doc.filter(|doc| doc != name),
        name: found.full_name,
    })
}

/// Finds the function that an expression is.
fn find<'f>(
    name: &str,
    text: &str,
    call: &Call,
    functions: &'f Functions,
    sources: &Sources,
) -> Result<Found<'f>, Reason> {
    let named = named(text).map_err(|what| {
        let reason = Reason::new(call.place, format!("`{name}` of the Python module is {what}"));
        reason.help("bind a function of a namespace: the operator calls it by its name")
    })?;
    let (written, overload) = (&named.name, &named.parameters);
    let missing = |message: String| Reason::new(call.place, message);
    let (full_name, meant) = functions.meant(written, call).ok_or_else(|| {
        missing(format!("these files neither define nor declare `{written}`, which is `{name}` of the Python module"))
            .help("name the source or the header that does too")
    })?;
    let fits = |signature: &Signature| overload.as_ref().is_none_or(|types| *types == signature.parameters);
    let several = || {
        missing(format!("`{written}`, which is `{name}` of the Python module, has several signatures"))
            .help(format!("say which one: `py::overload_cast<const at::Tensor&>(&{written})`"))
    };
    let none = || {
        let types = overload.iter().flatten().map(|type_| format!("`{type_}`")).collect::<Vec<_>>().join(", ");
        missing(format!("no `{written}` takes {types}, as the cast in `{name}` of the Python module says"))
    };
    let found = match meant {
        Meant::Defined(all) => {
            let all: Vec<_> = all.into_iter().filter(|one| fits(&one.signature)).collect();
            let all = declared_ones(all, &full_name, call, functions);
            let first = *all.first().ok_or_else(none)?;
            if all.iter().any(|other| other.signature.parameters != first.signature.parameters) {
                return Err(several());
            }
            // One of several builds may do more than another.
            let shown = |one: &LocatedDefinition| functions.registrable(one);
            let mutates = |at: usize| all.iter().filter_map(move |one| shown(one)?.mutates.get(at));
            let strongest = |at: usize| mutates(at).max_by_key(|one| one.rank()).cloned();
            let known = shown(first);
            Found {
                full_name,
                definition: &first.definition,
                signature: &first.signature,
                file: first.file,
                mutates: (0..first.signature.parameters.len()).filter_map(strongest).collect(),
                results: known.and_then(|known| known.results),
                device: known.and_then(|known| known.device),
                applied: known.and_then(|known| known.applied.clone()),
                returns_argument: known.map(|known| known.returned.clone()).unwrap_or_default(),
                is_declared: false,
            }
        }
        Meant::Declared(all) => {
            let mut all = all.iter().filter(|one| fits(&one.signature));
            let first = all.next().ok_or_else(none)?;
            if all.any(|other| other.signature.parameters != first.signature.parameters) {
                return Err(several());
            }
            Found {
                full_name,
                definition: &first.definition,
                signature: &first.signature,
                file: first.file,
                mutates: Vec::new(),
                results: None,
                device: None,
                applied: None,
                returns_argument: Vec::new(),
                is_declared: true,
            }
        }
    };
    let visible = |what: &str, help: &str| {
        Err(missing(format!("`{written}`, which is `{name}` of the Python module, is {what}")).help(help))
    };
    // Who includes a header sees what it defines.
    let is_header = [".h", ".hpp", ".hh", ".cuh"].iter().any(|ending| sources.path(found.file).ends_with(ending));
    match found.definition {
        one if one.is_template => visible("a template", "bind a function that calls it"),
        one if one.is_unnamed || one.is_private && !is_header => visible(
            "static, inline or in an unnamed namespace: only its own source sees it",
            "make it visible: delete `static` or `inline`, and move it out of the unnamed namespace",
        ),
        _ => Ok(found),
    }
}

/// Of several functions of a name, those that the source of a module declares, or the one that is
/// no template.
fn declared_ones<'f>(
    all: Vec<&'f LocatedDefinition>,
    full_name: &str,
    call: &Call,
    functions: &'f Functions,
) -> Vec<&'f LocatedDefinition> {
    if all.iter().all(|one| one.signature.parameters == all[0].signature.parameters) {
        return all;
    }
    let declared = functions.declared_in(full_name, &[call.unit, call.place.file]);
    let is_declared = |one: &&LocatedDefinition| declared.contains(&&one.signature.parameters);
    let kept: Vec<_> = all.iter().copied().filter(is_declared).collect();
    if !kept.is_empty() {
        return kept;
    }
    let kept: Vec<_> = all.iter().copied().filter(|one| !one.definition.is_template).collect();
    if kept.is_empty() { all } else { kept }
}

/// The names of the parameters: those of Python, or else those of C++.
fn names(name: &str, found: &Found<'_>, given: &Arguments, call: &Call) -> Result<Vec<String>, Reason> {
    let count = found.signature.parameters.len();
    if !given.named.is_empty() && given.named.len() != count {
        let message = format!(
            "`{name}` of the Python module names {} with `py::arg`, and `{}` has {count}",
            torchgen_base::diag::plural(given.named.len(), "parameter"),
            found.full_name,
        );
        return Err(Reason::new(call.place, message).help("name all of them, or none"));
    }
    let of = |at: usize| {
        let in_python = given.named.get(at).map(|one| one.name.clone());
        let in_cpp = found.definition.parameters.get(at).and_then(|text| parameter_name(text)).map(str::to_owned);
        // As pybind11 names those without a name.
        in_python.or(in_cpp).unwrap_or_else(|| format!("arg{at}"))
    };
    Ok((0..count).map(of).collect())
}

/// The names of Python that are those of other parameters in C++.
fn swapped(found: &Found<'_>, given: &Arguments) -> Vec<String> {
    let in_cpp: Vec<Option<&str>> = found.definition.parameters.iter().map(|text| parameter_name(text)).collect();
    let in_python: Vec<Option<&str>> = given.named.iter().map(|one| Some(one.name.as_str())).collect();
    cpp::swapped_names(&in_cpp, &in_python).into_iter().map(|(at, _)| format!("`{}`", given.named[at].name)).collect()
}

fn types(name: &str, found: &Found<'_>, call: &Call) -> Result<Vec<Taken>, Reason> {
    let of = |(at, normal): (usize, &String)| {
        taken(normal).map_err(|type_| {
            let parameter = found.definition.parameters.get(at).and_then(|text| parameter_name(text));
            let parameter = parameter.map_or_else(|| format!("parameter {}", at + 1), |own| format!("`{own}`"));
            let message = format!("{parameter} of `{name}` is `{type_}`, which no schema of the YAML has");
            Reason::new(call.place, message)
                .help("bind a function that takes tensors, numbers, strings and lists of them")
        })
    };
    found.signature.parameters.iter().enumerate().map(of).collect()
}

/// Which parameters are mutated. What is a guess is noted.
fn marks(function: &str, found: &Found<'_>, types: &[Taken], names: &[String], notes: &mut Vec<String>) -> Vec<bool> {
    let is_void = found.signature.returns == "void";
    let mut unknown = Vec::new();
    let mut marks = Vec::new();
    for (at, (taken, name)) in types.iter().zip(names).enumerate() {
        if !taken.schema.starts_with("Tensor") {
            marks.push(false);
            continue;
        }
        let normal = &found.signature.parameters[at];
        let is_reference = normal.ends_with('&') && !normal.ends_with("&&") && !normal.starts_with("const ");
        let known = found.mutates.get(at).unwrap_or(&Mutates::Unknown);
        let mut mark = mark(name, known, is_reference, is_void);
        // Torch's convention: `relu_` mutates its first tensor.
        if mark.is_unknown && marks.iter().zip(types).all(|(_, before)| !before.schema.starts_with("Tensor")) {
            let is_inplace = function.ends_with('_') && !function.ends_with("__");
            let guess = is_inplace.then(|| format!("the name of the function says that it mutates `{name}`"));
            mark = Mark { is_mutated: is_inplace, is_unknown: !is_inplace, guess };
        }
        notes.extend(mark.guess.map(|guess| format!("{GUESS}: {guess}")));
        if mark.is_unknown {
            unknown.push(format!("`{name}`"));
        }
        marks.push(mark.is_mutated);
    }
    if !unknown.is_empty() {
        notes.push(format!("{GUESS} that it only reads {}", unknown.join(", ")));
    }
    let has_tensors = types.iter().any(|taken| taken.schema.starts_with("Tensor"));
    if is_void && has_tensors && !marks.contains(&true) {
        notes.push(format!("{GUESS} what it mutates: it returns nothing, and nothing shows a write"));
    }
    marks
}

/// The schema. Defaults that it cannot have are noted.
fn schema(
    name: &str,
    found: &Found<'_>,
    given: &Arguments,
    (types, names): (&[Taken], &[String]),
    result: &Returned,
    marks: &[bool],
    notes: &mut Vec<String>,
) -> String {
    let mut defaults: Vec<Option<String>> = Vec::new();
    for (at, (taken, name)) in types.iter().zip(names).enumerate() {
        let value = given.named.get(at).and_then(|one| one.default.as_deref());
        let default = value.and_then(|value| default(value, &taken.schema));
        if let Some(value) = value.filter(|_| default.is_none()) {
            notes.push(format!("{GUESS} the default of `{name}`: a schema cannot have `{value}`"));
        }
        defaults.push(default);
    }
    // A default before a parameter without one is none, but where callers name it.
    let positional = given.keyword_only.unwrap_or(types.len()).min(types.len());
    if let Some(last) = (0..positional).rev().find(|at| defaults[*at].is_none()) {
        defaults[..last].fill(None);
    }
    // The set of a parameter that is returned, or mutated.
    let is_tensor = result.schema == ["Tensor"];
    let returned: Vec<usize> = found.returns_argument.iter().map(|(at, _)| *at).collect();
    let view = match found.returns_argument.as_slice() {
        [(at, _)] if is_tensor && types.get(*at).is_some_and(|taken| taken.schema == "Tensor") => Some(*at),
        _ => None,
    };
    if view.is_none() && !returned.is_empty() {
        let shown: Vec<String> = returned.iter().filter_map(|at| Some(format!("`{}`", names.get(*at)?))).collect();
        notes.push(format!("{GUESS} what the result is: it can be {}", shown.join(", ")));
    }
    let mut sets = Vec::new();
    let mut texts = Vec::new();
    for (at, (taken, name)) in types.iter().zip(names).enumerate() {
        if given.keyword_only == Some(at) {
            texts.push("*".to_owned());
        }
        let set = (marks[at] || view == Some(at)).then(|| {
            let letter = letter(sets.len());
            let set = if marks[at] { format!("({letter}!)") } else { format!("({letter})") };
            sets.push(at);
            set
        });
        let type_ = match &set {
            Some(set) => taken.schema.replacen("Tensor", &format!("Tensor{set}"), 1),
            None => taken.schema.clone(),
        };
        let default = defaults[at].as_ref().map(|value| format!("={value}")).unwrap_or_default();
        texts.push(format!("{type_} {name}{default}"));
    }
    let returns = match (view, result.is_tuple) {
        (Some(at), _) => {
            let letter = sets.iter().position(|own| *own == at).map(letter).unwrap_or_default();
            let mark = if marks[at] { "!" } else { "" };
            format!("Tensor({letter}{mark})")
        }
        (None, true) => format!("({})", result.schema.join(", ")),
        (None, false) => result.schema.join(", "),
    };
    format!("{name}({}) -> {returns}", texts.join(", "))
}

/// The name of an alias set.
fn letter(at: usize) -> String {
    let letter = char::from(b'a' + u8::try_from(at % 26).unwrap_or_default());
    if at < 26 { letter.to_string() } else { format!("{letter}{}", at / 26) }
}
