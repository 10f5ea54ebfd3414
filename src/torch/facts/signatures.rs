//! The functions of an operator: in each C++ convention, and in Python.
//!
//! Invariant: a convention that cannot spell the operator is left out, and no signature is there
//! twice.

use super::dispatch::Own;
use super::{Known, id};
use torchgen_api::cpp::{BindingKind, SignatureGroup};
use torchgen_api::dispatcher::Dispatcher;
use torchgen_api::meta::Meta;
use torchgen_api::native::Native;
use torchgen_api::python::{PythonCallable, PythonSignature};
use torchgen_api::{Binding, CallingConvention, Locals, SymInts, kernel_signature, structured};
use torchgen_aten::autograd::python_bindings::{Scope, table};
use torchgen_generators::Namespaces;
use torchgen_kit::facts::{Parameter, Signature};
use torchgen_model::model::{NativeFunction, Target};

type CppSignature<'a> = torchgen_api::Signature<'a>;

/// A C++ function of an operator.
pub(crate) struct CppFunction<'a> {
    pub(crate) convention: &'static str,
    pub(crate) form: &'static str,
    pub(crate) scope: String,
    /// There is no such function: it is only how the convention spells the operator.
    pub(crate) absent: bool,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) signature: CppSignature<'a>,
}

/// The variants of an operator that its structured kernels are written for.
#[derive(Clone, Copy)]
pub(crate) struct Structured<'a> {
    pub(crate) out: &'a NativeFunction,
    pub(crate) functional: &'a NativeFunction,
}

/// All C++ functions of an operator, with those of its structured group, and how conventions spell
/// what it has none of: the free function of a method, and a kernel.
pub(crate) fn cpp_functions<'a>(
    f: &'a NativeFunction,
    target: Target<'_>,
    kernels: &[Own<'_>],
    of_group: Option<&(Structured<'a>, Vec<Own<'_>>)>,
) -> Vec<CppFunction<'a>> {
    functions(f, target, kernels, of_group, false)
}

/// The same, but the first by the convention `native` are how it spells the operator, whatever
/// kernels there are: with numbers, and with SymInts if there are any.
pub(crate) fn spelled_functions<'a>(
    f: &'a NativeFunction,
    target: Target<'_>,
    kernels: &[Own<'_>],
    of_group: Option<&(Structured<'a>, Vec<Own<'_>>)>,
) -> Vec<CppFunction<'a>> {
    functions(f, target, kernels, of_group, true)
}

fn functions<'a>(
    f: &'a NativeFunction,
    target: Target<'_>,
    kernels: &[Own<'_>],
    of_group: Option<&(Structured<'a>, Vec<Own<'_>>)>,
    spelled: bool,
) -> Vec<CppFunction<'a>> {
    let mut all = CppFunctions { locals: Locals::for_operator(f), list: Vec::new() };
    let namespaces = Namespaces::for_target(target, &f.namespace);
    all.public(f, &namespaces);
    if spelled {
        all.native(f, &namespaces, SymInts::Numbers);
        if f.func.has_symint() {
            all.native(f, &namespaces, SymInts::Kept);
        }
    }
    all.kernels(f, kernels);
    if let Some((structured, kernels)) = of_group {
        all.structured(*structured, kernels, target, &namespaces);
    }
    if !all.list.iter().any(|known| known.convention == "native") {
        all.native(f, &namespaces, SymInts::Numbers);
    }
    all.list
}

/// The functions so far.
struct CppFunctions<'a> {
    locals: Locals,
    list: Vec<CppFunction<'a>>,
}

impl<'a> CppFunctions<'a> {
    fn add(&mut self, convention: &'static str, form: &'static str, scope: &str, signature: CppSignature<'a>) {
        let (name, text) = (signature.name.clone(), signature.decl());
        self.list.push(CppFunction { convention, form, scope: scope.to_owned(), absent: false, name, text, signature });
    }

    /// The functions that users call, and that of the dispatcher.
    fn public(&mut self, f: &'a NativeFunction, namespaces: &Namespaces) {
        for (method, exists) in [(false, f.variants.function), (true, f.variants.method)] {
            let kind = BindingKind { method, fallback: f.manual_cpp_binding };
            let Ok(group) = SignatureGroup::from_native_function(f, kind, self.locals) else { continue };
            let scope = if method { "Tensor" } else { &namespaces.api };
            let form = if method { "method" } else { "function" };
            for signature in group.signatures().filter(|_| exists || !method) {
                self.add("cpp", form, scope, signature.clone());
                self.last(|function| function.absent = !exists);
            }
            for signature in group.signatures().filter(|_| !method) {
                self.add("cpp", "redispatch", &namespaces.redispatch, signature.clone());
                self.last(|function| function.text = signature.redispatch_decl());
            }
        }
        if let Ok(signature) = Dispatcher::symbolic(self.locals).signature(&f.func) {
            self.add("dispatcher", "call", &namespaces.operators, signature);
            let name = format!("{}::call", f.func.name.unambiguous_name());
            self.last(|function| {
                function.text = function.signature.decl_as(&name);
                function.name = name;
            });
        }
    }

