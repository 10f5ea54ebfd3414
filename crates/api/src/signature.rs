//! C++ function signatures: a name, parameters and a return type, computed once.
//!
//! Invariant: a signature is complete when it is made and never changes. Rule:
//! torchgen/api/types/signatures.py.

use super::binding::Binding;
use super::ctype::CType;
use super::error::Result;
use torchgen_model::model::FunctionSchema;

/// How the SymInts of a schema are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SymInts {
    /// As `c10::SymInt`.
    Kept,
    /// As integers.
    #[default]
    Numbers,
}

impl SymInts {
    /// Kept if the condition holds.
    pub fn kept_if(condition: bool) -> SymInts {
        if condition { SymInts::Kept } else { SymInts::Numbers }
    }

    /// Whether they stay SymInts.
    pub fn are_kept(self) -> bool {
        self == SymInts::Kept
    }
}

/// A C++ API: how it spells the function of a schema.
pub trait CallingConvention<'a> {
    /// Which API it is.
    fn convention(&self) -> Convention;

    /// How it spells SymInts.
    fn sym_ints(&self) -> SymInts;

    /// The function's name in it.
    fn name(&self, func: &FunctionSchema) -> String;

    /// Its parameters.
    fn arguments(&self, func: &'a FunctionSchema) -> Result<Vec<Binding<'a>>>;

    /// What it returns.
    fn returns_type(&self, func: &FunctionSchema) -> Result<CType>;

    /// All of it.
    fn signature(&self, func: &'a FunctionSchema) -> Result<Signature<'a>> {
        Ok(Signature {
            func,
            convention: self.convention(),
            symint: self.sym_ints().are_kept(),
            name: self.name(func),
            returns_type: self.returns_type(func)?,
            arguments: self.arguments(func)?,
        })
    }
}

/// The rules a signature was made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// The public C++ API.
    Cpp {
        /// It follows the schema.
        faithful: bool,
        /// It is a method of `Tensor`.
        method: bool,
        /// It is the fallback of a hand-written binding.
        fallback_binding: bool,
    },
    /// The dispatcher's unboxed convention.
    Dispatcher,
    /// In-tree kernels.
    Native,
    /// Inverses of views.
    ViewInverse,
    /// Meta functions of structured groups.
    Meta,
    /// Kernels of structured groups.
    Structured,
    /// Kernels between the dispatcher and a backend.
    Wrapper,
    /// Inner loops and functors of ufuncs, and the kernels behind their stubs.
    Ufunc,
}

/// The signature of a C++ function.
#[derive(Debug, Clone)]
pub struct Signature<'a> {
    /// The schema it belongs to.
    pub func: &'a FunctionSchema,
    /// The rules it was made by.
    pub(crate) convention: Convention,
    /// SymInts stayed SymInts.
    pub symint: bool,
    /// The function's name.
    pub name: String,
    /// What it returns.
    pub returns_type: CType,
    /// Its parameters.
    pub arguments: Vec<Binding<'a>>,
}

/// The parameter with which a function redispatches; alone, and before others.
const KEY_SET: &str = "c10::DispatchKeySet dispatchKeySet";
const KEY_SET_FIRST: &str = "c10::DispatchKeySet dispatchKeySet, ";

/// The text between the parentheses.
#[derive(Clone, Copy, PartialEq)]
enum Parameters {
    Types,
    Names,
    Defaults,
}

impl<'a> Signature<'a> {
    /// The signature under its name with `prefix` before it.
    pub fn prefixed(self, prefix: &str) -> Signature<'a> {
        Signature { name: format!("{prefix}{}", self.name), ..self }
    }

    /// `returns name(type a, type b=default)`
    pub fn decl(&self) -> String {
        self.decl_as(&self.name)
    }

    /// The declaration under another name.
    pub fn decl_as(&self, name: &str) -> String {
        self.write(&[" ", name, "("], Parameters::Defaults)
    }

    /// `returns name(type a, type b)`; of structured kernels
    /// `TORCH_IMPL_FUNC(name)(type a, type b)`.
    pub fn defn(&self) -> String {
        match self.convention {
            Convention::Structured => {
                let arguments: Vec<String> = self.arguments.iter().map(Binding::defn).collect();
                format!("TORCH_IMPL_FUNC({})({})", self.name, arguments.join(", "))
            }
            _ => self.defn_as(&self.name),
        }
    }

    /// The definition's signature under another name.
    pub fn defn_as(&self, name: &str) -> String {
        self.write(&[" ", name, "("], Parameters::Names)
    }

    /// The declaration, with the dispatch key set to redispatch with as first parameter.
    pub fn redispatch_decl(&self) -> String {
        self.write(&[" ", &self.name, "(", self.key_set()], Parameters::Defaults)
    }

    /// The definition's signature under another name, with the dispatch key set to redispatch with
    /// as first parameter.
    pub fn redispatch_defn_as(&self, name: &str) -> String {
        self.write(&[" ", name, "(", self.key_set()], Parameters::Names)
    }

    /// `returns (*)(type, type)`: the type of a pointer to it. For kernels it names the parameters.
    pub fn ptr_type(&self) -> String {
        let named = if self.convention == Convention::Native { Parameters::Names } else { Parameters::Types };
        self.write(&[" (*)("], named)
    }

    /// `returns (type, type)`: the type of the function.
    pub fn function_type(&self) -> String {
        self.write(&[" ("], Parameters::Types)
    }

    /// The names of the parameters, in order.
    pub fn argument_names(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().map(|a| &*a.name)
    }

    /// The parameters as `type name`, one by one.
    pub fn parameters(&self) -> Vec<String> {
        self.arguments.iter().map(Binding::defn).collect()
    }

    /// The dispatch key set as a parameter before the others.
    fn key_set(&self) -> &'static str {
        if self.arguments.is_empty() { KEY_SET } else { KEY_SET_FIRST }
    }

    /// The return type, the parts before the parameters, the parameters.
    fn write(&self, head: &[&str], parameters: Parameters) -> String {
        let mut out = String::with_capacity(32 + 32 * self.arguments.len());
        out.push_str(self.returns_type.cpp_type());
        head.iter().for_each(|part| out.push_str(part));
        for (i, argument) in self.arguments.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            match parameters {
                Parameters::Types => out.push_str(argument.ty()),
                Parameters::Names => argument.write_defn(&mut out),
                Parameters::Defaults => argument.write_decl(&mut out),
            }
        }
        out.push(')');
        out
    }
}
