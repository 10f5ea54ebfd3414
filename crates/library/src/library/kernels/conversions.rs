//! The types that a kernel's author may write for those of its declaration.
//!
//! Invariant: a conversion loses nothing in silence. Numbers that may not fit are checked when the
//! kernel is called; a `Scalar` that becomes a number, or a symbolic size that becomes concrete,
//! stays a difference. Types are compared in the normal form of [`Signature`].

use torchgen_base::lang::cpp::{self, Signature, tokens};
use torchgen_generators::{AuthorSignature, Conversion};

/// The signature as its author wrote it, if wrappers can call it.
pub(super) fn author_signature(own: &Signature, found: &Signature) -> Option<AuthorSignature> {
    if own.parameters.len() != found.parameters.len() {
        return None;
    }
    if !returned(&own.returns, &found.returns) {
        return None;
    }
    let returns = if own.returns == found.returns { None } else { Some(spelled(&found.returns)?) };
    let parameters = own.parameters.iter().zip(&found.parameters).map(|(own, found)| match own == found {
        true => Some(None),
        false => parameter(own, found).map(Some),
    });
    Some(AuthorSignature { returns, parameters: parameters.collect::<Option<_>>()? })
}

/// The differences between two signatures that no conversion removes, each with the parameter.
pub(super) fn differences(own: &Signature, found: &Signature) -> Vec<(Option<usize>, String)> {
    let all = cpp::differences(own, found);
    let stays = |(at, _): &(Option<usize>, String)| match at {
        Some(i) => parameter(&own.parameters[*i], &found.parameters[*i]).is_none(),
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

/// The parameter as its author wrote it, if a wrapper can pass it.
fn parameter(own: &str, found: &str) -> Option<(String, Conversion)> {
    let ty = spelled(found)?;
    let ((own, own_form), (value, form)) = (parts(own), parts(found));
    // A kernel writes through a reference. Tensors are references themselves.
    if own_form == PassingForm::Reference {
        let passes = own == "Tensor" && value == "Tensor" && form != PassingForm::Moved;
        return passes.then_some((ty, Conversion::Implicit));
    }
    let conversion = conversion(own, value)?;
    let conversion = match form {
        PassingForm::Value | PassingForm::ConstReference => conversion,
        PassingForm::Reference => Conversion::Own(spelled(value)?, Box::new(conversion)),
        PassingForm::Moved if conversion == Conversion::Implicit => Conversion::Explicit(spelled(value)?),
        PassingForm::Moved => conversion,
    };
    Some((ty, conversion))
}

/// The conversion between two types without references.
fn conversion(own: &str, value: &str) -> Option<Conversion> {
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
        ("string_view", "string") => Conversion::Explicit(spelled(value)?),
        ("int64_t", "int" | "int32_t" | "long" | "unsigned" | "uint32_t" | "size_t" | "uint64_t")
        | ("double", "float") => Conversion::Checked { from: own.to_owned(), to: spelled(value)? },
        ("optional<string_view>", "optional<string>") => Conversion::Optional(spelled("string")?),
        ("OptionalIntArrayRef", _) if in_optional("IntArrayRef").is_some() => {
            Conversion::Optional(spelled("IntArrayRef")?)
        }
        ("OptionalSymIntArrayRef", _) if in_optional("SymIntArrayRef").is_some() => {
            Conversion::Optional(spelled("SymIntArrayRef")?)
        }
        _ if elements(own).as_deref() == Some(value) => Conversion::Elements,
        _ => {
            let vector = elements(of_optional?)?;
            let same = value.strip_prefix("optional<").and_then(|inner| inner.strip_suffix('>')) == Some(&*vector);
            if !same {
                return None;
            }
            Conversion::OptionalElements(spelled(&vector)?)
        }
    })
}

/// The namespaces of the types that kernels can take.
const SPACES: [(&str, &str); 32] = [
    ("ArrayRef", "at"),
    ("Device", "at"),
    ("DeviceIndex", "at"),
    ("Dimname", "at"),
    ("DimnameList", "at"),
    ("DimVector", "at"),
    ("Generator", "at"),
    ("IntArrayRef", "at"),
    ("ITensorListRef", "at"),
    ("Layout", "at"),
    ("MemoryFormat", "at"),
    ("OptionalIntArrayRef", "at"),
    ("OptionalSymIntArrayRef", "at"),
    ("QScheme", "at"),
    ("Scalar", "at"),
    ("ScalarType", "at"),
    ("Storage", "at"),
    ("Stream", "at"),
    ("Tensor", "at"),
    ("TensorList", "at"),
    ("Dict", "c10"),
    ("List", "c10"),
    ("SymBool", "c10"),
    ("SymFloat", "c10"),
    ("SymInt", "c10"),
    ("SymIntArrayRef", "c10"),
    ("array", "::std"),
    ("optional", "::std"),
    ("pair", "::std"),
    ("string", "::std"),
    ("tuple", "::std"),
    ("vector", "::std"),
];

/// Types without a namespace.
const BUILTIN: [&str; 17] = [
    "bool", "char", "const", "double", "float", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "short",
    "size_t", "uint32_t", "uint64_t", "uint8_t", "void",
];

/// A type in normal form as a header can spell it. `None` for types that only sources know.
fn spelled(ty: &str) -> Option<String> {
    let mut text = String::new();
    for token in tokens(ty) {
        let word = &ty[token.range];
        let space = SPACES.iter().find(|(name, _)| *name == word).map(|(_, space)| *space);
        match (space, word) {
            (Some(space), _) => text.push_str(&format!("{space}::{word}")),
            // Both names of it.
            (None, "string_view") => text.push_str("c10::string_view"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_base::lang::cpp::signature;

    fn from_text(text: &str) -> String {
        signature("", &[text.to_owned()]).parameters.swap_remove(0)
    }

    #[track_caller]
    fn check(own: &str, written: &str, expected: Option<&str>) {
        let found = parameter(&from_text(own), &from_text(written)).map(|(ty, _)| ty);
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