    /// Changes the function that was added last.
    fn last(&mut self, change: impl FnOnce(&mut CppFunction<'a>)) {
        self.list.last_mut().map(change);
    }

    /// The functions that authors of kernels write.
    fn kernels(&mut self, f: &'a NativeFunction, kernels: &[Own<'_>]) {
        let first = self.list.len();
        for &(index, kernel) in kernels.iter().filter(|(_, kernel)| !kernel.structured) {
            if self.list[first..].iter().any(|known| known.name == kernel.kernel && known.scope == kernel.cpp_namespace)
            {
                continue;
            }
            let Ok(mut signature) = kernel_signature(f, index, self.locals) else { continue };
            signature.name.clone_from(&kernel.kernel);
            self.add("native", "kernel", &kernel.cpp_namespace, signature);
        }
    }

    fn native(&mut self, f: &'a NativeFunction, namespaces: &Namespaces, sym_ints: SymInts) {
        if let Ok(signature) = (Native { sym_ints, locals: self.locals }).signature(&f.func) {
            self.add("native", "kernel", &namespaces.native, signature);
            self.last(|function| function.absent = true);
        }
    }

    /// The meta function and the kernels of a structured group.
    fn structured(
        &mut self,
        Structured { out, functional }: Structured<'a>,
        kernels: &[Own<'_>],
        target: Target<'_>,
        namespaces: &Namespaces,
    ) {
        let mut names: Vec<(&str, &str)> = Vec::new();
        for (_, kernel) in kernels {
            let own = (kernel.cpp_namespace.as_str(), kernel.kernel.as_str());
            if kernel.structured && !names.contains(&own) {
                names.push(own);
            }
        }
        for (scope, name) in names {
            let Ok(signature) = structured::signature(out, name) else { continue };
            self.add("structured", "impl", scope, signature);
            self.last(|function| function.text = function.signature.defn());
        }
        let convention = Meta { sym_ints: SymInts::kept_if(target.symbolic_meta_functions) };
        let Ok(signature) = convention.signature(&functional.func) else { return };
        self.add("structured", "meta", &format!("{}::meta", namespaces.api), signature);
    }
}

impl<'a> Known<'a> {
    /// All of an operator's signatures as texts, without their parts and those of no function.
    pub(in crate::torch) fn texts(&self, f: &'a NativeFunction) -> Vec<Signature> {
        let mut all = self.all(f, &self.kernels_of(f), false);
        all.retain(|signature| !signature.absent);
        all
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
        let out = match &f.structured_delegate {
            Some(delegate) => self.by_name.get(&delegate.to_string()).copied().filter(|out| out.structured),
            None => Some(f).filter(|f| f.structured),
        };
        let of_group = out.and_then(|out| {
            let functional = *self.functional_of.get(&out.func.name)?;
            Some((Structured { out, functional }, self.kernels_of(out)))
        });
        let mut all = SignatureList { with_parts, list: Vec::new() };
        for function in cpp_functions(f, self.target, kernels, of_group.as_ref()) {
            all.add(function);
        }
        self.python(f, &mut all);
        all.list.extend(self.shapes.shape_function_of(f, self.indices));
        all.list
    }

    fn python(&self, f: &NativeFunction, all: &mut SignatureList) {
        if !self.bound.contains(&id(f)) {
            return;
        }
        for file in table(self.target.tables).files.iter().filter(|file| file.scope.contains(f)) {
            let (scope, form, callable) = match &file.scope {
                Scope::Methods => ("torch.Tensor".to_owned(), "method", PythonCallable::Method),
                Scope::Functions => ("torch".to_owned(), "function", PythonCallable::Function),
                Scope::Module(module) => (format!("torch._C._{module}"), "module", PythonCallable::Function),
            };
            let Ok(signature) = PythonSignature::from_operator(f, callable) else { continue };
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
struct SignatureList {
    /// Whether they have their types and parameters beside their texts.
    with_parts: bool,
    list: Vec<Signature>,
}

impl SignatureList {
    fn add(&mut self, function: CppFunction<'_>) {
        self.list.push(function.signature(self.with_parts));
    }
}

impl CppFunction<'_> {
    /// The function as data.
    pub(crate) fn signature(self, with_parts: bool) -> Signature {
        let CppFunction { convention, form, scope, absent, name, text, signature } = self;
        let arguments = signature.arguments.iter().filter(|_| with_parts);
        Signature {
            convention: convention.into(),
            form: form.into(),
            scope,
            faithful: signature.follows_schema(),
            symint: signature.symint,
            absent,
            name,
            returns: if with_parts { signature.returns_type.to_string() } else { String::new() },
            parameters: arguments.map(parameter).collect(),
            text,
        }
    }
}

fn parameter(binding: &Binding<'_>) -> Parameter {
    let default = binding.default.as_ref().map(|default| default.clone().into_owned());
    Parameter { name: binding.name.clone().into_owned(), ty: binding.ty().to_owned(), default }
}
