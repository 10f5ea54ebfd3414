//! Translation between conventions.

use super::*;
use crate::CallingConvention;
use crate::cpp::BindingKind;
use crate::dispatcher::Dispatcher;
use crate::functionalization::Ownership;
use crate::native::Native;
use crate::translate::translate_call;
use crate::{
    ApiError, BaseCppType, Binding, CType, CppSignatureGroup, Expr, Mode, NamedCType, SymInts, cpp, functionalization,
    translate, translate_with,
};

/// The parameters of a convention, by its name: `cpp`, `faithful`, `symint`, `method`,
/// `dispatcher`, `native`.
fn parameters<'a>(f: &'a NativeFunction, convention: &str) -> Vec<Binding<'a>> {
    let style = cpp::Cpp {
        faithful: convention == "faithful",
        sym_ints: SymInts::kept_if(convention == "symint"),
        fallback_binding: false,
        method: convention == "method",
        cpp_no_default_args: &f.cpp_no_default_args,
        locals: Locals::default(),
    };
    match convention {
        "dispatcher" => Dispatcher::symbolic(style.locals).arguments(&f.func),
        "native" => Native { sym_ints: SymInts::Numbers, locals: style.locals }.arguments(&f.func),
        _ => style.arguments(&f.func),
    }
    .unwrap()
}

#[test]
fn between_conventions() {
    fn check(schema: &str, from: &str, to: &str, expected: &[&str]) {
        let f = op(schema);
        let mode = Mode { method: from == "method", ..Mode::default() };
        let exprs = translate_with(&parameters(&f, from), &parameters(&f, to), mode).unwrap();
        assert_eq!(exprs.iter().map(|e| &*e.expr).collect::<Vec<_>>(), expected);
    }
    check(
        FACTORY,
        "cpp",
        "dispatcher",
        &[
            "c10::fromIntArrayRefSlow(size)",
            "step",
            "c10::optTypeMetaToScalarType(options.dtype_opt())",
            "options.layout_opt()",
            "options.device_opt()",
            "options.pinned_memory_opt()",
            "c10::impl::check_tensor_options_and_extract_memory_format(options, memory_format)",
        ],
    );
    check(
        FACTORY,
        "symint",
        "dispatcher",
        &[
            "size",
            "step",
            "c10::optTypeMetaToScalarType(options.dtype_opt())",
            "options.layout_opt()",
            "options.device_opt()",
            "options.pinned_memory_opt()",
            "c10::impl::check_tensor_options_and_extract_memory_format(options, memory_format)",
        ],
    );
    check(
        FACTORY,
        "faithful",
        "symint",
        &[
            "c10::fromIntArrayRefSlow(size)",
            "step",
            "TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory)",
            "memory_format",
        ],
    );
    check(
        INTS,
        "dispatcher",
        "native",
        &[
            "self",
            "C10_AS_INTARRAYREF_SLOW(sizes)",
            "stride",
            "dims",
            "limit.has_value() ? ::std::make_optional(limit->guard_int(__FILE__, __LINE__)) : ::std::nullopt",
        ],
    );
    check(
        INTS,
        "native",
        "dispatcher",
        &[
            "self",
            "c10::fromIntArrayRefSlow(sizes)",
            "stride",
            "dims",
            "limit.has_value() ? ::std::make_optional(c10::SymInt(*limit)) : ::std::nullopt",
        ],
    );
    check(INPLACE, "method", "dispatcher", &["const_cast<Tensor&>(*this)", "lo", "generator"]);
    check(OUT, "cpp", "faithful", &["self", "weight", "mode", "value", "norm"]);
    check(LISTS, "dispatcher", "cpp", &["tensors", "indices", "weights", "names"]);
}

