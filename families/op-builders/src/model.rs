//! All entries together: names are resolved, and bodies are checked.
//!
//! Invariant: without errors, every builder has checked statements or code, and every call in a
//! body matches the callee's signature.

use std::collections::{HashMap, HashSet};

use super::codes;
use super::records::{EntryKind, EntryRecord, Implementation, Records};
use super::signature::{self, Signature};
use super::vocabulary::{Names, role};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, Span, codes as shared};
use torchgen_base::lang::is_identifier;
use torchgen_base::yaml::Text;
use torchgen_kit::driver::{JobError, Session};
use torchgen_kit::expr::{
    Checker, Statement, StatementKind, Step, Type, Typed, TypedKind, check_body, parse_block, source,
};
use torchgen_kit::ir::{NameCodes, TraitCodes, Traits, written_version};
use torchgen_kit::schema::declared_name;

/// A builder or a helper.
pub(super) struct Callable {
    pub(super) record: EntryRecord,
    pub(super) signature: Signature,
    /// The class templates of a builder's traits.
    pub(super) mix_ins: Vec<String>,
    /// The names that a builder is registered under.
    pub(super) names: Vec<String>,
    /// The statements of its body.
    pub(super) steps: Vec<Step>,
    /// The C++ that replaces a body.
    pub(super) code: Option<String>,
    /// The messages of `require` and `fail`, as written.
    pub(super) errors: Vec<String>,
    /// Local variables that are never used.
    pub(super) unused: HashSet<String>,
    /// Whether the body uses the name by which it is called.
    pub(super) asks_name: bool,
    /// The builders that it calls.
    pub(super) calls: Vec<String>,
}

/// A call of a builder or a helper: caller, callee and place.
pub(super) struct Edge {
    pub(super) from: (EntryKind, String),
    pub(super) to: (EntryKind, String),
    pub(super) place: Span,
}

/// All entries of a run.
pub(super) struct Model {
    pub(super) namespace: String,
    /// The version of modules that are written.
    pub(super) version: u32,
    pub(super) traits: Traits,
    pub(super) builders: Vec<Callable>,
    pub(super) helpers: Vec<Callable>,
    pub(super) operators: Vec<Signature>,
    pub(super) names: Names,
    /// The calls in all bodies, in order.
    pub(super) edges: Vec<Edge>,
}

/// What is reported about names of traits.
const TRAIT_CODES: TraitCodes = TraitCodes {
    names: NameCodes { malformed: &codes::BUILDER_SIGNATURE, reserved: &codes::RESERVED_BUILDER_NAME },
    duplicate: &codes::DUPLICATE_BUILDER,
    unknown: &codes::UNKNOWN_BUILDER,
};

/// The namespace if no file sets one.
const NAMESPACE: &str = "migraphx::op::builder";

