//! The entries of the YAML, from calls of `def` and `impl`.
//!
//! Invariant: entries are in the order of their `def`s, and each name occurs once.

use std::collections::HashSet;

use indexmap::IndexMap;
use serde::Serialize;

use super::scan::{Argument, Call};
use torchgen_base::diag::{Diagnostic, Diagnostics, FileId, Span, did_you_mean};
use torchgen_base::lang::cpp::Signature;
use torchgen_base::lang::is_qualified_identifier;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::model::DispatchKey;
use torchgen_model::parse::{self, c10};

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Entry {
    /// The schema with its namespace, as YAML.
    pub(super) func: String,
    /// The same as it is written.
    #[serde(skip)]
    pub(super) schema: String,
    /// The keys that it has kernels for, whatever these are.
    #[serde(skip)]
    pub(super) keys: Vec<String>,
    tags: Vec<String>,
    /// Kernels by dispatch key, in the order of the sources.
    dispatch: Vec<RegisteredKernel>,
    /// The builds that have it, if `when:` can say so.
    pub(super) when: Option<String>,
    /// Some kernels are in fewer builds.
    kernels_differ: bool,
    /// The conditions of the preprocessor around its `def`.
    #[serde(skip)]
    pub(super) conditions: Vec<String>,
    /// C++ is not generated for the types of its schema.
    schema_only: bool,
    /// What the YAML cannot say.
    comments: Vec<String>,
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct RegisteredKernel {
    key: String,
    name: String,
    /// The builds that have it, among those with the operator.
    when: Option<String>,
    /// The source that alone sees the function.
    #[serde(skip)]
    hidden_in: Option<String>,
}

/// A `def` that is not an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Left {
    /// Its place, as `FILE:LINE`.
    pub(crate) place: String,
    /// Why it is not an entry.
    pub(crate) reason: String,
}

/// The entries of all files.
pub(super) struct Entries<'a> {
    /// What replaces a macro as a namespace.
    pub(super) namespace: Option<&'a str>,
    /// The tables of the run.
    pub(super) tables: &'a Tables,
    /// What the sources define, for `def`s without a schema.
    pub(super) defined: &'a [Located],
    /// The functions that only their source sees: its path, and their names.
    pub(super) hidden: &'a HashSet<(String, String)>,
    /// The path of the source whose calls are read.
    pub(super) path: String,
    /// By name, with the place of each `def`.
    pub(super) found: IndexMap<String, (Entry, Span)>,
    /// The other `def`s.
    pub(super) left: Vec<Left>,
}

/// The name of a function that the sources define, and its types.
pub(super) type Located = (String, Signature);