#[test]
fn values() {
    use BaseCppType::*;
    fn check(from: CType, to: CType, expensive: bool, expected: Option<&str>) {
        let mode = Mode { allow_expensive_conversions: expensive, ..Mode::default() };
        let facts = [Expr::new("e", NamedCType::new("x", from))];
        let found = translate_with(&facts, [NamedCType::new("x", to)], mode);
        assert_eq!(found.ok().map(|exprs| exprs[0].expr.to_string()).as_deref(), expected, "{from} -> {to}");
    }
    let of = CType::base;
    check(of(Tensor), of(Tensor).const_ref(), false, Some("e"));
    check(of(Tensor).mut_ref(), of(Tensor).const_ref(), false, Some("e"));
    check(of(Tensor).const_ref(), of(Tensor).mut_ref(), false, Some("const_cast<Tensor&>(e)"));
    check(of(Tensor).const_ref(), of(Tensor), false, None);
    check(of(Tensor).const_ref(), of(Tensor), true, Some("e"));
    check(
        of(Tensor).optional().const_ref(),
        of(OptionalTensorRef),
        false,
        Some("((e.has_value() && (*e).defined()) ? at::OptionalTensorRef(*e) : at::OptionalTensorRef())"),
    );
    check(of(Tensor).optional(), of(OptionalTensorRef), false, Some("e"));
    check(of(Tensor).optional().const_ref(), of(Tensor).optional(), true, Some("e"));
    check(of(Tensor).optional().list().const_ref(), of(IOptTensorListRef), false, Some("at::IOptTensorListRef(e)"));
    check(of(Scalar).const_ref(), of(OpmathT), false, Some("(e).to<opmath_t>()"));
    check(of(ScalarT), of(OpmathT), false, Some("static_cast<opmath_t>(e)"));
    check(
        of(Scalar).optional().const_ref(),
        of(OptionalScalarRef),
        false,
        Some("(e.has_value() ? at::OptionalScalarRef(&(e.value())) : at::OptionalScalarRef())"),
    );
    check(
        of(OptionalScalarRef),
        of(Scalar).optional(),
        true,
        Some("e.has_value() ? ::std::make_optional(e) : ::std::nullopt"),
    );
    check(of(Long).vector(), of(IntArrayRef), false, Some("e"));
    check(of(IntArrayRef), of(Long).array_ref(), false, Some("e"));
    check(of(SymIntArrayRef), of(Long).array_ref(), false, Some("C10_AS_INTARRAYREF_SLOW(e)"));
    check(of(IntArrayRef), of(Long).vector(), false, None);
    check(of(IntArrayRef), of(Long).vector(), true, Some("e.vec()"));
    check(of(SymIntArrayRef), of(SymInt).vector(), true, Some("e.vec()"));
    check(of(Long), of(SymInt), false, Some("e"));
    check(of(SymInt), of(Long), false, Some("e.guard_int(__FILE__, __LINE__)"));
    check(
        of(OptionalSymIntArrayRef),
        of(OptionalIntArrayRef),
        false,
        Some("e.has_value() ? ::std::make_optional(C10_AS_INTARRAYREF_SLOW(*e)) : ::std::nullopt"),
    );
    check(
        of(OptionalIntArrayRef),
        of(OptionalSymIntArrayRef),
        false,
        Some("e.has_value() ? ::std::make_optional(c10::fromIntArrayRefSlow(*e)) : ::std::nullopt"),
    );
    check(
        of(OptionalIntArrayRef),
        of(Long).vector().optional(),
        true,
        Some("e.has_value() ? ::std::make_optional(e->vec()) : ::std::nullopt"),
    );
    check(of(Long), of(Double), true, None);
}

#[test]
fn options_from_an_out_tensor() {
    let options = |name, ty| NamedCType::new(name, CType::base(ty).optional());
    let facts = [Expr::new("out", NamedCType::new("out", CType::base(BaseCppType::Tensor).mut_ref()))];
    let goals = [
        options("dtype", BaseCppType::ScalarType),
        options("layout", BaseCppType::Layout),
        options("device", BaseCppType::Device),
        options("pin_memory", BaseCppType::Bool),
    ];
    let exprs: Vec<_> = translate(&facts, &goals).unwrap().into_iter().map(|e| e.expr).collect();
    assert_eq!(exprs, ["out.scalar_type()", "out.layout()", "out.device()", "::std::nullopt"]);
}

#[test]
fn calls_with_a_memory_format() {
    let f = op(FACTORY);
    let dispatcher = Dispatcher::symbolic(Locals::default()).signature(&f.func).unwrap();
    let group = CppSignatureGroup::from_native_function(&f, BindingKind::FUNCTION, Locals::default()).unwrap();
    let target = group.symint_signature.as_ref().unwrap();
    assert!(translate(&dispatcher.arguments, &target.arguments).is_err());
    let exprs: Vec<_> = translate_call(&dispatcher, target).unwrap().into_iter().map(|e| e.expr).collect();
    let options = "TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory)";
    assert_eq!(exprs, ["size", "step", options, "memory_format"]);
}

#[test]
fn later_facts_win() {
    let name = |ty| NamedCType::new("x", CType::base(ty));
    let facts = [Expr::new("a", name(BaseCppType::Long)), Expr::new("b", name(BaseCppType::Long))];
    assert_eq!(translate(&facts, [name(BaseCppType::SymInt)]).unwrap()[0].expr, "b");
}

#[test]
fn outside_namespace_at() {
    let f = op(FACTORY);
    let mode = Mode { outside_at: true, ..Mode::default() };
    let exprs = translate_with(&parameters(&f, "faithful"), &parameters(&f, "cpp"), mode).unwrap();
    assert_eq!(
        exprs[2].expr,
        "at::TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory)"
    );
}

#[test]
fn captures_own_their_values() {
    let f = func(VIEW);
    let given = functionalization::extra_ctor_arguments(&f, Locals::default()).unwrap();
    let kept = functionalization::attributes(&f, Ownership::Owns, Locals::default()).unwrap();
    assert!(translate(&given, &kept).is_err());
    let mode = Mode { allow_expensive_conversions: true, ..Mode::default() };
    let exprs: Vec<_> = translate_with(&given, &kept, mode).unwrap().into_iter().map(|e| e.expr).collect();
    assert_eq!(exprs, ["reapply_views", "inverse_return_mode", "width", "dims", "weight"]);
}

#[test]
fn unsatisfied() {
    let f = op("f(Tensor x, int n) -> Tensor");
    let goal = NamedCType::new("y", BaseCppType::Double);
    let failure = translate(&parameters(&f, "dispatcher"), [goal]).unwrap_err();
    assert_eq!(failure.to_string(), "`double y` cannot be made from the values in scope");
    let error = ApiError::from(failure);
    assert_eq!(error.code().id, "TG0514");
    assert_eq!(error.argument(), Some("y"));
    assert_eq!(
        error.notes(),
        ["in scope: `const at::Tensor & x` as `x`".to_owned(), "in scope: `int64_t n` as `n`".to_owned()]
    );
}
