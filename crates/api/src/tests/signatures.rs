//! Whole signatures, per convention.

use std::collections::BTreeSet;

use super::*;
use crate::CallingConvention;
use crate::cpp::BindingKind;
use crate::dispatcher::Dispatcher;
use crate::native::Native;
use crate::{CppSignatureGroup, SymInts, cpp, kernel_signature};
use torchgen_model::model::{BackendIndex, BackendMetadata, DispatchKey};

fn group(f: &NativeFunction, method: bool, fallback: bool, locals: Locals) -> CppSignatureGroup<'_> {
    CppSignatureGroup::from_native_function(f, BindingKind { method, fallback }, locals).unwrap()
}

#[test]
fn cpp_functions() {
    fn check(schema: &str, expected: &[&str]) {
        let f = op(schema);
        let decls: Vec<String> = group(&f, false, false, Locals::default()).signatures().map(|s| s.decl()).collect();
        assert_eq!(decls, expected);
    }
    check(
        PLAIN,
        &[
            "at::Tensor scale_shift(const at::Tensor & self, const at::Scalar & factor=1, double shift=0.5, ::std::array<bool,2> mask=true)",
        ],
    );
    check(
        INTS,
        &[
            "at::Tensor tile_to(const at::Tensor & self, at::IntArrayRef sizes, at::IntArrayRef stride=1, at::OptionalIntArrayRef dims=::std::nullopt, ::std::optional<int64_t> limit=::std::nullopt)",
            "at::Tensor tile_to_symint(const at::Tensor & self, c10::SymIntArrayRef sizes, at::IntArrayRef stride=1, at::OptionalIntArrayRef dims=::std::nullopt, ::std::optional<c10::SymInt> limit=::std::nullopt)",
        ],
    );
    check(
        FACTORY,
        &[
            "at::Tensor grid(at::IntArrayRef size, ::std::optional<double> step=::std::nullopt, at::TensorOptions options={}, ::std::optional<at::MemoryFormat> memory_format=::std::nullopt)",
            "at::Tensor grid(at::IntArrayRef size, ::std::optional<double> step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory, ::std::optional<at::MemoryFormat> memory_format)",
            "at::Tensor grid_symint(c10::SymIntArrayRef size, ::std::optional<double> step=::std::nullopt, at::TensorOptions options={}, ::std::optional<at::MemoryFormat> memory_format=::std::nullopt)",
            "at::Tensor grid_symint(c10::SymIntArrayRef size, ::std::optional<double> step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory, ::std::optional<at::MemoryFormat> memory_format)",
        ],
    );
    check(
        FACTORY_LONG,
        &[
            "at::Tensor steps(int64_t n, at::TensorOptions options=at::kLong)",
            "at::Tensor steps(int64_t n, at::ScalarType dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory)",
        ],
    );
    check(
        OUT,
        &[
            "::std::tuple<at::Tensor &,at::Tensor &> split_norm_out(at::Tensor & value, at::Tensor & norm, const at::Tensor & self, const ::std::optional<at::Tensor> & weight={}, c10::string_view mode=\"mean\")",
            "::std::tuple<at::Tensor &,at::Tensor &> split_norm_outf(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, c10::string_view mode, at::Tensor & value, at::Tensor & norm)",
        ],
    );
    check(
        INPLACE,
        &[
            "at::Tensor & clip_(at::Tensor & self, const ::std::optional<at::Scalar> & lo=::std::nullopt, ::std::optional<at::Generator> generator=::std::nullopt)",
        ],
    );
    check(
        LISTS,
        &[
            "::std::tuple<::std::vector<at::Tensor>,int64_t> gather_all(at::TensorList tensors, const c10::List<::std::optional<at::Tensor>> & indices, at::ArrayRef<at::Scalar> weights, at::ArrayRef<c10::string_view> names)",
        ],
    );
    check(MUTABLE, &["void update(const at::Tensor & self, at::Tensor & state, at::TensorList rest)"]);
    check(
        VIEW,
        &[
            "::std::vector<at::Tensor> windows(const at::Tensor & self, int64_t width, at::OptionalIntArrayRef dims=::std::nullopt, const ::std::optional<at::Tensor> & weight={})",
            "::std::vector<at::Tensor> windows_symint(const at::Tensor & self, c10::SymInt width, at::OptionalIntArrayRef dims=::std::nullopt, const ::std::optional<at::Tensor> & weight={})",
        ],
    );
}

