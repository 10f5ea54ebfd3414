//! The types that a kernel's author may write for those of its declaration.
//!
//! Invariant: a conversion loses nothing in silence. Numbers that may not fit are checked when the
//! kernel is called; a `Scalar` that becomes a number, or a symbolic size that becomes concrete,
//! stays a difference. Types are compared in the normal form of [`Signature`].

use torchgen_base::lang::cpp::{self, Signature, tokens};
use torchgen_generators::{AuthorSignature, Conversion};

/// How an ABI writes what kernels can take.
#[derive(Debug)]
pub(crate) struct TypeSpelling {
    /// The names of types in normal form, and what headers call them.
    types: &'static [(&'static str, &'static str)],
    /// The function that checks numbers which become of the first type, from the second.
    checked: fn(&str, &str) -> String,
}

/// The signature as its author wrote it, if wrappers can call it.
pub(super) fn author_signature(own: &Signature, found: &Signature, abi: &TypeSpelling) -> Option<AuthorSignature> {
    if own.parameters.len() != found.parameters.len() {
        return None;
    }
    if !returned(&own.returns, &found.returns) {
        return None;
    }
    let returns = if own.returns == found.returns { None } else { Some(abi.spelled(&found.returns)?) };
    let parameters = own.parameters.iter().zip(&found.parameters).map(|(own, found)| match own == found {
        true => Some(None),
        false => abi.parameter(own, found).map(Some),
    });
    Some(AuthorSignature { returns, parameters: parameters.collect::<Option<_>>()? })
}

/// The differences between two signatures that no conversion removes, each with the parameter.
pub(super) fn differences(own: &Signature, found: &Signature, abi: &TypeSpelling) -> Vec<(Option<usize>, String)> {
    let all = cpp::differences(own, found);
    let stays = |(at, _): &(Option<usize>, String)| match at {
        Some(i) => abi.parameter(&own.parameters[*i], &found.parameters[*i]).is_none(),
        None => own.parameters.len() != found.parameters.len() || !returned(&own.returns, &found.returns),
    };
    all.into_iter().filter(stays).collect()
}

/// Whether `return` converts what the kernel returns.
fn returned(own: &str, found: &str) -> bool {
    let (own_value, _) = parts(own);
    let (value, form) = parts(found);
    own == found
        || own == own_value && own == value && matches!(form, PassingForm::Reference | PassingForm::ConstReference)
        || matches!((own, found), ("int64_t", "int" | "int32_t" | "long" | "bool") | ("double", "float"))
        || found.strip_prefix("pair<").zip(own.strip_prefix("tuple<")).is_some_and(|(own, found)| own == found)
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq)]
enum PassingForm {
    Value,
    Reference,
    ConstReference,
    Moved,
}

/// A type without reference and `const`.
fn parts(ty: &str) -> (&str, PassingForm) {
    if let Some(moved) = ty.strip_suffix("&&") {
        return (moved, PassingForm::Moved);
    }
    match (ty.strip_suffix('&'), ty.strip_prefix("const ")) {
        (Some(of), Some(_)) => (of.strip_prefix("const ").unwrap_or(of), PassingForm::ConstReference),
        (Some(of), None) => (of, PassingForm::Reference),
        (None, Some(of)) => (of, PassingForm::Value),
        (None, None) => (ty, PassingForm::Value),
    }
}

/// Those of libtorch's C++ API.
pub(crate) const OF_CPP_API: TypeSpelling = TypeSpelling {
    types: &[
        ("ArrayRef", "at::ArrayRef"),
        ("Device", "at::Device"),
        ("DeviceIndex", "at::DeviceIndex"),
        ("Dimname", "at::Dimname"),
        ("DimnameList", "at::DimnameList"),
        ("DimVector", "at::DimVector"),
        ("Generator", "at::Generator"),
        ("IntArrayRef", "at::IntArrayRef"),
        ("ITensorListRef", "at::ITensorListRef"),
        ("Layout", "at::Layout"),
        ("MemoryFormat", "at::MemoryFormat"),
        ("OptionalIntArrayRef", "at::OptionalIntArrayRef"),
        ("OptionalSymIntArrayRef", "at::OptionalSymIntArrayRef"),
        ("QScheme", "at::QScheme"),
        ("Scalar", "at::Scalar"),
        ("ScalarType", "at::ScalarType"),
        ("Storage", "at::Storage"),
        ("Stream", "at::Stream"),
        ("Tensor", "at::Tensor"),
        ("TensorList", "at::TensorList"),
        ("Dict", "c10::Dict"),
        ("List", "c10::List"),
        ("SymBool", "c10::SymBool"),
        ("SymFloat", "c10::SymFloat"),
        ("SymInt", "c10::SymInt"),
        ("SymIntArrayRef", "c10::SymIntArrayRef"),
        ("string_view", "c10::string_view"),
        ("array", "::std::array"),
        ("optional", "::std::optional"),
        ("pair", "::std::pair"),
        ("string", "::std::string"),
        ("tuple", "::std::tuple"),
        ("vector", "::std::vector"),
    ],
    checked: |to, from| format!("c10::checked_convert<{to}, {from}>"),
};