/// Resolves and checks records, each by itself.
///
/// # Errors
/// A file with code cannot be read. Errors in the records are diagnostics.
pub(super) fn build(records: Records, session: &mut Session) -> Result<Model, JobError> {
    let mut names = Names::new();
    let mut operators = Vec::new();
    let mut callables = Vec::new();
    let mut seen: HashMap<(bool, String), Span> = HashMap::new();
    for record in records.entries {
        let Some(signature) = signature::read_signature(&record, &mut session.diagnostics) else {
            names.rejected.extend(declared_name(&record.schema).map(str::to_owned));
            continue;
        };
        let registered = registered_names(&record, &signature, &mut session.diagnostics);
        let is_operator = record.kind == EntryKind::Operator;
        for (name, place) in &registered {
            // A builder may have the name of an operator, which it then replaces.
            let before = seen.insert((is_operator, name.clone()), *place);
            if let Some(before) = before {
                let what = if is_operator { "operators" } else { "entries" };
                let message = format!("two {what} are named `{name}`");
                let diagnostic = Diagnostic::new(&codes::DUPLICATE_BUILDER, message).at(*place);
                session.diagnostics.push(diagnostic.also(before, "first defined here"));
                continue;
            }
            let table = match record.kind {
                EntryKind::Builder => &mut names.builders,
                EntryKind::Helper => &mut names.helpers,
                EntryKind::Operator => &mut names.operators,
            };
            table.insert(name.clone(), signature.clone());
        }
        if is_operator {
            operators.push(signature);
        } else {
            let registered = registered.into_iter().map(|(name, _)| name).collect();
            callables.push((record, signature, registered));
        }
    }
    let traits = Traits::read(records.traits, TRAIT_CODES, &mut session.diagnostics);
    let mut model = Model {
        version: written_version(&records.versions, &codes::BUILDER_ENTRY, &mut session.diagnostics),
        traits,
        namespace: records.namespace.map_or_else(|| NAMESPACE.to_owned(), Text::into_string),
        builders: Vec::new(),
        helpers: Vec::new(),
        operators,
        names,
        edges: Vec::new(),
    };
    for (record, signature, registered) in callables {
        let kind = record.kind;
        let mix_ins = mix_ins(&record, &model.traits, &mut session.diagnostics);
        let mut callable = body(record, signature, registered, &model.names, &mut model.edges, session)?;
        callable.mix_ins = mix_ins;
        if kind == EntryKind::Builder { model.builders.push(callable) } else { model.helpers.push(callable) }
    }
    Ok(model)
}

/// The class templates of the traits of an entry.
fn mix_ins(record: &EntryRecord, traits: &Traits, diagnostics: &mut Diagnostics) -> Vec<String> {
    if let Some(first) = record.traits.first().filter(|_| record.kind != EntryKind::Builder) {
        let message = "`traits:` is allowed for builders only";
        diagnostics.push(Diagnostic::new(&codes::BUILDER_ENTRY, message).at(first.span()));
        return Vec::new();
    }
    let listed: Vec<_> = record.traits.iter().map(|name| (name.as_str(), name.span())).collect();
    traits.templates(&listed, diagnostics)
}

/// The registered names of an entry, and their places.
fn registered_names(record: &EntryRecord, signature: &Signature, diagnostics: &mut Diagnostics) -> Vec<(String, Span)> {
    let start = record.schema.as_str().find(&signature.name).unwrap_or(0);
    let own = record.schema.sub_span(start..start + signature.name.len());
    for parameter in signature.inputs.iter().chain(&signature.options).chain(&signature.parameters) {
        if parameter.name == "op_name" {
            let message = "`op_name` is reserved for the name by which a builder is called";
            let place = record.schema.sub_span(parameter.range.clone());
            diagnostics.push(Diagnostic::new(&codes::RESERVED_BUILDER_NAME, message).at(place));
        }
    }
    if let Some(prefix) = record.error_prefix.as_ref().filter(|_| record.kind != EntryKind::Builder) {
        let message = "`error_prefix:` is allowed for builders only";
        diagnostics.push(Diagnostic::new(&codes::BUILDER_ENTRY, message).at(prefix.span()));
    }
    match &record.names {
        Some(_) if record.kind != EntryKind::Builder => {
            let message = "`names:` is allowed for builders only";
            diagnostics.push(Diagnostic::new(&codes::BUILDER_ENTRY, message).at(record.place));
            vec![(signature.name.clone(), own)]
        }
        Some(names) => {
            if names.is_empty() {
                let message = "`names:` is empty";
                diagnostics.push(Diagnostic::new(&codes::BUILDER_ENTRY, message).at(record.place));
            }
            for name in names.iter().filter(|name| !is_identifier(name.as_str())) {
                let message = format!("`{name}` cannot be part of a function name");
                let help = "use letters, digits and underscores";
                diagnostics.push(Diagnostic::new(&codes::RESERVED_BUILDER_NAME, message).at(name.span()).help(help));
            }
            names.iter().map(|name| (name.as_str().to_owned(), name.span())).collect()
        }
        None => vec![(signature.name.clone(), own)],
    }
}