#[test]
fn cpp_fallback_methods() {
    fn check(schema: &str, expected: &[&str]) {
        let f = op(schema);
        let group = group(&f, true, true, Locals::default());
        let heads: Vec<String> = group.signatures().map(|s| s.defn_as(&format!("Tensor::{}", s.name))).collect();
        assert_eq!(heads, expected);
    }
    check(
        INTS,
        &[
            "at::Tensor Tensor::__dispatch_tile_to(at::IntArrayRef sizes, at::IntArrayRef stride, at::OptionalIntArrayRef dims, ::std::optional<int64_t> limit)",
            "at::Tensor Tensor::__dispatch_tile_to_symint(c10::SymIntArrayRef sizes, at::IntArrayRef stride, at::OptionalIntArrayRef dims, ::std::optional<c10::SymInt> limit)",
        ],
    );
    check(
        INPLACE,
        &[
            "at::Tensor & Tensor::__dispatch_clip_(const ::std::optional<at::Scalar> & lo, ::std::optional<at::Generator> generator)",
        ],
    );
}

#[test]
fn cpp_forms() {
    let f = op(INTS);
    let group = group(&f, false, false, Locals::default());
    let sig = group.symint_signature.as_ref().unwrap();
    let forms = [sig.redispatch_decl(), sig.decl_as(&sig.name_without_symint()), sig.ptr_type()];
    assert_eq!(
        forms,
        [
            "at::Tensor tile_to_symint(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, c10::SymIntArrayRef sizes, at::IntArrayRef stride=1, at::OptionalIntArrayRef dims=::std::nullopt, ::std::optional<c10::SymInt> limit=::std::nullopt)",
            "at::Tensor tile_to(const at::Tensor & self, c10::SymIntArrayRef sizes, at::IntArrayRef stride=1, at::OptionalIntArrayRef dims=::std::nullopt, ::std::optional<c10::SymInt> limit=::std::nullopt)",
            "at::Tensor (*)(const at::Tensor &, c10::SymIntArrayRef, at::IntArrayRef, at::OptionalIntArrayRef, ::std::optional<c10::SymInt>)"
        ]
    );
    assert_eq!(group.signatures().count(), 2);
    assert_eq!(group.most_faithful_signature().name, "tile_to");
}

#[test]
fn dispatcher_with_prefix() {
    fn check(schema: &str, expected: &[&str]) {
        assert_eq!(
            Dispatcher::symbolic(Locals::default()).signature(&func(schema)).unwrap().prefixed("wrapper_").decl(),
            expected[0]
        );
    }
    check(
        PLAIN,
        &[
            "at::Tensor wrapper_scale_shift(const at::Tensor & self, const at::Scalar & factor, double shift, ::std::array<bool,2> mask)",
        ],
    );
    check(
        INTS,
        &[
            "at::Tensor wrapper_tile_to(const at::Tensor & self, c10::SymIntArrayRef sizes, at::IntArrayRef stride, at::OptionalIntArrayRef dims, ::std::optional<c10::SymInt> limit)",
        ],
    );
    check(
        FACTORY,
        &[
            "at::Tensor wrapper_grid(c10::SymIntArrayRef size, ::std::optional<double> step, ::std::optional<at::ScalarType> dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory, ::std::optional<at::MemoryFormat> memory_format)",
        ],
    );
    check(
        FACTORY_LONG,
        &[
            "at::Tensor wrapper_steps(int64_t n, at::ScalarType dtype, ::std::optional<at::Layout> layout, ::std::optional<at::Device> device, ::std::optional<bool> pin_memory)",
        ],
    );
    check(
        OUT,
        &[
            "::std::tuple<at::Tensor &,at::Tensor &> wrapper_split_norm_out(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, c10::string_view mode, at::Tensor & value, at::Tensor & norm)",
        ],
    );
    check(
        INPLACE,
        &[
            "at::Tensor & wrapper_clip_(at::Tensor & self, const ::std::optional<at::Scalar> & lo, ::std::optional<at::Generator> generator)",
        ],
    );
    check(
        LISTS,
        &[
            "::std::tuple<::std::vector<at::Tensor>,int64_t> wrapper_gather_all(at::TensorList tensors, const c10::List<::std::optional<at::Tensor>> & indices, at::ArrayRef<at::Scalar> weights, at::ArrayRef<c10::string_view> names)",
        ],
    );
    check(MUTABLE, &["void wrapper_update(const at::Tensor & self, at::Tensor & state, at::TensorList rest)"]);
    check(
        VIEW,
        &[
            "::std::vector<at::Tensor> wrapper_windows(const at::Tensor & self, c10::SymInt width, at::OptionalIntArrayRef dims, const ::std::optional<at::Tensor> & weight)",
        ],
    );
}