/// Those of the stable ABI.
pub(crate) const OF_STABLE_ABI: TypeSpelling = TypeSpelling {
    types: &[
        ("ArrayRef", "::torch::headeronly::HeaderOnlyArrayRef"),
        ("Device", "::torch::stable::Device"),
        ("Generator", "::torch::stable::Generator"),
        ("IntArrayRef", "::torch::headeronly::IntHeaderOnlyArrayRef"),
        ("Layout", "::torch::headeronly::Layout"),
        ("MemoryFormat", "::torch::headeronly::MemoryFormat"),
        ("ScalarType", "::torch::headeronly::ScalarType"),
        ("Tensor", "::torch::stable::Tensor"),
        ("TensorList", "::torch::headeronly::HeaderOnlyArrayRef<::torch::stable::Tensor>"),
        ("array", "::std::array"),
        ("optional", "::std::optional"),
        ("pair", "::std::pair"),
        ("string", "::std::string"),
        ("string_view", "::std::string_view"),
        ("tuple", "::std::tuple"),
        ("vector", "::std::vector"),
    ],
    checked: |to, _| format!("detail::narrowed<{to}>"),
};

/// Types without a namespace.
const BUILTIN: [&str; 17] = [
    "bool", "char", "const", "double", "float", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "short",
    "size_t", "uint32_t", "uint64_t", "uint8_t", "void",
];

impl TypeSpelling {
    /// The parameter as its author wrote it, if a wrapper can pass it.
    fn parameter(&self, own: &str, found: &str) -> Option<(String, Conversion)> {
        let ty = self.spelled(found)?;
        let ((own, own_form), (value, form)) = (parts(own), parts(found));
        // A kernel writes through a reference. Tensors are references themselves.
        if own_form == PassingForm::Reference {
            let passes = own == "Tensor" && value == "Tensor" && form != PassingForm::Moved;
            return passes.then_some((ty, Conversion::Implicit));
        }
        let conversion = self.conversion(own, value)?;
        let conversion = match form {
            PassingForm::Value | PassingForm::ConstReference => conversion,
            PassingForm::Reference => Conversion::Own(self.spelled(value)?, Box::new(conversion)),
            PassingForm::Moved if conversion == Conversion::Implicit => Conversion::Explicit(self.spelled(value)?),
            PassingForm::Moved => conversion,
        };
        Some((ty, conversion))
    }

    /// The conversion between two types without references.
    fn conversion(&self, own: &str, value: &str) -> Option<Conversion> {
        let in_optional =
            |ty: &'static str| value.strip_prefix("optional<")?.strip_suffix('>').filter(|inner| *inner == ty);
        let elements = |own: &str| {
            Some(match own {
                "IntArrayRef" => "vector<int64_t>".to_owned(),
                "SymIntArrayRef" => "vector<SymInt>".to_owned(),
                "TensorList" => "vector<Tensor>".to_owned(),
                _ => format!("vector<{}", own.strip_prefix("ArrayRef<")?),
            })
        };
        let of_optional = match own {
            "OptionalIntArrayRef" => Some("IntArrayRef"),
            "OptionalSymIntArrayRef" => Some("SymIntArrayRef"),
            _ => own.strip_prefix("optional<").and_then(|inner| inner.strip_suffix('>')),
        };
        Some(match (own, value) {
            _ if own == value => Conversion::Implicit,
            ("string_view", "string") => Conversion::Explicit(self.spelled(value)?),
            ("int64_t", "int" | "int32_t" | "long" | "unsigned" | "uint32_t" | "size_t" | "uint64_t")
            | ("double", "float") => Conversion::Checked((self.checked)(&self.spelled(value)?, own)),
            ("optional<string_view>", "optional<string>") => Conversion::Optional(self.spelled("string")?),
            ("OptionalIntArrayRef", _) if in_optional("IntArrayRef").is_some() => {
                Conversion::Optional(self.spelled("IntArrayRef")?)
            }
            ("OptionalSymIntArrayRef", _) if in_optional("SymIntArrayRef").is_some() => {
                Conversion::Optional(self.spelled("SymIntArrayRef")?)
            }
            _ if elements(own).as_deref() == Some(value) => Conversion::Elements,
            _ => {
                let vector = elements(of_optional?)?;
                let same = value.strip_prefix("optional<").and_then(|inner| inner.strip_suffix('>')) == Some(&*vector);
                if !same {
                    return None;
                }
                Conversion::OptionalElements(self.spelled(&vector)?)
            }
        })
    }

    /// A type in normal form as a header can spell it. `None` for types that only sources know.
    fn spelled(&self, ty: &str) -> Option<String> {
        let mut text = String::new();
        for token in tokens(ty) {
            let word = &ty[token.range];
            let known = self.types.iter().find(|(name, _)| *name == word).map(|(_, called)| *called);
            match (known, word) {
                (Some(called), _) => text.push_str(called),
                (None, "unsigned") => text.push_str("unsigned int"),
                (None, "const") => text.push_str("const "),
                (None, "&") if !text.ends_with('&') => text.push_str(" &"),
                (None, "<" | ">" | "," | "&") => text.push_str(word),
                (None, _) if BUILTIN.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit()) => {
                    text.push_str(word);
                }
                _ => return None,
            }
        }
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_base::lang::cpp::signature;

