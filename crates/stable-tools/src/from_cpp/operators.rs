//! The operators that C++ sources register, and their kernels.
//!
//! Invariant: each `def` is an operator or is left with a reason, and each `impl` is a kernel of an
//! operator or of one that these sources do not declare. An operator is there once, whatever builds
//! declare it.

use std::path::PathBuf;

use indexmap::IndexMap;

use super::functions::{Functions, dispatched, kernel_of, last_word, tags};
use torchgen_base::diag::{Diagnostic, Diagnostics, Span};
use torchgen_kit::driver::data::RunTables;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::DispatchKey;
use torchgen_model::parse::c10;
use torchgen_registrations::{Action, Argument, Call, Class, Condition, Conditions, Registrations, registrations};

/// What sources register.
#[derive(Debug, Default)]
pub struct Operators {
    /// The operators, in the order of the sources.
    pub operators: Vec<Operator>,
    /// What is none, in the order of the sources.
    pub left: Vec<Left>,
    /// The kernels of operators that the sources do not declare, by their names.
    pub undeclared: Vec<(String, Kernel)>,
    /// The conditions of the operators and kernels.
    pub conditions: Conditions,
    /// How many blocks of registrations there are.
    pub blocks: usize,
    /// What blocks of Python modules do, `PYBIND11_MODULE`.
    pub modules: Vec<Call>,
    /// The classes of autograd functions.
    pub(crate) classes: Vec<Class>,
    /// The functions of the sources.
    pub(crate) functions: Functions,
}

/// An operator.
#[derive(Debug, Clone)]
pub struct Operator {
    /// Its name with the namespace and the overload.
    pub name: String,
    /// Its schema with the namespace.
    pub schema: String,
    /// The places that declare it.
    pub places: Vec<Span>,
    /// The builds that have it.
    pub condition: Condition,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its kernels, in the order of the sources. A kernel for `Meta` is its fake.
    pub kernels: Vec<Kernel>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// What it does, as the sources say.
    pub doc: Option<String>,
    /// Why no C++ is generated for its types.
    pub schema_only: Option<String>,
}

/// A kernel: a function that is registered at a place for a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its dispatch key.
    pub key: String,
    /// The function as written, without macros around it.
    pub function: String,
    /// The function's name from the outermost namespace; `None` for a template, a lambda or another
    /// expression.
    pub name: Option<String>,
    /// Where it is registered.
    pub place: Span,
    /// The builds that register it.
    pub condition: Condition,
    /// Where the function is defined, if these sources define it.
    pub definition: Option<Span>,
    /// Only the source that defines it sees the function.
    pub is_hidden: bool,
    /// It is registered on the stable ABI.
    pub is_stable: bool,
}

/// A call that is no operator.
#[derive(Debug, Clone)]
pub struct Left {
    /// Its place.
    pub place: Span,
    /// Why it is none.
    pub reason: String,
    /// Where something says otherwise.
    pub other: Option<Span>,
    /// What it is.
    pub what: LeftCall,
}

/// What a call is that is no operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftCall {
    /// It declares an operator, which cannot be written.
    Operator,
    /// It cannot be read.
    Unread,
    /// It registers something else, such as a class.
    Other,
}

/// Reads the operators of sources; `namespace` replaces macros. What cannot be read is a warning.
///
/// # Errors
/// A source cannot be read.
pub fn operators(
    sources: &[PathBuf],
    namespace: Option<&str>,
    defines: &[(String, String)],
    session: &mut Session,
) -> Result<Operators, JobError> {
    let mut defines = defines.to_vec();
    if let Some(namespace) = namespace {
        defines.push((EXTENSION.to_owned(), namespace.to_owned()));
    }
    let Registrations { calls, classes, conditions, blocks, problems, templates } =
        registrations(sources, &defines, session)?;
    let (modules, calls): (Vec<Call>, Vec<Call>) = calls.into_iter().partition(|call| call.module);
    let files = calls.iter().chain(&modules).flat_map(|call| [call.place.file, call.unit]);
    let functions = Functions::read(sources, !modules.is_empty(), files, session)?;
    let mut read = Reader {
        namespace,
        functions,
        found: IndexMap::new(),
        result: Operators { classes, conditions, blocks, modules, ..Operators::default() },
        diagnostics: Diagnostics::new(),
        tables: session.tables.clone(),
        macros_reported: Vec::new(),
    };
    for problem in problems {
        read.diagnostics.push(Diagnostic::new(&codes::CPP_PREPROCESSOR, problem.message).at(problem.place));
    }
    for template in templates {
        let place = Span::new(template, 0, 0);
        let reason = "this source is a Jinja template".to_owned();
        let help = "run your generator, and give `from-cpp` what it writes";
        read.diagnostics.push(Diagnostic::new(&codes::CPP_PREPROCESSOR, reason.as_str()).at(place).help(help));
        read.result.left.push(Left { place, reason, other: None, what: LeftCall::Unread });
    }
    calls.iter().filter(|call| call.action == Action::Define).for_each(|call| read.define(call));
    calls.iter().filter(|call| call.action == Action::Implement).for_each(|call| read.implement(call));
    for call in calls.iter().filter(|call| call.action == Action::Other) {
        let reason = format!("`{}` has no key in the YAML", call.function);
        read.result.left.push(Left { place: call.place, reason, other: None, what: LeftCall::Other });
    }
    read.result.operators = read.found.into_values().collect();
    read.result.functions = read.functions;
    session.diagnostics.extend(read.diagnostics);
    Ok(read.result)
}