impl Entries<'_> {
    /// Adds the operators of `def` calls. `place` shows a byte of the file as `FILE:LINE`.
    pub(super) fn define(
        &mut self,
        calls: &[Call],
        file: FileId,
        place: impl Fn(usize) -> String,
        diagnostics: &mut Diagnostics,
    ) {
        for call in calls.iter().filter(|call| call.is_def) {
            if let Err(diagnostic) = self.define_one(call, file) {
                if std::ptr::eq(diagnostic.code, &codes::CPP_SCHEMA) {
                    let (place, reason) = (place(call.range.start), diagnostic.message.clone());
                    self.left.push(Left { place, reason });
                }
                diagnostics.push(*diagnostic);
            }
        }
    }

    fn define_one(&mut self, call: &Call, file: FileId) -> Result<(), Box<Diagnostic>> {
        let span = Span::new(file, call.range.start, call.range.end);
        let schema = call.arguments.first().and_then(|argument| argument.literal.as_ref()).ok_or_else(|| {
            let message = "the schema is not a string in the source";
            Box::new(Diagnostic::new(&codes::CPP_SCHEMA, message).at(span).help("write the entry by hand"))
        })?;
        let inferred = match schema.text.contains('(') {
            true => None,
            false => Some(self.infer(&schema.text, call, span)?),
        };
        let text = inferred.as_ref().map_or(&schema.text, |(text, _)| text);
        let declared = c10::declared(text).map_err(|error| {
            // Of an inferred schema, only the name is in the source.
            let range =
                if inferred.is_some() { schema.range(0..schema.text.len()) } else { schema.range(error.range.clone()) };
            let diagnostic = Diagnostic::new(error.code, error.message).at(Span::new(file, range.start, range.end));
            Box::new(diagnostic.maybe_help(error.help))
        })?;
        let namespace = match &declared.namespace {
            Some(namespace) => namespace.clone(),
            None => self.namespace_of(&call.namespace, file)?,
        };
        let name = declared.text.split('(').next().unwrap_or_default();
        let full_name = format!("{namespace}::{name}");
        let mut entry = Entry {
            func: quoted(&format!("{namespace}::{}", declared.text)),
            schema: format!("{namespace}::{}", declared.text),
            keys: Vec::new(),
            tags: call.arguments.iter().skip(1).flat_map(tags).collect(),
            dispatch: Vec::new(),
            when: when(&call.conditions),
            kernels_differ: false,
            conditions: call.conditions.clone(),
            schema_only: false,
            comments: Vec::new(),
        };
        if let Err(reason) = declared.generated(self.tables) {
            entry.schema_only = true;
            entry.comments.push(format!("registered by its schema alone: {}", reason.message));
        }
        entry.comments.extend(inferred.into_iter().flat_map(|(_, comments)| comments));
        if !call.conditions.is_empty() && entry.when.is_none() {
            entry.comments.push(format!("{ONLY} {}", call.conditions.join(" && ")));
        }
        if let Some(argument) = kernel_of(call) {
            let (key, kernel) = dispatched(argument);
            let key = key.unwrap_or_else(|| "CompositeImplicitAutograd".to_owned());
            entry.add(&namespace, &key, &kernel, (call, self.source()));
        }
        match self.found.get_mut(&full_name) {
            // The branches of an `#if` often declare the same.
            Some((first, _)) if first.func == entry.func => {
                first.comments.retain(|comment| !comment.starts_with(ONLY));
                first.dispatch.extend(entry.dispatch);
                first.keys.extend(entry.keys);
                first.when = None;
                first.conditions.clear();
                Ok(())
            }
            Some((_, first)) => {
                let message = format!("`{full_name}` is declared with another schema");
                let other = Diagnostic::new(&codes::CPP_SCHEMA, message).at(span).also(*first, "the first one");
                Err(Box::new(other.help("keep one of them; a schema cannot depend on the build")))
            }
            None => {
                self.found.insert(full_name, (entry, span));
                Ok(())
            }
        }
    }

    fn source(&self) -> Hidden<'_> {
        Hidden { path: &self.path, names: self.hidden }
    }

    /// The schema that torch infers from the function of a `def`, and comments on it.
    fn infer(&self, name: &str, call: &Call, span: Span) -> Result<(String, Vec<String>), Box<Diagnostic>> {
        let reported =
            |message: String, help: &str| Box::new(Diagnostic::new(&codes::CPP_SCHEMA, message).at(span).help(help));
        let help = "print it with `torch.ops.NAMESPACE.NAME.default._schema`, and write it into the `def`";
        let function = kernel_of(call).map(|argument| dispatched(argument).1).unwrap_or_default();
        let shown = function.strip_prefix("::").unwrap_or(&function);
        if !is_qualified_identifier(shown) {
            let message = format!("`{name}` has no schema: torch infers it from the C++ function");
            return Err(reported(message, help));
        }
        // The innermost scope that has the name.
        let scope: Vec<&str> = call.scope.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        let names = (0..=scope.len()).rev().map(|depth| [&scope[..depth], &[shown]].concat().join("::"));
        let of = |wanted: &String| self.defined.iter().filter(|(name, _)| name == wanted).collect::<Vec<_>>();
        let found = names.map(|name| of(&name)).find(|found| !found.is_empty()).unwrap_or_default();
        let signature = match found.as_slice() {
            [(_, signature), rest @ ..] if rest.iter().all(|(_, other)| other == signature) => signature,
            [] => {
                let message = format!("`{name}` has no schema, and these files do not define `{function}`");
                let help = format!("name the source that defines it too, or {help}");
                return Err(reported(message, &help));
            }
            _ => {
                let message = format!("`{name}` has no schema, and `{function}` has several signatures");
                return Err(reported(message, help));
            }
        };
        let schema = super::infer::schema(name, signature).map_err(|type_| {
            let message = format!("`{name}` has no schema, and torch infers none from the type `{type_}`");
            reported(message, "write the schema into the `def`")
        })?;
        let changed = super::infer::changed(signature);
        let note = (!changed.is_empty())
            .then(|| format!("{function} can change {}: declare what it changes", changed.join(", ")));
        Ok((schema, [Some(format!("inferred from {function}")), note].into_iter().flatten().collect()))
    }

    /// Adds the kernels of `impl` calls.
    pub(super) fn implement(&mut self, calls: &[Call], file: FileId, diagnostics: &mut Diagnostics) {
        for call in calls.iter().filter(|call| !call.is_def) {
            let span = Span::new(file, call.range.start, call.range.end);
            let Some(name) = call.arguments.first().and_then(|argument| argument.literal.as_ref()) else {
                let message = "the operator of this kernel is not a string in the source";
                diagnostics.push(Diagnostic::new(&codes::CPP_KERNEL, message).at(span));
                continue;
            };
            let full_name = match (name.text.contains("::"), self.namespace_of(&call.namespace, file)) {
                (true, _) => name.text.clone(),
                (false, Ok(namespace)) => format!("{namespace}::{}", name.text),
                // The blocks of `def` calls have the same macro.
                (false, Err(diagnostic)) => {
                    diagnostics.push(*diagnostic);
                    continue;
                }
            };
            let Some(kernel) = call.arguments.iter().skip(1).next_back() else { continue };
            let (own, kernel) = dispatched(kernel);
            let between = call.arguments.get(1).filter(|_| call.arguments.len() > 2).map(|key| last_word(&key.text));
            let key = own.or(between).or_else(|| call.key.clone());
            let key = key.unwrap_or_else(|| "CompositeImplicitAutograd".to_owned());
            let known: Vec<String> = self.found.keys().cloned().collect();
            let source = Hidden { path: &self.path, names: self.hidden };
            match self.found.get_mut(&full_name) {
                Some((entry, _)) => {
                    let namespace = full_name.split("::").next().unwrap_or_default();
                    entry.add(namespace, &key, &kernel, (call, source));
                }
                None => {
                    let message = format!("no `def` in these files declares `{full_name}`");
                    let help = did_you_mean(&full_name, known.iter().map(String::as_str));
                    let diagnostic = Diagnostic::new(&codes::CPP_KERNEL, message).at(span);
                    diagnostics.push(diagnostic.maybe_help(help));
                }
            }
        }
    }

    /// The namespace of a block. `--namespace` replaces macros.
    fn namespace_of(&self, written: &Argument, file: FileId) -> Result<String, Box<Diagnostic>> {
        if written.text.is_empty() {
            let message = "`RegisterOperators` registers an operator without a namespace";
            let span = Span::new(file, written.range.start, written.range.end);
            let help = "write `NAMESPACE::NAME` into its schema";
            return Err(Box::new(Diagnostic::new(&codes::CPP_SCHEMA, message).at(span).help(help)));
        }
        let joined = ["CONCAT", "C10_CONCATENATE", "TORCH_CONCAT"].iter().find_map(|name| {
            let inside = written.text.strip_prefix(name)?.trim().strip_prefix('(')?.strip_suffix(')')?;
            Some(inside.split(',').map(str::trim).collect::<Vec<_>>())
        });
        let parts = joined.unwrap_or_else(|| vec![written.text.as_str()]);
        let part = |part: &str| match (is_macro(part), self.namespace) {
            (false, _) => Some(part.to_owned()),
            (true, namespace) => namespace.map(str::to_owned),
        };
        parts.into_iter().map(part).collect::<Option<String>>().ok_or_else(|| {
            let message = format!("the namespace `{}` is a macro", written.text);
            let span = Span::new(file, written.range.start, written.range.end);
            let help = "give its value with `--namespace`";
            Box::new(Diagnostic::new(&codes::CPP_NAMESPACE, message).at(span).help(help))
        })
    }
}

