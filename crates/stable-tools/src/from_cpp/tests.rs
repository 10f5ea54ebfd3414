//! Schemas that torch infers.

#[test]
fn schemas_are_inferred_as_torch_does() {
    use super::infer::{changed, schema};
    use torchgen_base::lang::cpp::signature;
    let inferred = |returns: &str, parameters: &[&str]| {
        let parameters: Vec<String> = parameters.iter().map(|text| (*text).to_owned()).collect();
        schema("f", &signature(returns, &parameters))
    };
    let rows: &[(&str, &[&str], &str)] = &[
        (
            "at::Tensor",
            &["const at::Tensor& x", "int64_t n = 1", "double scale"],
            "f(Tensor _0, int _1, float _2) -> Tensor _0",
        ),
        ("void", &["at::Tensor& out", "bool flag"], "f(Tensor _0, bool _1) -> ()"),
        ("std::tuple<at::Tensor, std::optional<at::Tensor>>", &[], "f() -> (Tensor _0, Tensor? _1)"),
        (
            "std::vector<at::Tensor>",
            &["at::TensorList xs", "c10::List<int64_t> ns"],
            "f(Tensor[] _0, int[] _1) -> Tensor[] _0",
        ),
        ("int64_t", &["const std::string& name", "std::string_view other"], "f(str _0, str _1) -> int _0"),
        (
            "torch::Tensor",
            &["c10::optional<double> x", "at::OptionalIntArrayRef d"],
            "f(float? _0, int[]? _1) -> Tensor _0",
        ),
        ("at::Scalar", &["std::array<bool, 3> mask", "c10::SymInt n"], "f(bool[3] _0, SymInt _1) -> Scalar _0"),
    ];
    for (returns, parameters, expected) in rows {
        assert_eq!(inferred(returns, parameters).as_deref(), Ok(*expected));
    }
    assert_eq!(inferred("at::Tensor", &["float x"]), Err("float".to_owned()));
    assert_eq!(inferred("at::Tensor", &["int n"]), Err("int".to_owned()));
    assert_eq!(inferred("MyType", &[]), Err("MyType".to_owned()));
    let parameters = ["at::Tensor& out", "const at::Tensor& x", "at::Tensor y"].map(str::to_owned);
    assert_eq!(changed(&signature("void", &parameters)), ["_0"]);
}
