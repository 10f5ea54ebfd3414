//! The forms of registrations that are read.

use super::{check, read};

#[test]
fn blocks_and_chains() {
    check(
        "namespace a::b { namespace {
        TORCH_LIBRARY_FRAGMENT(ns, lib) {
          lib.def(\"f(Tensor x) -> Tensor\").impl(\"f\", &f);
        #ifdef GPU
          if (true) { lib.def(\"g(\" \"int x) -> int\"); }
        #else
          lib.def(\"h() -> ()\");
        #endif
          other.def(\"i() -> ()\");
        } } }
        STABLE_TORCH_LIBRARY_IMPL(ns, CPU, m) { m.impl(\"g\", TORCH_BOX(&g)); }",
        &[
            "ns def(f(Tensor x) -> Tensor)",
            "ns impl(f; &f)",
            "ns def(g(int x) -> int) if defined(GPU)",
            "ns def(h() -> ()) if not defined(GPU)",
            "ns[CPU] impl(g; TORCH_BOX(&g))",
        ],
    );
}

#[test]
fn a_string_over_lines() {
    for end in ["\n", "\r\n"] {
        let body = format!("m.def(\"f(Tensor x, \\{end}int y) -> Tensor\");{end}m.def(\"g() -> ()\");{end}");
        check(
            &format!("TORCH_LIBRARY(ns, m) {{{end}{body}}}{end}"),
            &["ns def(f(Tensor x, int y) -> Tensor)", "ns def(g() -> ())"],
        );
    }
}

#[test]
fn what_no_compiler_reads() {
    check(
        "TORCH_LIBRARY(ns, m) {
          // m.def(\"a() -> ()\");
        #if 0 // later
          m.def(\"b() -> ()\");
        #else
          m.def(\"c() -> ()\");
        #endif
        #if defined(GPU) || \\
            defined(TPU) /* both */
          m.def(\"d() -> ()\");
        #endif
        }
        #if 0
        TORCH_LIBRARY(other, m) { m.def(\"e() -> ()\"); }
        #endif",
        &["ns def(c() -> ())", "ns def(d() -> ()) if defined(GPU) or defined(TPU)"],
    );
}

#[test]
fn register_operators() {
    check(
        "torch::RegisterOperators none;
        static auto all = torch::RegisterOperators().op(\"ns::f() -> ()\", &f).op(\"ns::g\", &g);
        torch::RegisterOperators named(\"ns::h() -> ()\", &h);",
        &[" op(ns::f() -> (); &f)", " op(ns::g; &g)", " def(ns::h() -> (); &h)"],
    );
}

#[test]
fn libraries_that_functions_get() {
    check(
        "namespace a { static void add_g(torch::Library &lib, int level) noexcept {
          lib.def(\"g() -> ()\");
        #ifdef GPU
          detail::add_h(level, lib);
        #endif
          add_g(lib, level - 1);
        } }
        void add_h(int level, torch::Library& m) { m.impl(\"h\", &h); }
        void declared(torch::Library& m);
        TORCH_LIBRARY_FRAGMENT(ns, m) {
          a::add_g(m, 3);
          declared(m);
          unknown(other, m);
        }
        TORCH_LIBRARY_IMPL(ns, CPU, m) { add_h(1, m); }",
        &["ns def(g() -> ())", "ns impl(h; &h) if defined(GPU)", "ns[CPU] impl(h; &h)"],
    );
    let declared = "void add(torch::Library& m);\nTORCH_LIBRARY(ns, m) { add(m); }\n";
    let defined = "void add(torch::Library& m) { m.def(\"f() -> ()\"); }\n";
    assert_eq!(read(&[("a.cpp", declared), ("b.cpp", defined)]), ["ns def(f() -> ())"]);
}

#[test]
fn kernels_of_any_form() {
    check(
        "TORCH_LIBRARY_IMPL(ns, CPU, m) {
          m.impl(\"a\", &f<3, float>);
          m.impl(\"b\", [](const Tensor& x) { return x; });
          m.impl(\"c\", torch::dispatch(c10::DispatchKey::CPU, TORCH_FN((f<A, B>))));
          m.class_<Map<A, B>>(\"Map\").def(\"get\", &Map::get);
          m.set_python_module(\"a.b\");
        }",
        &[
            "ns[CPU] impl(a; &f<3, float>)",
            "ns[CPU] impl(b; [](const Tensor& x) { return x; })",
            "ns[CPU] impl(c; torch::dispatch(c10::DispatchKey::CPU, TORCH_FN((f<A, B>))))",
            "ns[CPU] class_(Map)",
            "ns[CPU] set_python_module(a.b)",
        ],
    );
}

#[test]
fn places_of_literals() {
    use crate::Literal;
    use torchgen_base::diag::{FileId, Span};
    let mut literal = Literal::default();
    literal.add("\"a\\\"b\"", Span::new(FileId(0), 1, 7), true);
    literal.add("R\"x(c\"d)x\"", Span::new(FileId(0), 8, 18), true);
    assert_eq!(literal.text, "a\"bc\"d");
    let range = |range| {
        let place = literal.place(range);
        (place.start, place.end)
    };
    assert_eq!((range(2..3), range(3..4), range(6..6).0), ((5, 6), (12, 13), 17));
}

#[test]
fn modules_of_pybind11() {
    check(
        "void add_k(py::module_& m, int level);
        namespace { void add_g(int level, py::module m) {
          m.def(\"g\", &g);
        #ifdef GPU
          add_k(m, level);
        #endif
        } }
        PYBIND11_MODULE(shop, m, py::mod_gil_not_used()) {
          m.doc() = \"sells\";
          m.def(\"f\", &a::f, py::arg(\"x\"), py::arg(\"n\") = 3, \"sells it\").def(\"f2\", &f2);
          m.def(\"l\", [](const at::Tensor& x) { return x; });
          m.def(\"o\", py::overload_cast<const at::Tensor&, int>(&o));
          m.def(\"s\", static_cast<at::Tensor (*)(const at::Tensor&, int)>(&s), \"x\"_a, \"n\"_a = 1);
        #ifdef GPU
          auto fast = m.def_submodule(\"fast\");
          fast.def(\"h\", &h);
        #endif
          add_g(1, m);
          py::class_<A, B>(m, \"A\").def(\"get\", &A::get);
          py::enum_<E> e(m, \"E\");
          m.attr(\"x\") = py::cast(m.attr(\"y\"));
        }",
        &[
            "shop doc()",
            "shop def(f; &a::f; py::arg(\"x\"); py::arg(\"n\") = 3; sells it)",
            "shop def(f2; &f2)",
            "shop def(l; [](const at::Tensor& x) { return x; })",
            "shop def(o; py::overload_cast<const at::Tensor&, int>(&o))",
            "shop def(s; static_cast<at::Tensor (*)(const at::Tensor&, int)>(&s); \"x\"_a; \"n\"_a = 1)",
            "shop def_submodule(fast) if defined(GPU)",
            "shop def(h; &h) if defined(GPU)",
            "shop py::class_<A, B>()",
            "shop attr(x)",
            "shop def(g; &g)",
            "shop add_k() if defined(GPU)",
            "shop e()",
        ],
    );
}
