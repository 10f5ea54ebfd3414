//! The functions of an operator: in each C++ convention, and in Python.
//!
//! Invariant: a convention without a form for the operator is left out, and no signature is there
//! twice.

use super::dispatch::Own;
use super::{Known, id};
use torchgen_api::cpp::{BindingKind, SignatureGroup};
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::meta::Meta;
use torchgen_api::python::{PythonCallable, PythonSignature};
use torchgen_api::{Binding, CallingConvention, Locals, SymInts, kernel_signature, structured};
use torchgen_aten::autograd::python_bindings::{Scope, table};
use torchgen_generators::Namespaces;
use torchgen_kit::facts::{Parameter, Signature};
use torchgen_model::model::NativeFunction;

type CppSignature<'a> = torchgen_api::Signature<'a>;

impl Known<'_> {
    /// All of an operator's signatures as texts, without their parts.
    pub(in crate::torch) fn texts(&self, f: &NativeFunction) -> Vec<Signature> {
        self.all(f, &self.kernels_of(f), false)
    }

    /// All of an operator's signatures, from its own kernels.
    pub(super) fn signatures(&self, f: &NativeFunction, kernels: &[Own<'_>]) -> Vec<Signature> {
        self.all(f, kernels, true)
    }

    fn all(&self, f: &NativeFunction, kernels: &[Own<'_>], with_parts: bool) -> Vec<Signature> {
        if let Some(own) = self.settings.and_then(|settings| settings.signatures(f, self.indices)) {
            let stable = |(scope, text): (String, String)| Signature {
                convention: "stable".into(),
                form: if scope == f.namespace { "function" } else { "kernel" }.into(),
                name: text.split('(').next().and_then(|head| head.rsplit(' ').next()).unwrap_or_default().to_owned(),
                scope,
                text,
                ..Signature::default()
            };
            return own.into_iter().map(stable).collect();
        }
        let mut all = Found { with_parts, list: Vec::new() };
        self.public(f, &mut all);
        self.kernels(f, kernels, &mut all);
        self.structured(f, kernels, &mut all);
        self.python(f, &mut all);
        all.list.extend(self.shapes.of(f, self.indices));
        all.list
    }

    /// The functions that users call, and that of the dispatcher.
    fn public(&self, f: &NativeFunction, all: &mut Found) {
        let namespaces = Namespaces::of(self.target, &f.namespace);
        let locals = Locals::of(f);
        for (method, wanted) in [(false, f.variants.function), (true, f.variants.method)] {
            let kind = BindingKind { method, fallback: f.manual_cpp_binding };
            let Ok(group) = SignatureGroup::from_native_function(f, kind, locals) else { continue };
            let scope = if method { "Tensor" } else { &namespaces.api };
            let form = if method { "method" } else { "function" };
            for signature in group.signatures().filter(|_| wanted) {
                all.add("cpp", form, scope, signature, signature.decl());
            }
            for signature in group.signatures().filter(|_| !method) {
                let text = signature.redispatch_decl();
                all.add("cpp", "redispatch", &namespaces.redispatch, signature, text);
            }
        }
        if let Ok(signature) = Dispatcher::symbolic(locals).signature(&f.func) {
            let name = format!("{}::call", f.func.name.unambiguous_name());
            let text = signature.decl_as(&name);
            let own = all.made("dispatcher", "call", &namespaces.operators, &signature, text);
            all.list.push(Signature { name, ..own });
        }
    }

    /// The functions that authors of kernels write.
    fn kernels(&self, f: &NativeFunction, kernels: &[Own<'_>], all: &mut Found) {
        let locals = Locals::of(f);
        let first = all.list.len();
        for &(index, kernel) in kernels.iter().filter(|(_, kernel)| !kernel.structured) {
            if all.list[first..].iter().any(|known| known.name == kernel.kernel && known.scope == kernel.cpp_namespace)
            {
                continue;
            }
            let Ok(signature) = kernel_signature(f, index, locals) else { continue };
            let text = signature.decl_as(&kernel.kernel);
            let own = all.made("native", "kernel", &kernel.cpp_namespace, &signature, text);
            all.list.push(Signature { name: kernel.kernel.clone(), ..own });
        }
    }

    /// The meta function and the kernels of a structured out variant.
    fn structured(&self, f: &NativeFunction, kernels: &[Own<'_>], all: &mut Found) {
        if !f.structured {
            return;
        }
        let mut names: Vec<(&str, &str)> = Vec::new();
        for (_, kernel) in kernels {
            let own = (kernel.cpp_namespace.as_str(), kernel.kernel.as_str());
            if kernel.structured && !names.contains(&own) {
                names.push(own);
            }
        }
        for (scope, name) in names {
            let Ok(signature) = structured::signature(f, name) else { continue };
            all.add("structured", "impl", scope, &signature, signature.defn());
        }
        let Some(functional) = self.functional_of.get(&f.func.name) else { return };
        let convention = Meta { sym_ints: SymInts::kept_if(self.target.symbolic_meta_functions) };
        let Ok(signature) = convention.signature(&functional.func) else { return };
        let namespaces = Namespaces::of(self.target, &f.namespace);
        all.add("structured", "meta", &format!("{}::meta", namespaces.api), &signature, signature.decl());
    }

    fn python(&self, f: &NativeFunction, all: &mut Found) {
        if !self.bound.contains(&id(f)) {
            return;
        }
        for file in table(self.target.tables).files.iter().filter(|file| file.scope.contains(f)) {
            let (scope, form, callable) = match &file.scope {
                Scope::Methods => ("torch.Tensor".to_owned(), "method", PythonCallable::Method),
                Scope::Functions => ("torch".to_owned(), "function", PythonCallable::Function),
                Scope::Module(module) => (format!("torch._C._{module}"), "module", PythonCallable::Function),
            };
            let Ok(signature) = PythonSignature::of(f, callable) else { continue };
            let Ok(text) = signature.parser_string() else { continue };
            let name = signature.name.clone();
            let parameters = if all.with_parts { signature.parameters().unwrap_or_default() } else { Vec::new() };
            let parameter = |(ty, name, default): (_, &str, Option<&str>)| Parameter {
                name: name.to_owned(),
                ty,
                default: default.map(str::to_owned),
            };
            all.list.push(Signature {
                convention: "python".into(),
                form: form.into(),
                scope,
                name,
                parameters: parameters.into_iter().map(parameter).collect(),
                text,
                ..Signature::default()
            });
        }
    }
}

/// The signatures so far.
struct Found {
    /// Whether they have their types and parameters beside their texts.
    with_parts: bool,
    list: Vec<Signature>,
}

impl Found {
    fn made(
        &self,
        convention: &'static str,
        form: &'static str,
        scope: &str,
        signature: &CppSignature<'_>,
        text: String,
    ) -> Signature {
        let arguments = signature.arguments.iter().filter(|_| self.with_parts);
        Signature {
            convention: convention.into(),
            form: form.into(),
            scope: scope.to_owned(),
            faithful: signature.follows_schema(),
            symint: signature.symint,
            name: signature.name.clone(),
            returns: if self.with_parts { signature.returns_type.to_string() } else { String::new() },
            parameters: arguments.map(parameter).collect(),
            text,
        }
    }

    fn add(
        &mut self,
        convention: &'static str,
        form: &'static str,
        scope: &str,
        signature: &CppSignature<'_>,
        text: String,
    ) {
        self.list.push(self.made(convention, form, scope, signature, text));
    }
}

fn parameter(binding: &Binding<'_>) -> Parameter {
    let default = binding.default.as_ref().map(|default| default.clone().into_owned());
    Parameter { name: binding.name.clone().into_owned(), ty: binding.ty().to_owned(), default }
}