/// A source, and the functions that only their source sees.
#[derive(Clone, Copy)]
struct Hidden<'a> {
    path: &'a str,
    names: &'a HashSet<(String, String)>,
}

impl Entry {
    /// Adds a kernel of an operator in `namespace`, as a key of `dispatch:` if it can be one.
    fn add(&mut self, namespace: &str, key: &str, kernel: &str, (call, source): (&Call, Hidden<'_>)) {
        let key = match key.strip_prefix('k').filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())) {
            Some("HIP") => "CUDA",
            Some(key) => key,
            None => key,
        };
        self.keys.push(key.to_owned());
        let own: Vec<String> =
            call.conditions.iter().filter(|condition| !self.conditions.contains(condition)).cloned().collect();
        let condition = match own.is_empty() {
            true => String::new(),
            false => format!(", only if {}", own.join(" && ")),
        };
        if !is_qualified_identifier(kernel.strip_prefix("::").unwrap_or(kernel)) {
            self.comments.push(format!("{key}: not a function with a name{condition}"));
            return;
        }
        let kernel = qualified(kernel, &call.scope);
        let above_stable = ABOVE_STABLE.iter().filter(|_| call.stable);
        let is_above =
            ABOVE.iter().chain(above_stable).any(|prefix| key.starts_with(prefix)) || DispatchKey::parse(key).is_none();
        let is_second = self.dispatch.iter().any(|own| own.key == key);
        if is_above || is_second || self.schema_only {
            let how = if is_above { " (register it in C++)" } else { "" };
            self.comments.push(format!("{key}: {kernel}{how}{condition}"));
            return;
        }
        let hidden_in =
            Some(source.path.to_owned()).filter(|path| source.names.contains(&(path.clone(), kernel.clone())));
        let is_other = |own: &&RegisteredKernel| own.name == kernel && own.hidden_in != hidden_in;
        if let Some(other) = self.dispatch.iter().find(is_other) {
            self.comments
                .push(format!("{kernel} is one function for {}, and another for {key}: rename one", other.key));
        }
        if call.scope.iter().any(String::is_empty) || hidden_in.is_some() {
            self.comments.push(format!("{kernel} is in an unnamed namespace or static: make it visible"));
        } else if !kernel.contains("::") {
            self.comments.push(format!("{kernel} is not in a namespace: move it into {namespace}::native"));
        }
        let when = when(&own);
        if !condition.is_empty() && when.is_none() {
            self.comments.push(format!("{key}: {kernel}{condition}"));
        }
        self.kernels_differ |= when.is_some();
        self.dispatch.push(RegisteredKernel { key: key.to_owned(), name: kernel, when, hidden_in });
    }
}

