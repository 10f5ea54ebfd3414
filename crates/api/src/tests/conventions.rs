//! Structured kernels, ufuncs and functionalization.

use super::*;
use crate::CallingConvention;
use crate::functionalization::{Ownership, SymbolicCheck, ViewInverse};
use crate::meta::Meta;
use crate::{BaseCppType, Binding, CType, functionalization, joined, structured, translate, ufunc};
use torchgen_model::model::{DispatchKey, Language, native_function::Precompute};

fn decls(bindings: &[Binding<'_>]) -> Vec<String> {
    bindings.iter().map(Binding::decl).collect()
}

#[test]
fn structured_parameters() {
    fn check(schema: &str, expected: &[&str]) {
        assert_eq!(decls(&Meta::default().arguments(&func(schema)).unwrap()), expected);
    }
    check(
        PLAIN,
        &["const at::Tensor & self", "const at::Scalar & factor", "double shift", "::std::array<bool,2> mask"],
    );
    check(
        INTS,
        &[
            "const at::Tensor & self",
            "at::ArrayRef<int64_t> sizes",
            "at::IntArrayRef stride",
            "at::OptionalIntArrayRef dims",
            "::std::optional<int64_t> limit",
        ],
    );
    check(
        LISTS,
        &[
            "const at::ITensorListRef & tensors",
            "at::IOptTensorListRef indices",
            "at::ArrayRef<const at::Scalar &> weights",
            "at::ArrayRef<c10::string_view> names",
        ],
    );
    check(
        INPLACE,
        &["const at::Tensor & self", "at::OptionalScalarRef lo", "::std::optional<at::Generator> generator"],
    );
    let f = func(FACTORY);
    let error = Meta::default().arguments(&f).unwrap_err();
    assert_eq!(error.to_string(), "TG0515: argument `dtype`: structured kernels can't take tensor options");
    assert_eq!(Meta::default().name(&func("split_norm.dim(Tensor self) -> Tensor")), "split_norm_dim");
}

#[test]
fn precomputed_parameters() {
    let mut out = op("pick.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)");
    let dim = parse::schema::argument("int wrapped_dim", Language::Torchgen).unwrap();
    let count = parse::schema::argument("int count", Language::Torchgen).unwrap();
    out.precomputed =
        Some(Precompute { replace: [("dim".to_owned(), vec![dim])].into_iter().collect(), add: vec![count] });
    let sig = structured::signature(&out, "pick_kernel").unwrap();
    assert_eq!(
        sig.defn(),
        "TORCH_IMPL_FUNC(pick_kernel)(const at::Tensor & self, int64_t wrapped_dim, int64_t count, const at::Tensor & out)"
    );
}

#[test]
fn ufuncs() {
    let functional = func("blend(Tensor self, Tensor other, *, Scalar alpha=1, int n=2) -> Tensor");
    let out = op("blend.out(Tensor self, Tensor other, *, Scalar alpha=1, int n=2, Tensor(a!) out) -> Tensor(a!)");
    let call = ufunc::FunctorCall { scalar_tensor: Some(1) };
    let constructor = call.constructor_arguments(&functional).unwrap();
    assert_eq!(decls(&constructor), ["opmath_t other", "opmath_t alpha", "int64_t n"]);
    assert_eq!(call.signature(&functional).unwrap().decl(), "scalar_t operator()(scalar_t self)");
    let opmath = CType::base(BaseCppType::OpmathT);
    let inner = ufunc::InnerLoop { name: "blend", compute_t: opmath }.signature(&functional).unwrap();
    assert_eq!(inner.decl(), "opmath_t ufunc::blend(opmath_t self, opmath_t other, opmath_t alpha, int64_t n)");
    let convention = ufunc::StubKernel { functional: &functional };
    let stub = convention.signature(&out.func).unwrap();
    let sig = structured::signature(&out, ufunc::schema_kernel_name(&out.func, DispatchKey::CPU).unwrap()).unwrap();
    assert_eq!([convention.name_of_kind("stub"), convention.name_of_kind("fn")], ["blend_stub", "blend_fn"]);
    assert_eq!(stub.defn(), "void blend_kernel(const at::Scalar & alpha, int64_t n)");
    assert_eq!(joined(&translate(&sig.arguments, &stub.arguments).unwrap()), "alpha, n");
    assert_eq!(
        sig.defn(),
        "TORCH_IMPL_FUNC(ufunc_blend_CPU)(const at::Tensor & self, const at::Tensor & other, const at::Scalar & alpha, int64_t n, const at::Tensor & out)"
    );
    assert!(ufunc::schema_kernel_name(&functional, DispatchKey::CPU).is_err());
    assert!(ufunc::FunctorCall { scalar_tensor: Some(2) }.arguments(&functional).is_err());
}

#[test]
fn view_metas() {
    let view = func(VIEW);
    let locals = Locals::default();
    assert_eq!(
        functionalization::classname(&view, Some(functionalization::AT_VIEW_METAS)),
        "at::functionalization::windows_ViewMeta"
    );
    assert_eq!(
        functionalization::reverse_name(&view, Some(functionalization::AT_INVERSES)),
        "at::functionalization::FunctionalInverses::windows_inverse"
    );
    assert_eq!(functionalization::forward_name(&view, "ns::_ops"), "ns::_ops::windows::call");
    assert_eq!(
        decls(&functionalization::attributes(&view, Ownership::Owns, locals).unwrap()),
        [
            "bool reapply_views",
            "at::functionalization::InverseReturnMode inverse_return_mode",
            "c10::SymInt width",
            "at::OptionalIntArrayRef dims",
            "::std::optional<at::Tensor> weight"
        ]
    );
    let mut ctor = functionalization::base_ctor_arguments(&view);
    ctor.extend(functionalization::extra_ctor_arguments(&view, locals).unwrap());
    assert_eq!(
        decls(&ctor),
        [
            "bool has_symbolic_inputs",
            "int64_t out_index",
            "bool reapply_views",
            "at::functionalization::InverseReturnMode inverse_return_mode",
            "c10::SymInt width",
            "at::OptionalIntArrayRef dims",
            "const ::std::optional<at::Tensor> & weight"
        ]
    );
    assert_eq!(
        decls(&functionalization::replay_arguments(&view, locals).unwrap()),
        [
            "const at::Tensor & base",
            "c10::SymInt width",
            "at::OptionalIntArrayRef dims",
            "const ::std::optional<at::Tensor> & weight"
        ]
    );
    assert_eq!(
        ViewInverse { locals }.signature(&view).unwrap().decl(),
        "at::Tensor windows_inverse(const at::Tensor & base, const at::Tensor & mutated_view, at::functionalization::InverseReturnMode inverse_return_mode, int64_t out_index, c10::SymInt width, at::OptionalIntArrayRef dims, const ::std::optional<at::Tensor> & weight)"
    );
    let error = functionalization::attributes(&func("f(int n) -> Tensor"), Ownership::Owns, locals).unwrap_err();
    assert_eq!(error.to_string(), "TG0515: argument `n`: the first argument of view `f` must be a `Tensor`");
}

#[test]
fn symbolic_values() {
    fn check(ty: CType, optional: bool, list: bool) {
        let expected = SymbolicCheck { name: "x".into(), optional, list };
        assert_eq!(SymbolicCheck::new("x", &ty).unwrap(), expected);
    }
    check(CType::base(BaseCppType::SymInt), false, false);
    check(CType::base(BaseCppType::SymInt).optional(), true, false);
    check(CType::base(BaseCppType::SymIntArrayRef), false, true);
    check(CType::base(BaseCppType::SymInt).vector(), false, true);
    check(CType::base(BaseCppType::OptionalSymIntArrayRef), true, true);
    assert!(SymbolicCheck::new("x", &CType::base(BaseCppType::Bool)).is_err());
}

#[test]
fn owned_lists() {
    fn check(ty: BaseCppType, owner: &str, expr: &str) {
        let (found, how) = functionalization::owned("x", ty.into());
        assert_eq!((found.cpp_type(), how.as_str()), (owner, expr));
    }
    check(BaseCppType::TensorList, "::std::vector<at::Tensor>", "x.vec()");
    check(BaseCppType::ITensorListRef, "::std::vector<at::Tensor>", "{x.begin(), x.end()}");
    check(BaseCppType::IntArrayRef, "at::IntArrayRef", "x");
}