#[test]
fn dispatcher_forms() {
    let f = func(OUT);
    let sig = Dispatcher::symbolic(Locals::default()).signature(&f).unwrap();
    let forms = [sig.redispatch_defn_as("ns::split_norm_out::redispatch"), sig.ptr_type(), sig.function_type()];
    assert_eq!(
        forms,
        [
            "::std::tuple<at::Tensor &,at::Tensor &> ns::split_norm_out::redispatch(c10::DispatchKeySet dispatchKeySet, const at::Tensor & self, const ::std::optional<at::Tensor> & weight, c10::string_view mode, at::Tensor & value, at::Tensor & norm)",
            "::std::tuple<at::Tensor &,at::Tensor &> (*)(const at::Tensor &, const ::std::optional<at::Tensor> &, c10::string_view, at::Tensor &, at::Tensor &)",
            "::std::tuple<at::Tensor &,at::Tensor &> (const at::Tensor &, const ::std::optional<at::Tensor> &, c10::string_view, at::Tensor &, at::Tensor &)"
        ]
    );
    let f = func(INTS);
    let sig = Dispatcher { locals: Locals::default(), ..Dispatcher::default() }.signature(&f).unwrap();
    assert_eq!(
        sig.decl(),
        "at::Tensor tile_to(const at::Tensor & self, at::IntArrayRef sizes, at::IntArrayRef stride, at::OptionalIntArrayRef dims, ::std::optional<int64_t> limit)"
    );
}