fn body(
    record: EntryRecord,
    signature: Signature,
    names: Vec<String>,
    known: &Names,
    edges: &mut Vec<Edge>,
    session: &mut Session,
) -> Result<Callable, JobError> {
    let mut callable = Callable {
        signature,
        names,
        steps: Vec::new(),
        code: code(&record, session)?,
        errors: Vec::new(),
        unused: HashSet::new(),
        asks_name: false,
        mix_ins: Vec::new(),
        calls: Vec::new(),
        record,
    };
    let Some(text) = callable.record.body.clone() else { return Ok(callable) };
    let diagnostics = &mut session.diagnostics;
    let statements = match parse_block(text.as_str()) {
        // What a rejected entry is, is not known.
        Ok(_) if words(text.as_str()).any(|word| known.rejected.contains(word)) => return Ok(callable),
        Ok(statements) => statements,
        Err(_) if text.joins_lines() => {
            let message = "YAML joins the lines of this body into one";
            let error = Diagnostic::new(&shared::EXPRESSION_SYNTAX, message).at(text.span());
            diagnostics.push(error.help("write `body: |`, which keeps them"));
            return Ok(callable);
        }
        Err(errors) => {
            diagnostics.extend(errors.into_iter().map(|error| error.at_text(&text)));
            return Ok(callable);
        }
    };
    if statements.is_empty() {
        diagnostics.push(Diagnostic::new(&codes::MISSING_RETURN, "the body is empty").at(text.span()));
        return Ok(callable);
    }
    messages(&statements, &mut callable.errors);
    let signature = &callable.signature;
    let parameters: Vec<_> = all_parameters(signature).map(|p| (p.name.clone(), p.ty.clone())).collect();
    let mut variables = parameters.clone();
    variables.push(("op_name".to_owned(), Type::Str));
    let results: Vec<Type> = signature.results.iter().map(|(ty, _)| ty.clone()).collect();
    let mut checker = Checker::new(known, variables);
    let checked = check_body(&mut checker, &statements, &results);
    if !checked.returns && checked.errors.is_empty() {
        let last = statements.last().map_or(0..0, |statement| statement.range.clone());
        let diagnostic = Diagnostic::new(&codes::MISSING_RETURN, "a path through this body ends without a result");
        diagnostics.push(diagnostic.at(text.sub_span(last)).help("end it with `return`, or with `fail` and a message"));
    }
    let clean = checked.errors.is_empty();
    diagnostics.extend(checked.errors.into_iter().map(|error| error.at_text(&text)));
    for variable in &checked.unused {
        callable.unused.insert(variable.name.clone());
        if clean && !variable.name.starts_with('_') {
            let message = format!("the variable `{}` is never used", variable.name);
            let diagnostic =
                Diagnostic::new(&shared::UNUSED_VARIABLE, message).at(text.sub_span(variable.range.clone()));
            diagnostics.push(
                diagnostic
                    .help(Help::new("delete it, or start its name with `_`").instead(format!("_{}", variable.name))),
            );
        }
    }
    callable.asks_name = checker.used("op_name");
    for parameter in all_parameters(signature) {
        if clean && !checker.used(&parameter.name) && !parameter.name.starts_with('_') {
            let message = format!("the body does not use `{}`", parameter.name);
            let place = callable.record.schema.sub_span(parameter.range.clone());
            diagnostics.push(Diagnostic::new(&codes::UNUSED_OPTION, message).at(place));
        }
    }
    complain_about_uses(&checked.steps, &text, diagnostics);
    let from = (callable.record.kind, callable.signature.name.clone());
    walk(&checked.steps, &mut |typed| {
        let TypedKind::Custom(call) = &typed.kind else { return };
        let to = match call.role {
            role::BUILDER => {
                callable.calls.push(call.name.clone());
                (EntryKind::Builder, known.builders.get(&call.name).map_or(String::new(), |s| s.name.clone()))
            }
            role::HELPER => (EntryKind::Helper, call.name.clone()),
            _ => return,
        };
        edges.push(Edge { from: from.clone(), to, place: text.sub_span(typed.range.clone()) });
    });
    callable.steps = checked.steps;
    Ok(callable)
}

