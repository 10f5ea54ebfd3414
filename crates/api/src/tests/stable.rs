//! Functions and kernels on the stable ABI. The reference has none; `tests/stable` compiles them.

use super::*;
use crate::stable::{KernelSignature, argument_type, default, has_readable_results, held_type, returns_type};

/// The function that calls an operator, with its parameters in the order of the schema.
fn function(schema: &FunctionSchema) -> String {
    let parameter = |a: &torchgen_model::model::Argument| match default(a) {
        Some(default) => format!("{} {} = {default}", argument_type(&a.ty), a.name),
        None => format!("{} {}", argument_type(&a.ty), a.name),
    };
    let parameters: Vec<String> = schema.schema_order_arguments().map(parameter).collect();
    format!("{} f({})", returns_type(schema), parameters.join(", "))
}

#[test]
fn functions() {
    fn check(schema: &str, expected: &str) {
        assert_eq!(function(&func(schema)), expected);
    }
    check(
        PLAIN,
        "Tensor f(const Tensor& self, Scalar factor = 1, double shift = 0.5, ArrayRef<bool> mask = {true, true})",
    );
    check(
        INTS,
        "Tensor f(const Tensor& self, ArrayRef<int64_t> sizes, ArrayRef<int64_t> stride = {1, 1}, OptionalArrayRef<int64_t> dims = ::std::nullopt, ::std::optional<int64_t> limit = ::std::nullopt)",
    );
    check(
        FACTORY,
        "Tensor f(ArrayRef<int64_t> size, ::std::optional<double> step = ::std::nullopt, ::std::optional<ScalarType> dtype = ::std::nullopt, ::std::optional<Layout> layout = ::std::nullopt, ::std::optional<Device> device = ::std::nullopt, ::std::optional<bool> pin_memory = ::std::nullopt, ::std::optional<MemoryFormat> memory_format = ::std::nullopt)",
    );
    check(
        FACTORY_LONG,
        "Tensor f(int64_t n, ScalarType dtype = ScalarType::Long, ::std::optional<Layout> layout = ::std::nullopt, ::std::optional<Device> device = ::std::nullopt, ::std::optional<bool> pin_memory = false)",
    );
    check(
        OUT,
        "::std::tuple<Tensor, Tensor> f(const Tensor& self, const ::std::optional<Tensor>& weight = ::std::nullopt, ::std::string_view mode = \"mean\", const Tensor& value, const Tensor& norm)",
    );
    check(
        INPLACE,
        "Tensor f(const Tensor& self, ::std::optional<Scalar> lo = ::std::nullopt, const ::std::optional<Generator>& generator = ::std::nullopt)",
    );
    check(
        LISTS,
        "::std::tuple<::std::vector<Tensor>, int64_t> f(ArrayRef<Tensor> tensors, ArrayRef<::std::optional<Tensor>> indices, ArrayRef<Scalar> weights, ArrayRef<::std::string_view> names)",
    );
    check(MUTABLE, "void f(const Tensor& self, const ::std::optional<Tensor>& state, ArrayRef<Tensor> rest)");
    check(
        VIEW,
        "::std::vector<Tensor> f(const Tensor& self, int64_t width, OptionalArrayRef<int64_t> dims = ::std::nullopt, const ::std::optional<Tensor>& weight = ::std::nullopt)",
    );
    check(
        "f(str? a=None, str[] b=[], bool c=True, float[]? d=None, Device? e=None) -> (str, str?)",
        "::std::tuple<::std::string, ::std::optional<::std::string>> f(::std::optional<::std::string_view> a = ::std::nullopt, ArrayRef<::std::string_view> b = {}, bool c = true, OptionalArrayRef<double> d = ::std::nullopt, ::std::optional<Device> e = ::std::nullopt)",
    );
}

#[test]
fn kernels() {
    fn check(schema: &str, expected: &str) {
        assert_eq!(KernelSignature::written(&op(schema)).decl_as("k"), expected);
    }
    check(PLAIN, "Tensor k(const Tensor& self, Scalar factor, double shift, ArrayRef<bool> mask)");
    check(
        INTS,
        "Tensor k(const Tensor& self, ArrayRef<int64_t> sizes, ArrayRef<int64_t> stride, OptionalArrayRef<int64_t> dims, ::std::optional<int64_t> limit)",
    );
    check(
        FACTORY,
        "Tensor k(ArrayRef<int64_t> size, ::std::optional<double> step, ::std::optional<ScalarType> dtype, ::std::optional<Layout> layout, ::std::optional<Device> device, ::std::optional<bool> pin_memory, ::std::optional<MemoryFormat> memory_format)",
    );
    check(
        OUT,
        "::std::tuple<Tensor&, Tensor&> k(const Tensor& self, const ::std::optional<Tensor>& weight, ::std::string_view mode, Tensor& value, Tensor& norm)",
    );
    check(INPLACE, "Tensor& k(Tensor& self, ::std::optional<Scalar> lo, const ::std::optional<Generator>& generator)");
    check(
        LISTS,
        "::std::tuple<::std::vector<Tensor>, int64_t> k(ArrayRef<Tensor> tensors, ArrayRef<::std::optional<Tensor>> indices, ArrayRef<Scalar> weights, ArrayRef<::std::string_view> names)",
    );
    check(MUTABLE, "void k(const Tensor& self, ::std::optional<Tensor>& state, ArrayRef<Tensor> rest)");
    check(
        VIEW,
        "::std::vector<Tensor> k(const Tensor& self, int64_t width, OptionalArrayRef<int64_t> dims, const ::std::optional<Tensor>& weight)",
    );
    check(
        "f(str a) -> (str, str[])",
        "::std::tuple<::std::string, ::std::vector<::std::string>> k(::std::string_view a)",
    );
    let structured = NativeFunction { structured: true, ..op(OUT) };
    assert_eq!(
        KernelSignature::written(&structured).decl_as("k"),
        "void k(const Tensor& self, const ::std::optional<Tensor>& weight, ::std::string_view mode, const Tensor& value, const Tensor& norm)"
    );
}

#[test]
fn values_without_references() {
    fn check(ty: &str, expected: &str) {
        let schema = func(&format!("f({ty} x) -> ()"));
        let held: Vec<String> = schema.schema_order_arguments().map(|a| held_type(&a.ty).to_string()).collect();
        assert_eq!(held, [expected]);
    }
    check("Tensor", "Tensor");
    check("Tensor?", "::std::optional<Tensor>");
    check("Generator?", "::std::optional<Generator>");
    check("Tensor[]", "ArrayRef<Tensor>");
    check("int[2]?", "OptionalArrayRef<int64_t>");
    check("str", "::std::string_view");
    check("Scalar?", "::std::optional<Scalar>");
}

#[test]
fn results_that_libtorch_returns() {
    fn check(returns: &str, expected: bool) {
        assert_eq!(has_readable_results(&func(&format!("f(Tensor x) -> {returns}"))), expected);
    }
    check("()", true);
    check("Tensor", true);
    check("(Tensor, int)", false);
    check("(Tensor, int, Tensor)", true);
    check("(int, SymInt)", true);
}
