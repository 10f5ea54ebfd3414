//! The functions and methods that formulas can call: the library's operators, and PyTorch's as far
//! as formulas name them.
//!
//! Invariant: signatures are those of the generated headers, with the same names, parameters and
//! defaults.

use std::collections::{BTreeSet, HashMap};

use serde::Deserialize;

use super::expression::{Callee, Kind};
use torchgen_api::cpp::BindingKind;
use torchgen_api::{CppSignatureGroup, Locals};
use torchgen_generators::inputs::stock::{StockOperators, base_name};
use torchgen_kit::driver::data::{Table, Tables};
use torchgen_model::model::{ATEN, BaseTy, NativeFunction, Type};

/// The methods of tensors that are not operators, by what they return.
#[derive(Deserialize)]
pub(super) struct Members {
    tensor: Vec<String>,
    symbolic_integers: Vec<String>,
    symbolic_integer: Vec<String>,
    integers: Vec<String>,
    integer: Vec<String>,
    other: Vec<String>,
}

impl Table for Members {
    const PATH: &'static str = "torch/tensor_members.yaml";
}

impl Members {
    /// What a method returns that is not an operator; `None` if tensors do not have it.
    pub(super) fn find(&self, name: &str) -> Option<Kind> {
        let Members { tensor, symbolic_integers, symbolic_integer, integers, integer, other } = self;
        let lists = [
            (tensor, Kind::Tensor),
            (symbolic_integers, Kind::SymInts),
            (symbolic_integer, Kind::SymInt),
            (integers, Kind::Ints),
            (integer, Kind::Int),
            (other, Kind::Unknown),
        ];
        lists.into_iter().find(|(list, _)| list.iter().any(|known| known == name)).map(|(_, kind)| kind)
    }

    /// The names of the methods that are not operators.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let Members { tensor, symbolic_integers, symbolic_integer, integers, integer, other } = self;
        let lists = [tensor, symbolic_integers, symbolic_integer, integers, integer, other];
        lists.into_iter().flatten().map(String::as_str)
    }
}

/// One C++ signature.
pub(super) struct Callable {
    /// Without defaults: name and parameters.
    pub(super) declaration: String,
    /// The type of each parameter, `None` for tensor options, and whether it has a default.
    parameters: Vec<(Option<Type>, bool)>,
    symbolic: bool,
    returns_tensor: bool,
}

impl Callable {
    /// Whether it takes that number of arguments.
    pub(super) fn takes(&self, count: usize) -> bool {
        let least = self.parameters.iter().filter(|(_, has_default)| !has_default).count();
        (least..=self.parameters.len()).contains(&count)
    }

    /// Whether it takes arguments of these kinds, as far as they are known.
    pub(super) fn accepts(&self, kinds: &[Kind]) -> bool {
        self.takes(kinds.len())
            && kinds
                .iter()
                .zip(&self.parameters)
                .all(|(kind, (ty, _))| ty.as_ref().is_none_or(|ty| accepts(ty, *kind, self.symbolic)))
    }
}

/// Whether a parameter can get such a value, by C++'s conversions.
fn accepts(ty: &Type, kind: Kind, symbolic: bool) -> bool {
    let Some(base) = ty.base() else { return true };
    let is_list = ty.is_list_like().is_some();
    use BaseTy::{Bool, Complex, DimVector, Float, Int, Scalar, SymBool, SymInt, Tensor};
    match kind {
        Kind::Unknown => true,
        Kind::Tensor => base == Tensor,
        Kind::Tensors => base == Tensor && is_list,
        Kind::SymInt => base == Scalar || symbolic && base == SymInt,
        Kind::SymInts => symbolic && base == SymInt && is_list,
        Kind::Int => [Int, SymInt, Float, Scalar, Bool, SymBool, Complex, DimVector].contains(&base),
        Kind::Ints => is_list && (base == Int || base == SymInt && !symbolic) || base == DimVector,
        Kind::Double => [Float, Scalar, Int, SymInt, Bool, Complex].contains(&base),
        Kind::Bool => [Bool, SymBool, Int, SymInt, Float, Scalar].contains(&base),
        Kind::Scalar => base == Scalar,
    }
}

/// The kind of an argument's values in formulas.
pub(super) fn kind_of(ty: &Type) -> Kind {
    match ty {
        Type::Base(BaseTy::Tensor) => Kind::Tensor,
        Type::Base(BaseTy::SymInt) => Kind::SymInt,
        Type::Base(BaseTy::Int) => Kind::Int,
        Type::Base(BaseTy::Float) => Kind::Double,
        Type::Base(BaseTy::Bool) => Kind::Bool,
        Type::Base(BaseTy::Scalar) => Kind::Scalar,
        Type::List(elem, _) => match **elem {
            Type::Base(BaseTy::Tensor) => Kind::Tensors,
            Type::Base(BaseTy::SymInt) => Kind::SymInts,
            Type::Base(BaseTy::Int) => Kind::Ints,
            _ => Kind::Unknown,
        },
        _ => Kind::Unknown,
    }
}

/// The base name of the operator that a C++ function would be for.
pub fn operator_of(function: &str) -> Option<String> {
    let name = function.strip_suffix("_symint").unwrap_or(function);
    let name = name.strip_suffix("_outf").or_else(|| name.strip_suffix("_out")).unwrap_or(name);
    base_name(name)
}