/// Reports errors that types do not rule out: a tensor in a string, and an assignment to `op_name`.
fn complain_about_uses(steps: &[Step], text: &Text, diagnostics: &mut Diagnostics) {
    walk(steps, &mut |typed| {
        let TypedKind::Format(parts) = &typed.kind else { return };
        for part in parts.iter().filter(|part| has_no_text(&part.ty)) {
            let message = format!("a `{}` cannot be converted to a string", part.ty);
            let help = "show its `lens`, its `type` or its `ndim`";
            let place = text.sub_span(part.range.clone());
            diagnostics.push(Diagnostic::new(&codes::BUILDER_CALL, message).at(place).help(help));
        }
    });
    if assigned(steps).contains("op_name") {
        let message = "`op_name` is the name by which a builder is called, and cannot be assigned";
        diagnostics.push(Diagnostic::new(&codes::RESERVED_BUILDER_NAME, message).at(text.span().at_start()));
    }
}

fn has_no_text(ty: &Type) -> bool {
    match ty {
        Type::List(inner) | Type::Optional(inner) => has_no_text(inner),
        _ => *ty == signature::tensor() || *ty == signature::module(),
    }
}

/// The names that statements assign.
pub(super) fn assigned(steps: &[Step]) -> HashSet<&str> {
    let mut names = HashSet::new();
    for step in steps {
        match step {
            Step::Let { name, fresh: false, .. } => drop(names.insert(name.as_str())),
            Step::If { then, otherwise, .. } => {
                names.extend(assigned(then));
                names.extend(assigned(otherwise));
            }
            Step::For { body, .. } => names.extend(assigned(body)),
            _ => {}
        }
    }
    names
}

/// The parameters of a builder or a helper, in order.
pub(super) fn all_parameters(signature: &Signature) -> impl Iterator<Item = &signature::Parameter> {
    signature.inputs.iter().chain(&signature.modules).chain(&signature.options).chain(&signature.parameters)
}

/// The C++ of an entry.
fn code(record: &EntryRecord, session: &mut Session) -> Result<Option<String>, JobError> {
    match &record.implementation {
        None => Ok(None),
        Some(Implementation::Inline(text)) => Ok(Some(text.as_str().to_owned())),
        Some(Implementation::File(name)) => {
            let path = record.path.parent().unwrap_or(std::path::Path::new(".")).join(name.as_str());
            let bytes = session.read_bytes(&path)?;
            match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(text)),
                Err(_) => {
                    let message = format!("`{}` is not UTF-8", path.display());
                    session.diagnostics.push(Diagnostic::new(&codes::BUILDER_ENTRY, message).at(name.span()));
                    Ok(None)
                }
            }
        }
    }
}

/// The messages of `require` and `fail` in statements.
fn messages(statements: &[Statement], found: &mut Vec<String>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Require { message, .. } | StatementKind::Fail { message } => {
                found.push(source(message).trim_matches('"').to_owned());
            }
            StatementKind::If { then, otherwise, .. } => {
                messages(then, found);
                messages(otherwise, found);
            }
            StatementKind::For { body, .. } => messages(body, found),
            _ => {}
        }
    }
}

/// Calls `visit` for every expression of statements.
pub(super) fn walk(steps: &[Step], visit: &mut impl FnMut(&Typed)) {
    for step in steps {
        match step {
            Step::Let { value, .. } => value.walk(visit),
            Step::If { condition, then, otherwise, .. } => {
                condition.walk(visit);
                walk(then, visit);
                walk(otherwise, visit);
            }
            Step::For { list, body, .. } => {
                list.walk(visit);
                walk(body, visit);
            }
            Step::Require { condition, message } => {
                condition.walk(visit);
                message.walk(visit);
            }
            Step::Fail { message } => message.walk(visit),
            Step::Return { values } => values.iter().for_each(|value| value.walk(visit)),
        }
    }
}

/// The names in a body, and its other words.
fn words(body: &str) -> impl Iterator<Item = &str> {
    body.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
}
