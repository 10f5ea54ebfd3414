//! What single expressions and types are.

use super::arguments::default;
use super::expression::{Named, named};
use super::types::{returned, taken};

#[test]
fn expressions_that_are_functions() {
    let named_as = |name: &str, parameters: Option<&[&str]>| {
        let parameters = parameters.map(|all| all.iter().map(|one| (*one).to_owned()).collect());
        Ok(Named { name: name.to_owned(), parameters })
    };
    for text in ["&a::f", "a::f", "TORCH_FN(a::f)", "torch::wrap_pybind_function(a::f)"] {
        assert_eq!(named(text), named_as("a::f", None), "{text}");
    }
    for text in [
        "static_cast<at::Tensor (*)(const at::Tensor&, std::optional<int64_t>)>(&f)",
        "(at::Tensor (*)(const torch::Tensor &, c10::optional<int64_t>)) &f",
        "py::overload_cast<const at::Tensor&, std::optional<int64_t>>(&f)",
    ] {
        let types: &[&str] = &["const Tensor&", "optional<int64_t>"];
        assert_eq!(named(text), named_as("f", Some(types)), "{text}");
    }
    assert_eq!(named("py::overload_cast<>(&f)"), named_as("f", Some(&[])));
    for text in ["[](at::Tensor x) { return x; }", "&f<float>", "make(&f)", "", "&"] {
        assert!(named(text).is_err(), "{text}");
    }
}

#[test]
fn defaults_of_schemas() {
    for (value, schema_type, expected) in [
        ("3", "int", Some("3")),
        ("- 1", "int", Some("-1")),
        ("3L", "int", Some("3")),
        ("kDefault", "int", None),
        ("1e-5f", "float", Some("1e-5")),
        ("1.f", "float", Some("1.")),
        ("INFINITY", "float", None),
        ("true", "bool", Some("True")),
        ("py::none()", "Tensor?", Some("None")),
        ("c10::nullopt", "int?", Some("None")),
        ("std::optional<at::Tensor>()", "Tensor?", Some("None")),
        ("2", "int?", Some("2")),
        ("at::Tensor()", "Tensor", None),
        ("\"mean\"", "str", Some("\"mean\"")),
        ("std::vector<int64_t>{1, 2}", "int[]", Some("[1, 2]")),
        ("std::vector<int64_t>({1, 2})", "int[]", Some("[1, 2]")),
        ("std::vector<float>{}", "float[]", Some("[]")),
        ("sizes", "int[]", None),
    ] {
        assert_eq!(default(value, schema_type).as_deref(), expected, "{value} {schema_type}");
    }
}

#[test]
fn types_of_functions() {
    let of = |normal: &str| taken(normal).map(|one| (one.schema, one.spelled, one.wide.unwrap_or_default()));
    for (normal, schema, spelled, wide) in [
        ("const Tensor&", "Tensor", "const at::Tensor&", ""),
        ("int", "int", "int", "int64_t"),
        ("const float&", "float", "const float&", "double"),
        ("vector<int>", "int[]", "std::vector<int>", "c10::ArrayRef<int64_t>"),
        ("optional<vector<int>>", "int[]?", "std::optional<std::vector<int>>", "std::optional<std::vector<int64_t>>"),
        ("optional<Tensor>", "Tensor?", "std::optional<at::Tensor>", ""),
        ("array<int,3>", "int[3]", "std::array<int, 3>", "std::array<int64_t, 3>"),
    ] {
        assert_eq!(of(normal), Ok((schema.to_owned(), spelled.to_owned(), wide.to_owned())), "{normal}");
    }
    assert_eq!(of("object"), Err("object".to_owned()));
    assert!(of("vector<vector<Tensor>>").is_ok_and(|(schema, ..)| schema == "Tensor[][]"));
    let of =
        |normal: &str, count| returned(normal, count).map(|one| (one.schema.join(", "), one.wide.unwrap_or_default()));
    for (normal, count, schema, wide) in [
        ("void", None, "", ""),
        ("int", None, "int", "int64_t"),
        ("vector<Tensor>", None, "Tensor[]", ""),
        ("vector<Tensor>", Some(2), "Tensor, Tensor", "std::tuple<at::Tensor, at::Tensor>"),
        ("tuple<Tensor,int64_t>", None, "Tensor, int", ""),
        ("tuple<Tensor,int>", None, "Tensor, int", "std::tuple<at::Tensor, int64_t>"),
        ("pair<Tensor,Tensor>", None, "Tensor, Tensor", "std::tuple<at::Tensor, at::Tensor>"),
    ] {
        assert_eq!(of(normal, count), Ok((schema.to_owned(), wide.to_owned())), "{normal}");
    }
}
