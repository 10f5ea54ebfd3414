//! Skeletons of kernels in Python, for functions that no module of the package defines.
//!
//! Invariant: a module with a skeleton can be imported, and the skeleton raises an error when it is
//! called. A function that serves several keys or operators has one skeleton. Each goes to the
//! module that the YAML names, since a kernel cannot be elsewhere.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};
use serde::Serialize;

use crate::library::fakes::MissingKernel;
use torchgen_api::python::annotation;
use torchgen_base::diag::{Diagnostic, FileId};
use torchgen_base::lang::python::is_keyword;
use torchgen_base::lang::replace_words;
use torchgen_base::render::{RenderError, Renderer};
use torchgen_kit::comment::docstring;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;
use torchgen_model::model::{DispatchKey, NativeFunction};

/// Longer signatures have one line for each parameter.
const WIDTH: usize = 100;

/// The words of types. A new module evaluates none of them, and others may say so too.
const TYPES: &[&str] = &["bool", "float", "int", "list", "object", "str", "torch", "tuple"];
const POSTPONED: &str = "from __future__ import annotations";

/// The skeletons of one module.
#[derive(Serialize)]
struct Skeletons<'a> {
    /// The module's file, if it is not clear where they go.
    shown_file: Option<String>,
    /// The module does not exist, or is empty.
    new: bool,
    /// The module does not import torch.
    imports: bool,
    namespace: &'a str,
    kernels: Vec<Skeleton<'a>>,
}

#[derive(Serialize)]
struct Skeleton<'a> {
    name: &'a str,
    /// The operators' names with their namespaces.
    operators: Vec<String>,
    /// The lines of their schemas, in a docstring.
    schema: Vec<String>,
    /// The devices that it serves, unless it serves all.
    keys: Vec<&'static str>,
    parameters: Vec<Parameter<'a>>,
    /// The number of positional parameters, if not all are.
    star: Option<usize>,
    /// Each parameter is on a line of its own.
    wide: bool,
    returns: String,
    /// Types are in quotes, since a function of the module has the name of one.
    quoted: bool,
}

#[derive(Serialize, PartialEq)]
struct Parameter<'a> {
    name: Cow<'a, str>,
    ty: Option<String>,
}

impl<'a> Skeleton<'a> {
    /// That of a function, with the kernels that it is.
    fn new(missing: &[&MissingKernel<'a>]) -> Option<Skeleton<'a>> {
        let kernel = missing.first()?.kernel;
        let operators: IndexMap<String, &NativeFunction> =
            missing.iter().map(|one| (one.f.full_name(), one.f)).collect();
        let mut signatures = operators.values().map(|f| Signature::new(f));
        let first = signatures.next()?;
        let signature = if signatures.all(|other| other == first) { first } else { Signature::of_any() };
        let keys: Vec<DispatchKey> = missing.iter().map(|one| one.kernel.key).collect();
        let for_all = keys.contains(&DispatchKey::CompositeExplicitAutograd);
        let keys: IndexSet<&'static str> = keys.iter().filter(|_| !for_all).map(|key| key.as_str()).collect();
        let schemas: Vec<String> = operators.values().map(|f| format!("{}::{}", f.namespace, f.func)).collect();
        Some(Skeleton {
            name: &kernel.function.name,
            wide: signature.is_wide(&kernel.function.name),
            operators: operators.into_keys().collect(),
            schema: docstring(schemas.iter().map(String::as_str)),
            keys: keys.into_iter().collect(),
            parameters: signature.parameters,
            star: signature.star,
            returns: signature.returns,
            quoted: false,
        })
    }
}

/// How an operator calls its kernel.
#[derive(PartialEq)]
struct Signature<'a> {
    parameters: Vec<Parameter<'a>>,
    star: Option<usize>,
    returns: String,
}

impl<'a> Signature<'a> {
    fn new(f: &'a NativeFunction) -> Signature<'a> {
        let (parameters, star) = parameters(f);
        Signature { parameters, star, returns: spelled(&annotation::returns_type(&f.func.returns)) }
    }

    /// That of a function that several operators call, each with its own arguments.
    fn of_any() -> Signature<'a> {
        let any = |name: &'static str| Parameter { name: name.into(), ty: None };
        Signature { parameters: vec![any("*args"), any("**kwargs")], star: None, returns: "object".to_owned() }
    }