/// All of them, by namespace and name; methods are those of `Tensor`.
pub(super) struct Callables<'r> {
    /// The tables of the run.
    pub(super) tables: &'r Tables,
    functions: HashMap<String, HashMap<String, Vec<Callable>>>,
    methods: HashMap<String, Vec<Callable>>,
    /// PyTorch's operators and their base names; `None` if there is no PyTorch.
    stock: Option<(&'r StockOperators, BTreeSet<String>)>,
}

impl<'r> Callables<'r> {
    /// Those of a library, and of PyTorch's operators with these base names.
    pub(super) fn new(
        own: &[&NativeFunction],
        names: &BTreeSet<String>,
        stock: Option<&'r StockOperators>,
        tables: &'r Tables,
    ) -> Callables<'r> {
        let (functions, methods) = (HashMap::new(), HashMap::new());
        let mut all = Callables { tables, functions, methods, stock: None };
        for f in own.iter().filter(|f| f.namespace != ATEN) {
            all.add(&f.namespace, f);
        }
        if let Some(stock) = stock {
            for f in names.iter().filter_map(|name| stock.family(name)).flat_map(|family| &family.functions) {
                all.add("at", f);
            }
            all.stock = Some((stock, stock.base_names().into_iter().map(str::to_owned).collect()));
        }
        all
    }

    fn add(&mut self, namespace: &str, f: &NativeFunction) {
        let own = self.functions.entry(namespace.to_owned()).or_default();
        for (bound, kind) in [(f.variants.function, BindingKind::FUNCTION), (f.variants.method, BindingKind::METHOD)] {
            let is_method = kind.method;
            if !bound || is_method && namespace != "at" {
                continue;
            }
            // An operator without C++ signatures is reported by the generators.
            let Ok(group) = CppSignatureGroup::from_native_function(f, kind, Locals::of(f)) else { continue };
            for signature in group.signatures() {
                let parameter = |binding: &torchgen_api::Binding| {
                    let whole = binding.argument.argument();
                    (whole.map(|argument| argument.ty.clone()), binding.default.is_some())
                };
                let callable = Callable {
                    declaration: signature.decl(),
                    parameters: signature.arguments.iter().map(parameter).collect(),
                    symbolic: signature.symint,
                    returns_tensor: matches!(f.func.returns.as_slice(), [only] if only.ty == Type::TENSOR),
                };
                let list = if is_method { &mut self.methods } else { &mut *own };
                list.entry(signature.name.clone()).or_default().push(callable);
            }
        }
    }

    /// The methods of tensors that are not operators.
    pub(super) fn members(&self) -> &'r Members {
        self.tables.get()
    }

    /// PyTorch's operators, if there is a PyTorch.
    pub(super) fn stock(&self) -> Option<&'r StockOperators> {
        self.stock.as_ref().map(|(stock, _)| *stock)
    }

    /// Whether PyTorch's operators are known.
    pub(super) fn knows_stock(&self) -> bool {
        self.stock.is_some()
    }

    /// Whether PyTorch has operators with the base name.
    pub(super) fn is_stock(&self, base: &str) -> bool {
        self.stock.as_ref().is_some_and(|(_, names)| names.contains(base))
    }

    /// The base names of PyTorch's operators.
    pub(super) fn stock_names(&self) -> impl Iterator<Item = &str> {
        self.stock.iter().flat_map(|(_, names)| names).map(String::as_str)
    }

    /// Whether the namespace is one of the library's.
    pub(super) fn is_own(&self, namespace: &str) -> bool {
        namespace != "at" && self.functions.contains_key(namespace)
    }

    /// Whether some namespace has a function of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.functions.values().any(|own| own.contains_key(name))
    }

    /// The names of the library's own functions.
    pub(super) fn own_names(&self) -> impl Iterator<Item = &str> {
        let own = self.functions.iter().filter(|(namespace, _)| *namespace != "at");
        own.flat_map(|(_, functions)| functions.keys()).map(String::as_str)
    }

    /// The names in a namespace, or those of methods, sorted.
    pub(super) fn names(&self, callee: &Callee) -> Vec<&str> {
        let list = match callee {
            Callee::Function(namespace) => self.functions.get(namespace),
            Callee::Open => None,
            Callee::Method => Some(&self.methods),
        };
        let mut names: Vec<&str> = list.into_iter().flat_map(HashMap::keys).map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// The signatures of that name.
    pub(super) fn find(&self, callee: &Callee, name: &str) -> &[Callable] {
        let list = match callee {
            Callee::Function(namespace) => self.functions.get(namespace),
            Callee::Open => None,
            Callee::Method => Some(&self.methods),
        };
        list.and_then(|list| list.get(name)).map_or(&[], Vec::as_slice)
    }

    /// The kind of what a call returns.
    pub(super) fn returned(&self, callee: &Callee, name: &str) -> Kind {
        let found = self.find(callee, name);
        if found.is_empty() {
            return if *callee == Callee::Method {
                self.members().find(name).unwrap_or(Kind::Unknown)
            } else {
                Kind::Unknown
            };
        }
        if found.iter().all(|callable| callable.returns_tensor) { Kind::Tensor } else { Kind::Unknown }
    }
}
