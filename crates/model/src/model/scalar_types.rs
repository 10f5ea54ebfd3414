//! Types of elements: how C++, Python and schemas spell each, and which have what.
//!
//! Invariant: this is the only list of them. Its order is that of torchgen's, then c10's. Source:
//! torchgen/model.py, `ScalarType`; c10/core/ScalarType.h;
//! torch/csrc/jit/frontend/function_schema_parser.cpp, `parseSingleConstant`.

/// A type of elements.
#[derive(Debug, PartialEq, Eq)]
pub struct ScalarType {
    /// Its name in C++: `Long`
    pub cpp: &'static str,
    /// Its name in the module `torch`, which is a word of schemas too: `int64`
    pub torch: &'static str,
    /// The other words that c10 takes for it in schemas.
    other_words: &'static [&'static str],
    use_by: UsedBy,
}

/// Where a type can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UsedBy {
    /// Schemas of c10, with their defaults.
    Schemas,
    /// Also formulas, dtypes of outputs, and accessors of `Scalar` under its name in C++.
    All,
}

const fn row(
    cpp: &'static str,
    torch: &'static str,
    other_words: &'static [&'static str],
    use_by: UsedBy,
) -> ScalarType {
    ScalarType { cpp, torch, other_words, use_by }
}

/// How many of [`SCALAR_TYPES`] torchgen knows.
const OF_TORCHGEN: usize = 18;

/// All types.
const SCALAR_TYPES: &[ScalarType] = &[
    row("Byte", "uint8", &[], UsedBy::All),
    row("Char", "int8", &[], UsedBy::All),
    row("Short", "int16", &["short"], UsedBy::All),
    row("Int", "int32", &["int"], UsedBy::All),
    row("Long", "int64", &["long"], UsedBy::All),
    row("Half", "float16", &["half"], UsedBy::All),
    row("Float", "float32", &["float"], UsedBy::All),
    row("Double", "float64", &["double"], UsedBy::All),
    row("ComplexHalf", "complex32", &["chalf"], UsedBy::All),
    row("ComplexFloat", "complex64", &["complex", "cfloat"], UsedBy::All),
    row("ComplexDouble", "complex128", &["cdouble"], UsedBy::All),
    row("Bool", "bool", &[], UsedBy::All),
    row("BFloat16", "bfloat16", &[], UsedBy::All),
    row("Float8_e5m2", "float8_e5m2", &[], UsedBy::All),
    row("Float8_e5m2fnuz", "float8_e5m2fnuz", &[], UsedBy::All),
    row("Float8_e4m3fn", "float8_e4m3fn", &[], UsedBy::All),
    row("Float8_e4m3fnuz", "float8_e4m3fnuz", &[], UsedBy::All),
    row("Float8_e8m0fnu", "float8_e8m0fnu", &[], UsedBy::All),
    row("UInt16", "uint16", &[], UsedBy::All),
    row("UInt32", "uint32", &[], UsedBy::All),
    row("UInt64", "uint64", &[], UsedBy::All),
    row("QInt8", "qint8", &[], UsedBy::Schemas),
    row("QUInt8", "quint8", &[], UsedBy::Schemas),
    row("QInt32", "qint32", &[], UsedBy::Schemas),
    row("QUInt4x2", "quint4x2", &[], UsedBy::Schemas),
    row("QUInt2x4", "quint2x4", &[], UsedBy::Schemas),
    row("Bits1x8", "bits1x8", &["bit"], UsedBy::Schemas),
    row("Bits2x4", "bits2x4", &[], UsedBy::Schemas),
    row("Bits4x2", "bits4x2", &[], UsedBy::Schemas),
    row("Bits8", "bits8", &[], UsedBy::Schemas),
    row("Bits16", "bits16", &[], UsedBy::Schemas),
    row("UInt1", "uint1", &[], UsedBy::Schemas),
    row("UInt2", "uint2", &[], UsedBy::Schemas),
    row("UInt3", "uint3", &[], UsedBy::Schemas),
    row("UInt4", "uint4", &[], UsedBy::Schemas),
    row("UInt5", "uint5", &[], UsedBy::Schemas),
    row("UInt6", "uint6", &[], UsedBy::Schemas),
    row("UInt7", "uint7", &[], UsedBy::Schemas),
    row("Int1", "int1", &[], UsedBy::Schemas),
    row("Int2", "int2", &[], UsedBy::Schemas),
    row("Int3", "int3", &[], UsedBy::Schemas),
    row("Int4", "int4", &[], UsedBy::Schemas),
    row("Int5", "int5", &[], UsedBy::Schemas),
    row("Int6", "int6", &[], UsedBy::Schemas),
    row("Int7", "int7", &[], UsedBy::Schemas),
    row("Float4_e2m1fn_x2", "float4_e2m1fn_x2", &[], UsedBy::Schemas),
];

impl ScalarType {
    /// The type of that name in C++, among those of torchgen.
    pub fn of_torchgen() -> impl Iterator<Item = &'static ScalarType> {
        SCALAR_TYPES[..OF_TORCHGEN].iter()
    }

    /// Those that tensors of any operator can have: formulas and outputs name them.
    pub fn of_tensors() -> impl Iterator<Item = &'static ScalarType> {
        SCALAR_TYPES.iter().filter(|ty| ty.use_by == UsedBy::All)
    }

    /// The type of a word of schemas, as c10 reads it.
    pub fn of_word(word: &str) -> Option<&'static ScalarType> {
        SCALAR_TYPES.iter().find(|ty| ty.torch == word || ty.other_words.contains(&word))
    }

    /// Whether `Scalar` has an accessor for a type of that name in C++ besides those of C++'s own
    /// numbers. Torch 2.10 lacks that of the last one.
    pub fn has_own_accessor(cpp: &str) -> bool {
        let found = SCALAR_TYPES.iter().find(|ty| ty.cpp == cpp);
        let own = found.is_some_and(|ty| ty.use_by == UsedBy::All && !OF_CPP.contains(&cpp));
        own || cpp == "BComplex32"
    }
}

/// Types that are numbers of C++.
const OF_CPP: &[&str] = &["Byte", "Char", "Short", "Int", "Long", "Float", "Double", "Bool", "ComplexDouble"];
