//! What the formulas of an operator can name, by the rules of C++.
//!
//! Invariant: what PyTorch's headers may declare is not missing for certain; the report asks them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use super::author;
use super::callables::{AT, Callables, Members};
use torchgen_api::autograd::is_formula_word;
use torchgen_base::lang::cpp::mentions;
use torchgen_formula::{Callee, FoundName, Rules, Scope, Signature, Ty, ValueKind};
use torchgen_kit::driver::Session;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::version::Version;
use torchgen_model::model::{ATEN, FunctionSchema, NativeFunction, Type};

/// What all formulas of a library or a backend can call.
pub(super) struct Declared<'r> {
    /// The tables of the run.
    pub(super) tables: &'r Tables,
    /// The author's own header; `None` if there are others, which may declare anything.
    pub(super) manual: Option<&'r str>,
    /// That header has the text of all that it includes, except for PyTorch's.
    pub(super) is_whole: bool,
    /// The author's functions by name, as far as they can be read.
    author: HashMap<String, Vec<Signature>>,
    pub(super) callables: Callables,
    torch: Option<Torch<'r>>,
}

/// The PyTorch that formulas are compiled with.
pub(super) struct Torch<'r> {
    /// The base names of its operators.
    pub(super) names: BTreeSet<String>,
    /// The directory of its headers, if it is installed.
    pub(super) include: Option<&'r Path>,
}

impl<'r> Declared<'r> {
    /// The operators of a library; those of PyTorch are to be added.
    pub(super) fn new(own: &[&NativeFunction], manual: Option<&'r str>, tables: &'r Tables) -> Declared<'r> {
        let mut callables = Callables::default();
        for f in own.iter().filter(|f| f.namespace != ATEN) {
            callables.add(&f.namespace, f);
        }
        Declared {
            tables,
            manual,
            is_whole: false,
            author: author::functions(manual.unwrap_or_default()),
            callables,
            torch: None,
        }
    }

    /// The same with a PyTorch, of whose operators some are called.
    pub(super) fn with_torch<'f>(
        mut self,
        torch: Torch<'r>,
        called: impl Iterator<Item = &'f NativeFunction>,
    ) -> Declared<'r> {
        for f in called {
            self.callables.add(AT, f);
        }
        self.callables.add_written_by_hand(Version::NEWEST);
        self.torch = Some(torch);
        self
    }

    /// The methods of tensors that are not operators.
    pub(super) fn members(&self) -> &'r Members {
        self.tables.get()
    }

    /// Whether there is a PyTorch, whose operators are then known.
    pub(super) fn knows_torch(&self) -> bool {
        self.torch.is_some()
    }

    /// Whether PyTorch has operators with the base name.
    pub(super) fn is_stock(&self, base: &str) -> bool {
        self.torch.as_ref().is_some_and(|torch| torch.names.contains(base))
    }

    /// The base names of PyTorch's operators.
    pub(super) fn stock_names(&self) -> impl Iterator<Item = &str> {
        self.torch.iter().flat_map(|torch| &torch.names).map(String::as_str)
    }

    /// Whether the headers of PyTorch have something. Without them, they might.
    pub(super) fn headers(&self, session: &mut Session, have: impl Fn(&mut Session, &Path) -> bool) -> bool {
        let include = self.torch.as_ref().and_then(|torch| torch.include);
        include.is_none_or(|include| have(session, include))
    }

    /// Whether the code of the author's header has the word; a header that is not at hand may.
    pub(super) fn author_mentions(&self, word: &str) -> bool {
        self.manual.is_none_or(|manual| mentions(manual, word))
    }

    /// Whether the namespace is one of the library's.
    pub(super) fn is_own(&self, namespace: &str) -> bool {
        namespace != AT && self.callables.has_namespace(namespace)
    }

    /// The signatures of that name, with those that `at` has for a function without a namespace.
    pub(super) fn signatures(&self, callee: &Callee, name: &str) -> &[Signature] {
        let operators = self.callables.find(callee, name);
        match self.author.get(name) {
            Some(author) if operators.is_empty() && *callee != Callee::Method => author,
            _ => operators,
        }
    }
}

/// What a formula is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// Gradients, from what a node saved.
    Backward,
    /// Tangents or conditions, from the arguments themselves.
    Forward,
}

/// The names in the formulas of an operator.
pub(super) struct Names<'c> {
    types: HashMap<String, Ty>,
    declared: &'c Declared<'c>,
    rules: Rules,
    /// What nodes save.
    saved: HashSet<String>,
    /// Inputs that are tensors and may be missing.
    optional: HashSet<String>,
}