/// Conditions of the preprocessor as one of `when:`; `None` if it cannot say them.
fn when(conditions: &[String]) -> Option<String> {
    let each: Vec<String> = conditions.iter().map(|text| in_words(text)).collect();
    let text = match each.as_slice() {
        [] => return None,
        [one] => one.clone(),
        several => several.iter().map(|one| format!("({one})")).collect::<Vec<_>>().join(" and "),
    };
    parse::when(&text).ok().map(|_| text)
}

/// The operators of C++ as words.
fn in_words(condition: &str) -> String {
    let text = condition.replace("&&", " and ").replace("||", " or ").replace("!=", "\0").replace('!', " not ");
    let mut words: Vec<String> = text.replace('\0', " != ").split_whitespace().map(str::to_owned).collect();
    // `defined X`
    while let Some(at) = words.iter().position(|word| word == "defined") {
        let name = if at + 1 < words.len() { words.remove(at + 1) } else { String::new() };
        words[at] = if name.starts_with('(') { format!("defined{name}") } else { format!("defined({name})") };
    }
    words.join(" ")
}

/// A function's name from the outermost namespace. Names are looked up from inside out, and most
/// kernels are in the namespace of their registration.
fn qualified(name: &str, scope: &[String]) -> String {
    if let Some(absolute) = name.strip_prefix("::") {
        return absolute.to_owned();
    }
    let scope: Vec<&str> = scope.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    let first = name.split("::").next().unwrap_or(name);
    match name.contains("::") && scope.first() == Some(&first) {
        true => name.to_owned(),
        false => [&scope[..], &[name]].concat().join("::"),
    }
}