#[test]
fn native_kernels() {
    fn check(schema: &str, expected: &[&str]) {
        assert_eq!(
            Native { sym_ints: SymInts::Numbers, locals: Locals::default() }.signature(&func(schema)).unwrap().decl(),
            expected[0]
        );
    }
    check(
        PLAIN,
        &[
            "at::Tensor scale_shift(const at::Tensor & self, const at::Scalar & factor=1, double shift=0.5, ::std::array<bool,2> mask=true)",
        ],
    );
    check(
        INTS,
        &[
            "at::Tensor tile_to(const at::Tensor & self, at::IntArrayRef sizes, at::IntArrayRef stride=1, at::OptionalIntArrayRef dims=::std::nullopt, ::std::optional<int64_t> limit=::std::nullopt)",
        ],
    );
    check(
        FACTORY,
        &[
            "at::Tensor grid(at::IntArrayRef size, ::std::optional<double> step=::std::nullopt, ::std::optional<at::ScalarType> dtype={}, ::std::optional<at::Layout> layout={}, ::std::optional<at::Device> device={}, ::std::optional<bool> pin_memory={}, ::std::optional<at::MemoryFormat> memory_format=::std::nullopt)",
        ],
    );
    check(
        FACTORY_LONG,
        &[
            "at::Tensor steps(int64_t n, ::std::optional<at::ScalarType> dtype={}, ::std::optional<at::Layout> layout={}, ::std::optional<at::Device> device={}, ::std::optional<bool> pin_memory={})",
        ],
    );
    check(
        OUT,
        &[
            "::std::tuple<at::Tensor &,at::Tensor &> split_norm_out_out(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, c10::string_view mode, at::Tensor & value, at::Tensor & norm)",
        ],
    );
    check(
        INPLACE,
        &[
            "at::Tensor & clip_(at::Tensor & self, const ::std::optional<at::Scalar> & lo=::std::nullopt, ::std::optional<at::Generator> generator=::std::nullopt)",
        ],
    );
    check(
        LISTS,
        &[
            "::std::tuple<::std::vector<at::Tensor>,int64_t> gather_all(at::TensorList tensors, const c10::List<::std::optional<at::Tensor>> & indices, at::ArrayRef<at::Scalar> weights, at::ArrayRef<c10::string_view> names)",
        ],
    );
    check(MUTABLE, &["void update(const at::Tensor & self, ::std::optional<at::Tensor> & state, at::TensorList rest)"]);
    check(
        VIEW,
        &[
            "::std::vector<at::Tensor> windows(const at::Tensor & self, int64_t width, at::OptionalIntArrayRef dims=::std::nullopt, const ::std::optional<at::Tensor> & weight={})",
        ],
    );
    let f = func(OUT);
    let sig = Native { sym_ints: SymInts::Numbers, locals: Locals::default() }.signature(&f).unwrap();
    assert_eq!(
        sig.ptr_type(),
        "::std::tuple<at::Tensor &,at::Tensor &> (*)(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, c10::string_view mode, at::Tensor & value, at::Tensor & norm)"
    );
}

#[test]
fn toggles() {
    fn check(schema: &str, expected: &[&str]) {
        let f = op(schema);
        let cpp = group(&f, false, false, CONST_REF_AND_ILISTREF).most_faithful_signature().decl();
        let native =
            Native { sym_ints: SymInts::Numbers, locals: CONST_REF_AND_ILISTREF }.signature(&f.func).unwrap().decl();
        assert_eq!([cpp, native], expected);
    }
    check(
        OUT,
        &[
            "::std::tuple<const at::Tensor &,const at::Tensor &> split_norm_outf(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, c10::string_view mode, const at::Tensor & value, const at::Tensor & norm)",
            "::std::tuple<const at::Tensor &,const at::Tensor &> split_norm_out_out(const at::Tensor & self, const ::std::optional<at::Tensor> & weight, c10::string_view mode, const at::Tensor & value, const at::Tensor & norm)",
        ],
    );
    check(
        INPLACE,
        &[
            "const at::Tensor & clip_(const at::Tensor & self, const ::std::optional<at::Scalar> & lo=::std::nullopt, ::std::optional<at::Generator> generator=::std::nullopt)",
            "const at::Tensor & clip_(const at::Tensor & self, const ::std::optional<at::Scalar> & lo=::std::nullopt, ::std::optional<at::Generator> generator=::std::nullopt)",
        ],
    );
    check(
        LISTS,
        &[
            "::std::tuple<::std::vector<at::Tensor>,int64_t> gather_all(const at::ITensorListRef & tensors, const c10::List<::std::optional<at::Tensor>> & indices, at::ArrayRef<at::Scalar> weights, at::ArrayRef<c10::string_view> names)",
            "::std::tuple<::std::vector<at::Tensor>,int64_t> gather_all(const at::ITensorListRef & tensors, const c10::List<::std::optional<at::Tensor>> & indices, at::ArrayRef<at::Scalar> weights, at::ArrayRef<c10::string_view> names)",
        ],
    );
    check(
        MUTABLE,
        &[
            "void update(const at::Tensor & self, const ::std::optional<at::Tensor> & state, const at::ITensorListRef & rest)",
            "void update(const at::Tensor & self, const ::std::optional<at::Tensor> & state, const at::ITensorListRef & rest)",
        ],
    );
    let mut f = op(LISTS);
    assert_eq!(Locals::for_operator(&f), Locals::default());
    f.structured = true;
    f.use_const_ref_for_mutable_tensors = true;
    assert_eq!(Locals::for_operator(&f), CONST_REF_AND_ILISTREF);
}

