//! What is known about one operator.
//!
//! Invariant: everything comes from the generators' model. [`places`](super::places) adds what a
//! traced run shows.

use serde::Serialize;

use super::places::{Found, Place, Registered};
use torchgen_api::CallingConvention;
use torchgen_api::autograd::{DifferentiabilityInfo, NativeFunctionWithDifferentiabilityInfo};
use torchgen_api::cpp::{BindingKind, SignatureGroup};
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::native::Native;
use torchgen_api::python::{PythonCallable, PythonSignature};
use torchgen_api::{Locals, SymInts};
use torchgen_aten::autograd::python_bindings::{Scope, functions_with_binding, table};
use torchgen_base::diag::{Sources, Span};
use torchgen_generators::Namespaces;
use torchgen_library::library::settings::Settings;
use torchgen_model::group::Grouped;
use torchgen_model::model::Target;
use torchgen_model::model::{BackendIndices, DispatchKey, NativeFunction, SchemaKind};

/// The operators around one.
pub(crate) struct KnownOperators<'a> {
    pub(crate) functions: &'a [NativeFunction],
    pub(crate) indices: &'a BackendIndices,
    pub(crate) grouped: &'a [Grouped<'a>],
    pub(crate) target: Target<'a>,
    /// Those of the library, if it is one.
    pub(crate) settings: Option<&'a Settings>,
    pub(crate) sources: &'a Sources,
}

/// What is known about an operator, as `--json` prints it.
#[derive(Debug, Serialize)]
pub(crate) struct Explanation {
    /// `aten::add.Tensor`
    pub(crate) name: String,
    /// `add_Tensor`
    pub(crate) unambiguous_name: String,
    pub(crate) schema: String,
    /// Where the entry is: `native_functions.yaml:12`.
    at: String,
    /// It has no entry of its own: `autogen:` of the entry in `at` names it.
    generated: bool,
    kind: &'static str,
    /// `function`, `method`
    variants: Vec<&'static str>,
    tags: Vec<String>,
    doc: Option<String>,
    /// The builds that have it.
    when: Option<String>,
    /// `yes`, or the operator that it delegates to.
    structured: Option<String>,
    /// The other variants of the operator.
    group: Vec<Member>,
    pub(crate) kernels: Vec<KernelFact>,
    derivatives: Vec<Derivatives>,
    signatures: Vec<Signature>,
    pub(crate) outputs: Vec<Place>,
}

#[derive(Debug, Serialize)]
struct Member {
    name: String,
    kind: &'static str,
    at: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct KernelFact {
    pub(crate) key: String,
    /// `at::native::add`
    pub(crate) function: String,
    /// Where it is named, or why it exists.
    pub(crate) from: String,
    /// The builds that have it, among those with the operator.
    pub(crate) when: Option<String>,
}

#[derive(Debug, Serialize)]
struct Derivatives {
    key: &'static str,
    at: String,
    /// The operator that the derivative is written for.
    of: String,
    /// The class of the backward node.
    node: Option<String>,
    backward: Vec<Formula>,
    forward: Vec<Formula>,
}

#[derive(Debug, Serialize)]
struct Formula {
    of: String,
    formula: String,
    at: String,
}

#[derive(Debug, Serialize)]
struct Signature {
    api: String,
    text: String,
}

fn kind(f: &NativeFunction) -> &'static str {
    match f.func.kind() {
        SchemaKind::Functional => "functional",
        SchemaKind::Inplace => "inplace",
        SchemaKind::Out => "out=",
        SchemaKind::Mutable => "mutable",
        SchemaKind::Scratch => "scratch",
    }
}

impl Explanation {
    /// Adds the results of the traced run: places, and kernels for keys that the YAML does not
    /// name.
    pub(crate) fn add(&mut self, found: Found) {
        self.outputs = found.places;
        for Registered { key, function, at } in found.registered {
            if !self.kernels.iter().any(|kernel| kernel.key == key) {
                self.kernels.push(KernelFact { key, function, from: format!("generated, {at}"), when: None });
            }
        }
    }
}