/// Begins the comment on the condition of a `def`.
const ONLY: &str = "declared only if";

/// Keys above the backends, which a library's YAML does not have.
const ABOVE: &[&str] = &["ADInplaceOrView", "BackendSelect", "Functionalize", "Batched", "Python", "Tracer"];

/// More of them, which the YAML of a library on the stable ABI does not have.
const ABOVE_STABLE: &[&str] = &["Autograd", "Autocast", "FuncTorch"];

/// Whether a word is a macro by its spelling.
fn is_macro(word: &str) -> bool {
    word.contains('(')
        || (word.contains(|c: char| c.is_ascii_uppercase()) && !word.contains(|c: char| c.is_ascii_lowercase()))
}

/// The part of a name after the last `::`.
fn last_word(text: &str) -> String {
    text.rsplit("::").next().unwrap_or(text).trim().to_owned()
}

/// The tags in `{at::Tag::a, at::Tag::b}` or `at::Tag::a`; none for anything else.
fn tags(argument: &Argument) -> Vec<String> {
    let text = argument.text.trim_matches(['{', '}', ' ']);
    let parts = text.split(',').map(str::trim);
    let found: Option<Vec<String>> =
        parts.map(|part| part.contains("Tag::").then(|| last_word(part).trim_end_matches('}').to_owned())).collect();
    found.unwrap_or_default()
}

/// The argument of a `def` that is its kernel: the last one that is not tags.
fn kernel_of(def: &Call) -> Option<&Argument> {
    def.arguments.iter().skip(1).rfind(|argument| tags(argument).is_empty())
}

/// The key and the kernel of an argument: `&f`, `TORCH_FN(f)`, `TORCH_BOX(&f)`,
/// `torch::dispatch(key, f)`.
fn dispatched(argument: &Argument) -> (Option<String>, String) {
    let text = argument.text.trim();
    let call = text.split_once('(').and_then(|(name, rest)| Some((last_word(name), rest.strip_suffix(')')?)));
    match call {
        Some((name, inside)) if name == "dispatch" => match inside.split_once(',') {
            Some((key, kernel)) => (Some(last_word(key.trim().trim_matches('"'))), function(kernel)),
            None => (None, String::new()),
        },
        _ => (None, function(text)),
    }
}

/// The name of the function that an expression is.
fn function(text: &str) -> String {
    let mut text = text.trim();
    for name in ["TORCH_FN", "TORCH_BOX", "TORCH_SELECTIVE_FN"] {
        if let Some(inside) = text.strip_prefix(name) {
            text = inside.trim().trim_start_matches('(').trim_end_matches(')');
        }
    }
    text.trim().trim_start_matches('&').trim().to_owned()
}

/// A scalar of YAML.
fn quoted(text: &str) -> String {
    match text.contains(": ") || text.contains(" #") || text.contains('\n') {
        true => format!("'{}'", text.replace('\'', "''")),
        false => text.to_owned(),
    }
}