    fn from_text(text: &str) -> String {
        signature("", &[text.to_owned()]).parameters.swap_remove(0)
    }

    #[track_caller]
    fn check(own: &str, written: &str, expected: Option<&str>) {
        let found = OF_CPP_API.parameter(&from_text(own), &from_text(written)).map(|(ty, _)| ty);
        assert_eq!(found.as_deref(), expected, "{own} as {written}");
    }

    #[test]
    fn what_authors_may_write() {
        check("const at::Tensor & x", "torch::Tensor& x", Some("at::Tensor &"));
        check("const at::Tensor & x", "torch::Tensor x", Some("at::Tensor"));
        check("const at::Tensor & x", "at::Tensor&& x", Some("at::Tensor &&"));
        check("at::Tensor & x", "const at::Tensor& x", Some("const at::Tensor &"));
        check("c10::string_view s", "const std::string& s", Some("const ::std::string &"));
        check(
            "::std::optional<c10::string_view> s",
            "std::optional<std::string> s",
            Some("::std::optional<::std::string>"),
        );
        check("at::IntArrayRef s", "std::vector<int64_t> s", Some("::std::vector<int64_t>"));
        check("at::IntArrayRef s", "const at::IntArrayRef& s", Some("const at::IntArrayRef &"));
        check("at::OptionalIntArrayRef s", "at::OptionalArrayRef<int64_t>", Some("at::OptionalIntArrayRef"));
        check(
            "at::OptionalIntArrayRef s",
            "std::optional<at::IntArrayRef> s",
            Some("::std::optional<at::IntArrayRef>"),
        );
        check("at::TensorList xs", "const std::vector<at::Tensor>& xs", Some("const ::std::vector<at::Tensor> &"));
        check(
            "::std::optional<at::ArrayRef<double>> s",
            "std::optional<std::vector<double>>",
            Some("::std::optional<::std::vector<double>>"),
        );
        check("int64_t n", "int n", Some("int"));
        check("double n", "float n", Some("float"));
    }

    #[test]
    fn what_authors_may_write_on_the_stable_abi() {
        let check = |own: &str, written: &str, expected: Option<(&str, &str)>| {
            let found = OF_STABLE_ABI.parameter(&from_text(own), &from_text(written));
            let found = found.map(|(ty, conversion)| (ty, conversion.apply("a", "x")));
            let found = found.as_ref().map(|(ty, value)| (ty.as_str(), value.as_str()));
            assert_eq!(found, expected, "{own} as {written}");
        };
        check("const Tensor& x", "torch::stable::Tensor x", Some(("::torch::stable::Tensor", "a")));
        check("int64_t n", "const int64_t& n", Some(("const int64_t &", "a")));
        check("int64_t n", "int n", Some(("int", "detail::narrowed<int>(a, \"x\")")));
        check("::std::string_view s", "std::string const& s", Some(("const ::std::string &", "::std::string(a)")));
        check(
            "ArrayRef<int64_t> s",
            "torch::headeronly::IntHeaderOnlyArrayRef const& s",
            Some(("const ::torch::headeronly::IntHeaderOnlyArrayRef &", "a")),
        );
        check(
            "ArrayRef<Tensor> s",
            "std::vector<torch::stable::Tensor> s",
            Some(("::std::vector<::torch::stable::Tensor>", "a.vec()")),
        );
        check(
            "OptionalArrayRef<int64_t> s",
            "std::optional<std::vector<int64_t>> s",
            Some((
                "::std::optional<::std::vector<int64_t>>",
                "a.has_value() ? ::std::optional<::std::vector<int64_t>>(a->vec()) : ::std::nullopt",
            )),
        );
        check("const Tensor& x", "const at::Scalar& x", None);
    }

    #[test]
    fn what_stays_a_difference() {
        check("const at::Scalar & x", "double x", None);
        check("c10::SymInt n", "int64_t n", None);
        check("const at::Tensor & x", "at::TensorList x", None);
        check("int64_t n", "bool n", None);
        check("const at::Tensor & x", "const my::Tensor2& x", None);
        check("::std::array<bool,2> mask", "std::array<bool, 3> mask", None);
    }

    #[test]
    fn what_is_returned() {
        for (own, found) in [("Tensor", "Tensor"), ("int64_t", "int"), ("tuple<Tensor,Tensor>", "pair<Tensor,Tensor>")]
        {
            assert!(returned(own, found), "{own} {found}");
        }
        for (own, found) in [("Tensor", "void"), ("Tensor&", "Tensor"), ("string", "string_view"), ("int", "int64_t")] {
            assert!(!returned(own, found), "{own} {found}");
        }
    }
}