impl<'c> Names<'c> {
    pub(super) fn of_formulas(
        schema: &FunctionSchema,
        declared: &'c Declared<'c>,
        rules: Rules,
        direction: Direction,
    ) -> Names<'c> {
        let mut types = HashMap::from([
            ("grad".to_owned(), ValueKind::Tensor.into()),
            ("grads".to_owned(), ValueKind::Tensors.into()),
            ("grad_input_mask".to_owned(), ValueKind::Bools.into()),
            ("retain_variables".to_owned(), ValueKind::Bool.into()),
        ]);
        let mut saved = HashSet::from(["grads".to_owned()]);
        for (i, ret) in schema.returns.iter().enumerate() {
            let one = schema.returns.len() == 1;
            let result = if one { "result".to_owned() } else { format!("result{i}") };
            let name = ret.name.clone().unwrap_or(result);
            if Ty::from_schema_type(&ret.ty).kind == ValueKind::Tensor {
                types.insert(format!("grad_{name}"), ValueKind::Tensor.into());
            }
            saved.insert(name.clone());
            types.insert(name, Ty::from_schema_type(&ret.ty));
        }
        let mut optional = HashSet::new();
        let mut tangents = Vec::new();
        for argument in schema.arguments.flat_all() {
            let mut ty = Ty::from_schema_type(&argument.ty);
            // Nodes save a tensor in place of an optional one.
            ty.optional &= !(ty.kind == ValueKind::Tensor && direction == Direction::Backward);
            let name = argument.schema_name();
            if ty.kind == ValueKind::Tensor && direction == Direction::Forward {
                tangents.extend(["_p", "_t"].map(|suffix| (format!("{name}{suffix}"), ty)));
            }
            saved.insert(name.to_owned());
            if argument.ty == Type::Optional(Box::new(Type::TENSOR)) {
                optional.insert(name.to_owned());
            }
            types.insert(name.to_owned(), ty);
        }
        // `x_t` is the tangent of `x`, even if another input is called so.
        types.extend(tangents);
        if direction == Direction::Forward {
            saved.clear();
        }
        Names { types, declared, rules, saved, optional }
    }

    /// What all formulas can call.
    pub(super) fn declared(&self) -> &'c Declared<'c> {
        self.declared
    }
}

impl Scope for Names<'_> {
    fn rules(&self) -> Rules {
        self.rules
    }

    fn name(&self, name: &str) -> Option<Ty> {
        self.types.get(name).copied()
    }

    fn is_optional(&self, name: &str) -> bool {
        self.optional.contains(name)
    }

    fn is_saved(&self, name: &str) -> bool {
        self.saved.contains(name)
    }

    fn declares(&self, function: &str) -> bool {
        self.declared.author_mentions(function)
    }

    fn find(&self, callee: &Callee, name: &str) -> FoundName<'_> {
        let declared = self.declared;
        let signatures = declared.signatures(callee, name);
        let unknown = FoundName::Returns(Ty::UNKNOWN);
        // A function of the author has more signatures if PyTorch has one of that name.
        let mixed = declared.author_mentions(name)
            && !(declared.author.contains_key(name) && declared.callables.find(callee, name).is_empty());
        match callee {
            // Methods that are also written by hand have more signatures.
            Callee::Method => match declared.members().find(name) {
                Some(_) if !signatures.is_empty() => FoundName::Returns(common(signatures)),
                Some(kind) => FoundName::Returns(kind.into()),
                None if !signatures.is_empty() => FoundName::Signatures(signatures),
                None if declared.knows_torch() => FoundName::Missing(None),
                None => unknown,
            },
            Callee::Open if mixed || is_formula_word(name, declared.tables) => unknown,
            Callee::Open if !signatures.is_empty() => FoundName::Signatures(signatures),
            Callee::Open => FoundName::Missing(None),
            Callee::Function(namespace) if namespace != AT && !declared.is_own(namespace) => unknown,
            Callee::Function(_) if mixed => unknown,
            Callee::Function(_) if !signatures.is_empty() => FoundName::Signatures(signatures),
            Callee::Function(namespace) if namespace == AT && !declared.knows_torch() => unknown,
            Callee::Function(_) => FoundName::Missing(None),
        }
    }
}

/// What all of them return.
fn common(signatures: &[Signature]) -> Ty {
    let first = signatures.first().map_or(Ty::UNKNOWN, |one| one.returns);
    if signatures.iter().all(|one| one.returns == first) { first } else { Ty::UNKNOWN }
}