#[test]
fn arguments_without_default() {
    let mut f = op(PLAIN);
    f.cpp_no_default_args = BTreeSet::from(["factor".to_owned()]);
    let decl = group(&f, false, false, Locals::default()).signature.decl();
    assert_eq!(
        decl,
        "at::Tensor scale_shift(const at::Tensor & self, const at::Scalar & factor, double shift=0.5, ::std::array<bool,2> mask=true)"
    );
}

#[test]
fn kernels() {
    fn check(schema: &str, kernel: &str, external: bool, expected: Result<&str, &str>) {
        let f = op(schema);
        let metadata =
            BackendMetadata { kernel: kernel.to_owned(), structured: false, cpp_namespace: "at::native".to_owned() };
        let index = BackendIndex {
            external,
            index: [(f.func.name.clone(), metadata)].into_iter().collect(),
            ..BackendIndex::empty(DispatchKey::CPU)
        };
        let sig = kernel_signature(&f, &index, Locals::default());
        match expected {
            Ok(decl) => assert_eq!(sig.unwrap().prefixed("p_").decl(), decl),
            Err(message) => assert_eq!(sig.unwrap_err().message(), message),
        }
    }
    check("k(Tensor x, SymInt n=1) -> Tensor", "k", false, Ok("at::Tensor p_k(const at::Tensor & x, int64_t n=1)"));
    check(
        "k(Tensor x, SymInt n=1) -> Tensor",
        "k_symint",
        false,
        Ok("at::Tensor p_k(const at::Tensor & x, c10::SymInt n=1)"),
    );
    check("k(Tensor x, SymInt n=1) -> Tensor", "k", true, Ok("at::Tensor p_k(const at::Tensor & x, int64_t n)"));
    check(
        "k(Tensor x) -> Tensor",
        "k_symint",
        false,
        Err("the CPU kernel of `k` takes SymInts, but its schema has none"),
    );
}

#[test]
fn errors() {
    fn check(schema: &str, expected: &str) {
        let f = op(schema);
        let error = CppSignatureGroup::from_native_function(&f, BindingKind::FUNCTION, Locals::default()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    check("f(bool[] mask) -> Tensor", "TG0511: argument `mask`: a list of `bool` needs a size, as in `bool[3]`");
    check("f(GraphModule m) -> Tensor", "TG0511: argument `m`: type `GraphModule` has no C++ type");
    check("f(int[] n=3) -> Tensor", "TG0512: argument `n`: default `3` of a list must be a list, as in `[1, 2]`");
    check("f(Tensor x) -> int[2]", "TG0513: a returned list can't have a size, as `int[2]` has");
    check("f(Tensor x) -> Scalar?", "TG0513: type `Scalar?` can't be returned");
    check("f(Tensor x) -> bool[]", "TG0513: a list of `bool` needs a size, as in `bool[3]`");
}

#[test]
fn names_of_returns() {
    fn check(schema: &str, expected: &[&str]) {
        assert_eq!(cpp::return_names(&op(schema), "result").unwrap(), expected);
    }
    check(PLAIN, &["result"]);
    check(LISTS, &["result0", "result1"]);
    check(OUT, &["value", "norm"]);
    check(INPLACE, &["self"]);
    check("f(Tensor a) -> (Tensor a, Tensor b)", &["a_return", "b"]);
    check(MUTABLE, &[]);
}

#[test]
fn dictionaries() {
    let f = func("f(Dict(str, Tensor) d) -> Dict(int, float)");
    let sig = Dispatcher::symbolic(Locals::default()).signature(&f).unwrap();
    assert_eq!(sig.decl(), "c10::Dict<int64_t, double> f(c10::Dict<::std::string, at::Tensor> d)");
}