impl KnownOperators<'_> {
    fn at(&self, span: Span) -> String {
        format!("{}:{}", self.sources.path(span.file), self.sources.line_col(span).0)
    }

    /// Where the dispatch table of an entry names a key, if it does.
    fn key_at(&self, table: Span, key: DispatchKey) -> Option<String> {
        let text = self.sources.snippet(table);
        let is_word = |c: char| c.is_alphanumeric();
        let (start, _) = text.match_indices(key.as_str()).find(|(start, name)| {
            !text[..*start].ends_with(is_word) && !text[start + name.len()..].starts_with(is_word)
        })?;
        Some(self.at(Span { start: table.start + start as u32, ..table }))
    }

    /// The origin of an entry's kernel for a key.
    fn origin(&self, f: &NativeFunction, key: DispatchKey) -> String {
        let written = f.spans.dispatch.and_then(|table| self.key_at(table, key));
        match written {
            _ if f.is_generated() => "generated".to_owned(),
            Some(place) => place,
            None if !f.ufunc_inner_loop.is_empty() => "made of `ufunc_inner_loop:`".to_owned(),
            None => "the default without `dispatch:`".to_owned(),
        }
    }

    fn kernels(&self, f: &NativeFunction) -> Vec<KernelFact> {
        let delegate = f.structured_delegate.as_ref();
        let out = delegate
            .and_then(|name| self.functions.iter().find(|g| g.func.name == *name && g.namespace == f.namespace));
        let mut kernels = Vec::new();
        for index in self.indices.iter() {
            let key = index.dispatch_key;
            let own = index.get_kernel(f).map(|kernel| (kernel, f));
            let through = || Some((index.get_kernel(out?).filter(|kernel| kernel.structured)?, out?));
            let Some((kernel, named_by)) = own.or_else(through) else { continue };
            let place = self.origin(named_by, key);
            let from = if named_by.func.name == f.func.name {
                place
            } else {
                format!("{place}, through {}", named_by.full_name())
            };
            let function = format!("{}::{}", kernel.cpp_namespace, kernel.kernel);
            let own = f.conditions.kernels.iter().find(|(of, _)| *of == index.dispatch_key);
            let when = own.map(|(_, condition)| condition.text().to_owned());
            kernels.push(KernelFact { key: key.to_string(), function, from, when });
        }
        kernels
    }

    fn group(&self, f: &NativeFunction) -> Vec<Member> {
        let is_f = |g: &&NativeFunction| g.namespace == f.namespace && g.func.name == f.func.name;
        let members =
            self.grouped.iter().map(Grouped::functions).find(|group| group.iter().any(is_f)).unwrap_or_default();
        let member = |g: &NativeFunction| Member { name: g.full_name(), kind: kind(g), at: self.at(g.spans.name) };
        members.into_iter().filter(|g| !is_f(g)).map(member).collect()
    }

    fn derivatives(
        &self,
        key: DispatchKey,
        info: &DifferentiabilityInfo,
        found: &NativeFunctionWithDifferentiabilityInfo,
    ) -> Derivatives {
        let formula = |names: &[String], formula: &str, span| Formula {
            of: names.join(", "),
            formula: formula.to_owned(),
            at: self.at(span),
        };
        let forward = found.fw_derivatives_of(key);
        Derivatives {
            key: key.as_str(),
            at: self.at(info.span),
            of: info.func.full_name(),
            node: info.op.clone(),
            backward: info.derivatives.iter().map(|d| formula(&d.var_names, &d.original_formula, d.span)).collect(),
            forward: forward.iter().map(|d| formula(&d.var_names, &d.formula, d.span)).collect(),
        }
    }

    /// The signatures in each API. An API without a form for the operator is left out.
    fn signatures(&self, f: &NativeFunction) -> Vec<Signature> {
        if let Some(own) = self.settings.and_then(|settings| settings.signatures(f, self.indices)) {
            return own.into_iter().map(|(api, text)| Signature { api, text }).collect();
        }
        let namespaces = Namespaces::of(self.target, &f.namespace);
        let locals = Locals::of(f);
        let mut all: Vec<Signature> = Vec::new();
        let mut add = |api: String, text: String| {
            if !all.iter().any(|known| known.text == text && known.api == api) {
                all.push(Signature { api, text });
            }
        };
        for (method, wanted) in [(false, f.variants.function), (true, f.variants.method)] {
            let Ok(group) =
                SignatureGroup::from_native_function(f, BindingKind { method, fallback: f.manual_cpp_binding }, locals)
            else {
                continue;
            };
            let api = if method { "Tensor".to_owned() } else { namespaces.api.clone() };
            let redispatched = (!method).then(|| group.signatures()).into_iter().flatten();
            group.signatures().filter(|_| wanted).for_each(|signature| add(api.clone(), signature.decl()));
            redispatched.for_each(|signature| add(namespaces.redispatch.clone(), signature.redispatch_decl()));
        }
        if let Ok(signature) = Dispatcher::symbolic(locals).signature(&f.func) {
            let call = format!("{}::call", f.func.name.unambiguous_name());
            add(namespaces.operators.clone(), signature.decl_as(&call));
        }
        for index in self.indices.iter() {
            let Some(kernel) = index.get_kernel(f).filter(|kernel| !kernel.structured) else { continue };
            let native = Native { sym_ints: SymInts::kept_if(kernel.supports_symint()), locals };
            if let Ok(signature) = native.signature(&f.func) {
                add(kernel.cpp_namespace.clone(), signature.decl_as(&kernel.kernel));
            }
        }
        let tables = self.target.tables;
        let is_bound = self.target.has_bindings && !functions_with_binding(std::slice::from_ref(f), tables).is_empty();
        for file in table(tables).files.iter().filter(|file| is_bound && file.scope.contains(f)) {
            let (api, callable) = match &file.scope {
                Scope::Methods => ("Python, method".to_owned(), PythonCallable::Method),
                Scope::Functions => ("Python".to_owned(), PythonCallable::Function),
                Scope::Module(module) => (format!("Python, torch._C._{module}"), PythonCallable::Function),
            };
            if let Ok(text) = PythonSignature::of(f, callable).and_then(|signature| signature.parser_string()) {
                add(api, text);
            }
        }
        all
    }
}

