//! The functions and methods that formulas can call, as C++ declares them.
//!
//! Invariant: signatures are those of the generated headers, with the same names, parameters and
//! defaults.

use std::collections::HashMap;

use serde::Deserialize;

use torchgen_api::cpp::BindingKind;
use torchgen_api::{CppSignatureGroup, Locals};
use torchgen_formula::{Callee, Parameter, Signature, Ty, ValueKind, selected};
use torchgen_generators::inputs::stock::base_name;
use torchgen_kit::driver::data::Table;
use torchgen_model::model::version::Version;
use torchgen_model::model::{FunctionSchema, NativeFunction, Return};
use torchgen_model::versions::cpp_only;

/// The namespace of PyTorch's operators in C++.
pub(super) const AT: &str = "at";

/// The namespace of the library below it.
pub(super) const C10: &str = "c10";

/// The methods of tensors that are not operators, by what they return.
#[derive(Deserialize)]
pub(super) struct Members {
    tensor: Vec<String>,
    symbolic_integers: Vec<String>,
    symbolic_integer: Vec<String>,
    integers: Vec<String>,
    integer: Vec<String>,
    boolean: Vec<String>,
    nothing: Vec<String>,
    other: Vec<String>,
}

impl Table for Members {
    const PATH: &'static str = "torch/tensor_members.yaml";
}

impl Members {
    /// What a method returns that is not an operator; `None` if tensors do not have it.
    pub(super) fn find(&self, name: &str) -> Option<ValueKind> {
        self.lists().into_iter().find(|(list, _)| list.iter().any(|known| known == name)).map(|(_, kind)| kind)
    }

    /// The names of the methods that are not operators.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.lists().into_iter().flat_map(|(list, _)| list).map(String::as_str)
    }

    fn lists(&self) -> [(&[String], ValueKind); 8] {
        [
            (&self.tensor, ValueKind::Tensor),
            (&self.symbolic_integers, ValueKind::SymInts),
            (&self.symbolic_integer, ValueKind::SymInt),
            (&self.integers, ValueKind::Ints),
            (&self.integer, ValueKind::Int),
            (&self.boolean, ValueKind::Bool),
            (&self.nothing, ValueKind::Void),
            (&self.other, ValueKind::Unknown),
        ]
    }
}

/// The base name of the operator that a C++ function would be for.
pub fn operator_of(function: &str) -> Option<String> {
    let name = function.strip_suffix("_symint").unwrap_or(function);
    let name = name.strip_suffix("_outf").or_else(|| name.strip_suffix("_out")).unwrap_or(name);
    base_name(name)
}

/// Signatures by name.
type Named = HashMap<String, Vec<Signature>>;

/// All of them, by namespace and name; methods are those of `Tensor`.
#[derive(Default)]
pub(super) struct Callables {
    /// The schemas of the operators, which signatures name by their place.
    schemas: Vec<FunctionSchema>,
    functions: HashMap<String, Named>,
    methods: Named,
}

impl Callables {
    /// Adds an operator to a namespace of C++. Operators of `at` have methods.
    pub(super) fn add(&mut self, namespace: &str, f: &NativeFunction) {
        let own = self.functions.entry(namespace.to_owned()).or_default();
        for (bound, kind) in [(f.variants.function, BindingKind::FUNCTION), (f.variants.method, BindingKind::METHOD)] {
            if !bound || kind.method && namespace != AT {
                continue;
            }
            // An operator without C++ signatures is reported by the generators.
            let Ok(group) = CppSignatureGroup::from_native_function(f, kind, Locals::for_operator(f)) else { continue };
            for signature in group.signatures() {
                let parameter = |binding: &torchgen_api::Binding| Parameter {
                    argument: binding.argument.argument().cloned(),
                    has_default: binding.default.is_some(),
                    is_word: false,
                };
                let callable = Signature {
                    declaration: signature.decl(),
                    parameters: signature.arguments.iter().map(parameter).collect(),
                    symbolic: signature.symint,
                    returns: Ty::returned(&f.func.returns),
                    elements: elements(&f.func.returns),
                    operator: self.schemas.len(),
                };
                let list = if kind.method { &mut self.methods } else { &mut *own };
                list.entry(signature.name.clone()).or_default().push(callable);
            }
        }
        self.schemas.push(f.func.clone());
    }

    /// Adds the overloads that C++ has by hand, to those of the schemas that they call. They are
    /// those of all versions from this one on.
    pub(super) fn add_written_by_hand(&mut self, min: Version) {
        for own in cpp_only() {
            let (is_method, functions) = (own.variant == "method", self.functions.get_mut(AT));
            let list = if is_method { Some(&mut self.methods) } else { functions };
            let Some(list) = list.and_then(|list| list.get_mut(&own.name)) else { continue };
            if own.until.is_some() || own.since.is_some_and(|since| since > min) {
                continue;
            }
            // The overload that takes a view of a list in its place.
            let tensor = (!is_method).then_some(Ty::from(ValueKind::Tensor));
            let passed: Vec<Ty> = tensor.into_iter().chain([ValueKind::Ints.into()]).collect();
            let Some(called) = selected(list, &passed).cloned() else { continue };
            let mut parameters = called.parameters[..passed.len()].to_vec();
            if let Some(last) = parameters.last_mut() {
                *last = Parameter { has_default: false, is_word: true, ..last.clone() };
            }
            let object = if is_method { "" } else { "const at::Tensor & self, " };
            let declaration = format!("{}({object}{})", own.name, own.parameter);
            list.push(Signature { declaration, parameters, ..called });
        }
    }

    /// The operator of a signature.
    pub(super) fn schema(&self, signature: &Signature) -> &FunctionSchema {
        &self.schemas[signature.operator]
    }

    /// Whether there are operators in the namespace.
    pub(super) fn has_namespace(&self, namespace: &str) -> bool {
        self.functions.contains_key(namespace)
    }

    /// The namespaces, sorted.
    pub(super) fn namespaces(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<&str> = self.functions.keys().map(String::as_str).collect();
        names.sort_unstable();
        names.into_iter()
    }

    /// Whether some namespace has a function of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.functions.values().any(|own| own.contains_key(name))
    }

    /// The names of functions outside `at`.
    pub(super) fn own_names(&self) -> impl Iterator<Item = &str> {
        let own = self.functions.iter().filter(|(namespace, _)| *namespace != AT);
        own.flat_map(|(_, functions)| functions.keys()).map(String::as_str)
    }

    fn list(&self, callee: &Callee) -> Option<&Named> {
        match callee {
            Callee::Function(namespace) => self.functions.get(namespace),
            Callee::Open => self.functions.get(AT),
            Callee::Method => Some(&self.methods),
        }
    }

    /// The names in a namespace, or those of methods, sorted.
    pub(super) fn names(&self, callee: &Callee) -> Vec<&str> {
        let mut names: Vec<&str> = self.list(callee).into_iter().flat_map(HashMap::keys).map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// The signatures of that name.
    pub(super) fn find(&self, callee: &Callee, name: &str) -> &[Signature] {
        self.list(callee).and_then(|list| list.get(name)).map_or(&[], Vec::as_slice)
    }
}

/// The types of several results.
fn elements(returns: &[Return]) -> Vec<Ty> {
    if returns.len() < 2 { Vec::new() } else { returns.iter().map(|ret| Ty::from_schema_type(&ret.ty)).collect() }
}
