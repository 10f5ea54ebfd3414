//! C++ types without structure, by name. `CType::from_qualified_name` has names that are known at
//! run time.
//!
//! Invariant: names are fully qualified. Rule: torchgen/api/types/types_base.py and types.py.

use torchgen_model::model::BaseTy;

macro_rules! base_cpp_types {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// A C++ type without structure.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)]
        pub enum BaseCppType {
            $($(#[$doc])* $name,)*
        }

        impl BaseCppType {
            /// How many there are.
            pub(crate) const COUNT: usize = [$(BaseCppType::$name),*].len();

            /// The type of that qualified name.
            pub fn named(name: &str) -> Option<BaseCppType> {
                match name {
                    $($text => Some(BaseCppType::$name),)*
                    _ => None,
                }
            }

            /// The qualified name.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(BaseCppType::$name => $text,)*
                }
            }
        }
    };
}

base_cpp_types! {
    Long = "int64_t", Double = "double", Bool = "bool", Void = "void", String = "c10::string_view",
    ComplexDouble = "c10::complex<double>",
    /// The owning string: a key or value of a `c10::Dict`, and what a library's kernels return.
    StdString = "::std::string",
    Generator = "at::Generator", ScalarType = "at::ScalarType", Tensor = "at::Tensor",
    OptionalTensorRef = "at::OptionalTensorRef", TensorList = "at::TensorList", ITensorListRef = "at::ITensorListRef",
    IOptTensorListRef = "at::IOptTensorListRef", DimVector = "at::DimVector", Dimname = "at::Dimname", DimnameList = "at::DimnameList", Layout = "at::Layout", Device = "at::Device",
    DeviceIndex = "at::DeviceIndex", Scalar = "at::Scalar", OptionalScalarRef = "at::OptionalScalarRef",
    MemoryFormat = "at::MemoryFormat", QScheme = "at::QScheme", Storage = "at::Storage", Stream = "at::Stream",
    IntArrayRef = "at::IntArrayRef", OptionalIntArrayRef = "at::OptionalIntArrayRef",
    OptionalSymIntArrayRef = "at::OptionalSymIntArrayRef", TensorOptions = "at::TensorOptions",
    TypeAndSize = "torch::autograd::generated::TypeAndSize", TensorGeometry = "at::TensorGeometry", SymInt = "c10::SymInt",
    SymBool = "c10::SymBool", SymIntArrayRef = "c10::SymIntArrayRef",
    InverseReturnMode = "at::functionalization::InverseReturnMode",
    /// The template parameter for the type of an element.
    ScalarT = "scalar_t",
    /// The template parameter for the type of the computation.
    OpmathT = "opmath_t",
}

impl BaseCppType {
    /// The C++ type of a schema's base type, or `None` if it has none.
    pub fn from_base_type(ty: BaseTy) -> Option<BaseCppType> {
        Some(match ty {
            BaseTy::Int => BaseCppType::Long,
            BaseTy::Float => BaseCppType::Double,
            BaseTy::Bool => BaseCppType::Bool,
            BaseTy::Str => BaseCppType::String,
            BaseTy::Generator => BaseCppType::Generator,
            BaseTy::ScalarType => BaseCppType::ScalarType,
            BaseTy::Tensor => BaseCppType::Tensor,
            BaseTy::DimVector => BaseCppType::DimVector,
            BaseTy::Layout => BaseCppType::Layout,
            BaseTy::Device => BaseCppType::Device,
            BaseTy::DeviceIndex => BaseCppType::DeviceIndex,
            BaseTy::Scalar => BaseCppType::Scalar,
            BaseTy::MemoryFormat => BaseCppType::MemoryFormat,
            BaseTy::QScheme => BaseCppType::QScheme,
            BaseTy::Storage => BaseCppType::Storage,
            BaseTy::Stream => BaseCppType::Stream,
            BaseTy::SymInt => BaseCppType::SymInt,
            BaseTy::SymBool => BaseCppType::SymBool,
            BaseTy::Complex => BaseCppType::ComplexDouble,
            BaseTy::Dimname => BaseCppType::Dimname,
            BaseTy::GraphModule => return None,
        })
    }
}