/// The facts about one operator.
pub(crate) fn of(found: &NativeFunctionWithDifferentiabilityInfo, known: &KnownOperators) -> Explanation {
    let f = found.func;
    let variants = [("function", f.variants.function), ("method", f.variants.method)];
    let structured = match &f.structured_delegate {
        Some(delegate) => Some(delegate.to_string()),
        None => f.structured.then(|| "yes".to_owned()),
    };
    // An out= variant has those of its functional variant only to refuse gradients.
    let infos = found.info.iter().filter(|_| !f.func.is_out_fn()).flat_map(|infos| infos.iter());
    Explanation {
        name: f.full_name(),
        unambiguous_name: f.func.name.unambiguous_name(),
        schema: f.func.to_string(),
        at: known.at(f.spans.name),
        generated: f.is_generated(),
        kind: kind(f),
        variants: variants.into_iter().filter(|(_, has)| *has).map(|(variant, _)| variant).collect(),
        tags: f.tags.iter().cloned().collect(),
        doc: f.doc.clone(),
        when: f.conditions.operator.as_ref().map(|condition| condition.text().to_owned()),
        structured,
        group: known.group(f),
        kernels: known.kernels(f),
        derivatives: infos.map(|(key, info)| known.derivatives(*key, info, found)).collect(),
        signatures: known.signatures(f),
        outputs: Vec::new(),
    }
}