/// The macro that the build gives the namespace by.
const EXTENSION: &str = "TORCH_EXTENSION_NAME";

struct Reader<'a> {
    namespace: Option<&'a str>,
    functions: Functions,
    found: IndexMap<String, Operator>,
    result: Operators,
    diagnostics: Diagnostics,
    tables: RunTables,
    /// The macros as namespaces that were reported.
    macros_reported: Vec<String>,
}

impl Reader<'_> {
    /// Adds the operator of a `def`.
    fn define(&mut self, call: &Call) {
        if let Err(diagnostic) = self.define_one(call) {
            let reason = diagnostic.message.clone();
            // Another schema is one of an operator that is there.
            let other = diagnostic.labels.first().map(|label| label.span);
            let what = if other.is_none() { LeftCall::Operator } else { LeftCall::Unread };
            self.result.left.push(Left { place: call.place, reason, other, what });
            self.diagnostics.push(*diagnostic);
        }
    }

    fn define_one(&mut self, call: &Call) -> Result<(), Box<Diagnostic>> {
        let span = call.place;
        let schema = call.arguments.first().and_then(|argument| argument.literal.as_ref()).ok_or_else(|| {
            let message = "the schema is not a string in the source";
            Box::new(Diagnostic::new(&codes::CPP_SCHEMA, message).at(span).help("write the entry by hand"))
        })?;
        let inferred = match schema.text.contains('(') {
            true => None,
            false => Some(self.functions.schema(&schema.text, call)?),
        };
        let text = inferred.as_ref().map_or(&schema.text, |(text, _)| text);
        let declared = c10::declared(text).map_err(|error| {
            // Of an inferred schema, only the name is in the source.
            let range = if inferred.is_some() { 0..schema.text.len() } else { error.range.clone() };
            let diagnostic = Diagnostic::new(&codes::CPP_SCHEMA, error.message).at(schema.place(range));
            Box::new(diagnostic.maybe_help(error.help))
        })?;
        let namespace = match &declared.namespace {
            Some(namespace) => namespace.clone(),
            None => self.namespace_of(&call.namespace)?,
        };
        let short = declared.text.split('(').next().unwrap_or_default();
        let name = format!("{namespace}::{short}");
        let schema = format!("{namespace}::{}", declared.text);
        let notes = inferred.into_iter().flat_map(|(_, notes)| notes).collect();
        let kernel = kernel_of(call).map(|argument| self.kernel(call, argument, None));
        match self.found.get_mut(&name) {
            // Several builds often declare the same.
            Some(first) if first.schema == schema => {
                first.condition = self.result.conditions.or(first.condition, call.condition);
                first.places.push(span);
            }
            Some(first) => {
                let message = format!("`{name}` is declared with another schema");
                let other = Diagnostic::new(&codes::CPP_SCHEMA, message).at(span);
                let other = other.also(first.place(), "the first one");
                return Err(Box::new(other.help("keep one of them; a schema cannot depend on the build")));
            }
            None => {
                let schema_only = declared.generated(&self.tables).err().map(|reason| reason.message);
                let operator = Operator {
                    name: name.clone(),
                    schema,
                    places: vec![span],
                    condition: call.condition,
                    tags: call.arguments.iter().skip(1).flat_map(tags).collect(),
                    kernels: Vec::new(),
                    notes,
                    doc: None,
                    schema_only,
                };
                self.found.insert(name.clone(), operator);
            }
        }
        if let (Some(kernel), Some(operator)) = (kernel, self.found.get_mut(&name)) {
            operator.add(kernel, &mut self.result.conditions);
        }
        Ok(())
    }

    /// Adds the kernel of an `impl`.
    fn implement(&mut self, call: &Call) {
        let span = call.place;
        let Some(name) = call.arguments.first().and_then(|argument| argument.literal.as_ref()) else {
            let message = "the operator of this kernel is not a string in the source";
            self.diagnostics.push(Diagnostic::new(&codes::CPP_KERNEL, message).at(span));
            self.result.left.push(Left {
                place: span,
                reason: message.to_owned(),
                other: None,
                what: LeftCall::Unread,
            });
            return;
        };
        let name = match (name.text.contains("::"), self.namespace_of(&call.namespace)) {
            (true, _) => name.text.clone(),
            (false, Ok(namespace)) => format!("{namespace}::{}", name.text),
            (false, Err(diagnostic)) => {
                self.result.left.push(Left {
                    place: span,
                    reason: diagnostic.message.clone(),
                    other: None,
                    what: LeftCall::Unread,
                });
                self.diagnostics.push(*diagnostic);
                return;
            }
        };
        let Some(function) = call.arguments.iter().skip(1).next_back() else { return };
        let between = call.arguments.get(1).filter(|_| call.arguments.len() > 2).map(|key| last_word(&key.text));
        let kernel = self.kernel(call, function, between);
        match self.found.get_mut(&name) {
            Some(operator) => operator.add(kernel, &mut self.result.conditions),
            None => self.result.undeclared.push((name, kernel)),
        }
    }

    fn kernel(&self, call: &Call, function: &Argument, between: Option<String>) -> Kernel {
        let (own, function) = dispatched(function);
        let block = || call.key.as_deref().map(last_word);
        let key = own.or(between).or_else(block).unwrap_or_else(|| "CompositeImplicitAutograd".to_owned());
        let key = match key.strip_prefix('k').filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())) {
            Some(rest) if DispatchKey::parse(&key).is_none() => rest,
            _ => &key,
        };
        // Sources that are made for ROCm have another name for the same key.
        let key = if key == "HIP" { "CUDA" } else { key }.to_owned();
        let located = self.functions.find(&function, call);
        Kernel {
            key,
            name: located.name,
            function,
            place: call.place,
            condition: call.condition,
            definition: located.definition,
            is_hidden: located.is_hidden,
            is_stable: call.stable,
        }
    }

    /// The namespace of a block. `--namespace` replaces macros.
    fn namespace_of(&mut self, written: &Argument) -> Result<String, Box<Diagnostic>> {
        if written.text.is_empty() {
            let message = "`RegisterOperators` registers an operator without a namespace";
            let help = "write `NAMESPACE::NAME` into its schema";
            return Err(Box::new(Diagnostic::new(&codes::CPP_SCHEMA, message).at(written.place).help(help)));
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
            let is_known = self.macros_reported.contains(&message);
            self.macros_reported.push(message.clone());
            let diagnostic = Diagnostic::new(&codes::CPP_NAMESPACE, message).at(written.place);
            // Once is enough.
            let diagnostic = if is_known { diagnostic.only_verbose() } else { diagnostic };
            Box::new(diagnostic.help("give its value with `--namespace`"))
        })
    }
}

impl Operator {
    /// The first place that declares it.
    pub(crate) fn place(&self) -> Span {
        self.places.first().copied().unwrap_or_default()
    }

    /// Adds a kernel; one that several builds register is one.
    fn add(&mut self, kernel: Kernel, conditions: &mut Conditions) {
        let same = |own: &&mut Kernel| {
            own.key == kernel.key
                && own.function == kernel.function
                && own.name == kernel.name
                && own.definition == kernel.definition
        };
        match self.kernels.iter_mut().find(same) {
            Some(own) => own.condition = conditions.or(own.condition, kernel.condition),
            None => self.kernels.push(kernel),
        }
    }
}

/// Whether a word is a macro by its spelling.
pub(crate) fn is_macro(word: &str) -> bool {
    word.contains('(')
        || word.starts_with(EXTENSION)
        || (word.contains(|c: char| c.is_ascii_uppercase()) && !word.contains(|c: char| c.is_ascii_lowercase()))
}