    /// Whether it does not fit into a line.
    fn is_wide(&self, name: &str) -> bool {
        let width = |p: &Parameter<'_>| p.name.len() + p.ty.as_ref().map_or(0, |ty| ty.len() + 2) + 2;
        let around = "def () -> :".len() + name.len() + self.returns.len() + self.star.map_or(0, |_| "*, ".len());
        !self.parameters.is_empty() && around + self.parameters.iter().map(width).sum::<usize>() > WIDTH
    }
}

/// What the function gets, and the number of positional parameters, if not all are.
fn parameters(f: &NativeFunction) -> (Vec<Parameter<'_>>, Option<usize>) {
    let positional = f.func.arguments.flat_positional().count();
    let mut all: Vec<Parameter<'_>> = Vec::new();
    let mut reserved = false;
    for (i, a) in f.func.schema_order_arguments().enumerate() {
        let name = a.schema_name();
        let ty = Some(spelled(&annotation::passed_type(&a.ty)));
        // Python cannot spell such a keyword, but a positional argument can have any name.
        if is_keyword(name) && i >= positional {
            reserved = true;
            continue;
        }
        let is_other = |other: &str| f.func.schema_order_arguments().any(|a| a.schema_name() == other);
        let mut free = Cow::Borrowed(name);
        while is_keyword(&free) || free != name && is_other(&free) {
            free.to_mut().push('_');
        }
        all.push(Parameter { name: free, ty });
    }
    let star = (all.len() > positional).then_some(positional);
    if reserved {
        let mut rest = "**named".to_owned();
        while all.iter().any(|other| other.name == rest[2..]) {
            rest.push('_');
        }
        all.push(Parameter { name: rest.into(), ty: None });
    }
    (all, star)
}

/// A type as a module spells it that imports torch alone.
fn spelled(ty: &str) -> String {
    let own = ty.replace("_torch.", "torch.");
    let words = [("Tensor", "torch.Tensor"), ("Generator", "torch.Generator"), ("Sequence", "list")];
    words.into_iter().fold(own, |text, (word, other)| replace_words(&text, word, |_| Some(other.to_owned())))
}

/// The missing kernels of each module, by the functions that they are.
pub(super) struct ByModule<'m>(IndexMap<&'m Path, IndexMap<&'m str, Vec<&'m MissingKernel<'m>>>>);

impl<'m> ByModule<'m> {
    pub(super) fn new(missing: &'m [MissingKernel<'m>]) -> ByModule<'m> {
        let mut files: IndexMap<&Path, IndexMap<&str, Vec<&MissingKernel<'_>>>> = IndexMap::new();
        for one in missing {
            files.entry(&one.file).or_default().entry(&one.kernel.function.name).or_default().push(one);
        }
        ByModule(files)
    }

    /// The errors that they are missing.
    pub(super) fn report(&self, renderer: &Renderer) -> Result<Vec<Diagnostic>, RenderError> {
        let mut all = Vec::new();
        for (file, functions) in &self.0 {
            for one in functions.values().flatten() {
                let Some(skeleton) = Skeleton::new(&[*one]) else { continue };
                let signature = renderer.fragment("torch/kernels/python_signature.j2", &skeleton)?;
                let message = format!("kernel `{}` is not defined anywhere", one.kernel.function);
                let note = format!("expected in `{}`: {}", file.display(), signature.trim());
                let missing = Diagnostic::new(&codes::KERNEL_MISSING, message).at(one.kernel.span).note(note);
                let missing = missing.maybe_help(one.near.clone());
                all.push(missing.help("`torchgen-rs kernels --write` writes a skeleton"));
            }
        }
        Ok(all)
    }

    /// What to add to each module, with its bytes. `shown` adds where it goes.
    ///
    /// # Errors
    /// A module cannot be read, or a template fails.
    pub(super) fn additions(
        &self,
        renderer: &Renderer,
        shown: bool,
        session: &mut Session,
    ) -> Result<Vec<Addition>, JobError> {
        let mut all = Vec::new();
        for (file, functions) in &self.0 {
            let (mut bytes, mut text, mut new) = (Vec::new(), String::new(), true);
            if session.seen.is_file(file) {
                bytes = session.read_bytes(file)?;
                let file: FileId = session.read_text(file)?;
                text = session.sources.text(file).to_owned();
                new = text.trim().is_empty();
            }
            let mut kernels: Vec<Skeleton<'_>> = functions.values().filter_map(|one| Skeleton::new(one)).collect();
            let hides_types = kernels.iter().any(|kernel| TYPES.contains(&kernel.name));
            let quoted = hides_types && !new && !code(&text).any(|line| line.starts_with(POSTPONED));
            kernels.iter_mut().for_each(|kernel| kernel.quoted = quoted);
            let first = functions.values().flatten().next();
            let view = Skeletons {
                shown_file: shown.then(|| file.display().to_string()),
                new,
                imports: !code(&text).any(|line| line.trim_end() == "import torch"),
                namespace: first.map_or("", |one| &one.f.namespace),
                kernels,
            };
            let added = renderer.fragment("torch/kernels/python.py.j2", &view)?;
            let count = functions.values().map(Vec::len).sum();
            all.push(Addition { file: file.to_path_buf(), bytes, text, added, count });
        }
        Ok(all)
    }
}

/// The lines of a module, without those inside of strings in three quotes.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let mut inside: Option<&str> = None;
    text.lines().filter(move |line| {
        let was_inside = inside.is_some();
        let mut rest = *line;
        loop {
            let next = match inside {
                Some(quotes) => rest.find(quotes).map(|at| (at, None)),
                None => ["\"\"\"", "'''"]
                    .into_iter()
                    .filter_map(|q| Some((rest.find(q)?, Some(q))))
                    .min_by_key(|(at, _)| *at),
            };
            let Some((at, then)) = next else { break };
            (inside, rest) = (then, &rest[at + 3..]);
        }
        !was_inside
    })
}

/// A text to append to a module.
pub(super) struct Addition {
    pub(super) file: PathBuf,
    /// The module's bytes and text; empty if it does not exist.
    pub(super) bytes: Vec<u8>,
    pub(super) text: String,
    pub(super) added: String,
    /// The number of kernels.
    pub(super) count: usize,
}
