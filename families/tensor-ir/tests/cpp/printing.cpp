// Printed forms, the places of nodes in them, and what the parser says of texts that are wrong.
#include "check.h"
#include "comparer.h"
#include "easy_build.h"
#include "module.h"
#include "parser.h"
#include "printer.h"
#include "suites.h"

#include <iomanip>

using namespace tir;
using namespace tir::builder;

namespace {

void forms() {
    expr a = make_var(datatypes::s32, "a"), b = make_var(datatypes::s32, "b");
    CHECK_TEXT(text_of(a + b), "(a + b)");
    CHECK_TEXT(text_of(a % b <= b - a), "((a % b) <= (b - a))");
    CHECK_TEXT(text_of(!(a == b)), "!((a == b))");
    CHECK_TEXT(text_of(make_select(a < b, a, b)), "((a < b)?a:b)");
    CHECK_TEXT(text_of(make_cast(sc_data_type_t::f32(16), a)), "f32x16(a)");
    CHECK_TEXT(text_of(make_max(a, make_abs(b))), "max(a, abs(b))");
    CHECK_TEXT(text_of((a & b) << 2), "shl(int_and(a, b), 2)");
    CHECK_TEXT(text_of(make_phi({a, b})), "phi(a, b)");
    CHECK_TEXT(text_of(make_phi({a, b}, true)), "phi(a, b loop)");
    CHECK_TEXT(text_of(expr(make_expr<low_level_intrin_node>(low_level_intrin_kind::x86_general, 3, std::vector<expr> {a}))), "x86_general.3(a)");
    expr t = make_tensor("T", {4, 8}, datatypes::f32), mask = make_var(datatypes::boolean, "m");
    CHECK_TEXT(text_of(t[{a, 1}].get()), "T[a, 1]");
    CHECK_TEXT(text_of(make_indexing(t, {a, 1}, 16)), "T[a, 1 @ 16]");
    CHECK_TEXT(text_of(make_indexing(t, {a, 1}, 16, mask)), "T[a, 1 @ 16 M= m]");
    CHECK_TEXT(text_of(tensor_ptr(t, {a, 0})), "&T[a, 0]");
    _decl_func_(datatypes::f32, f, _arg_("x", datatypes::f32));
    CHECK_TEXT(text_of(f(2.5f)), "f(2.5)");
    CHECK_TEXT(text_of(make_func_addr(f)), "&f");
    CHECK_TEXT(text_of(expr(make_expr<call_node>(f, std::vector<expr> {1.5f}, std::vector<call_node::parallel_attr_t> { {0, 4, 1} }))), "f(1.5)@parallel([0, 4, 1], )");
    CHECK_TEXT(text_of(make_var_tensor_def_unattached(a, linkage::static_local, 3)), "static var a: s32 = 3");
    CHECK_TEXT(text_of(make_var_tensor_def_unattached(t, linkage::private_global)), "private tensor T: [f32 * 4 * 8]");
    expr far = make_tensor("F", {16}, datatypes::bf16, address_space::device, tensor_node::get_zero_tensor_initializer());
    CHECK_TEXT(text_of(make_var_tensor_def_unattached(far, linkage::public_global)), "public tensor F: [bf16 * 16] device{zero_init}");
    CHECK_TEXT(text_of(make_evaluate_unattached(a)), "evaluate{a}");
    CHECK_TEXT(text_of(make_returns_unattached(a)), "return a");
    CHECK_TEXT(text_of(make_returns_unattached()), "return");
    CHECK_TEXT(text_of(make_for_loop_unattached(a, 0, 8, 1, make_stmts_unattached({make_evaluate_unattached(a)}), true, for_type::PARALLEL, 4)),
        "for a in (0, 8, 1) parallel (4){\n  evaluate{a}\n}");
    CHECK_TEXT(text_of(make_if_else_unattached(a < b, make_stmts_unattached({}), make_stmts_unattached({make_assign_unattached(a, b)}))),
        "if ((a < b)) {\n} else {\n  a = b\n}");
}

void literals() {
    CHECK_TEXT(text_of(expr(1)), "1");
    CHECK_TEXT(text_of(expr(-7)), "-7");
    CHECK_TEXT(text_of(expr(1.5f)), "1.5");
    CHECK_TEXT(text_of(expr(1.2f)), "1.20000005");
    CHECK_TEXT(text_of(expr(2.0f)), "2.f");
    CHECK_TEXT(text_of(expr(UINT64_C(5))), "5UL");
    CHECK_TEXT(text_of(expr(true)), "true");
    CHECK_TEXT(text_of(make_constant({1.0f, 2.5f}, sc_data_type_t::f32(2))), "(1.f, 2.5)");
    CHECK_TEXT(text_of(make_constant({UINT64_C(1), UINT64_C(0)}, sc_data_type_t::boolean(2))), "(true, false)");
    CHECK_TEXT(text_of(expr(make_expr<constant_node>(UINT64_C(16), datatypes::pointer))), "((void*)16)");
    CHECK_TEXT(text_of(expr(make_expr<constant_node>(1.5f, datatypes::bf16))), "16320UL");
    // No literal is too large, and the stream is as it was.
    CHECK_TEXT(text_of(expr(1e30f)), "1.00000002e+30.f");
    std::ostringstream os;
    os << std::setprecision(3) << expr(1.2f) << ' ' << 1.23456;
    CHECK_TEXT(os.str(), "1.20000005 1.23");
    CHECK_TEXT(text_of(sc_expr_type::low_level_intrin), "sc_expr_type::low_level_intrin");
    CHECK_TEXT(text_of(sc_stmt_type::define), "sc_stmt_type::define");
    for (int at = 0; at < static_cast<int>(intrin_type::NUM_INTRINSICS); at++)
        CHECK(text_of(static_cast<intrin_type>(at)).find("unrecognized") == std::string::npos);
    CHECK_TEXT(text_of(intrin_type::prefetch), "intrin_type::prefetch");
    CHECK_TEXT(text_of(linkage::static_local), "linkage::static_local");
    CHECK_TEXT(text_of(for_type::PARALLEL), "for_type::PARALLEL");
    const std::pair<sc_data_type_t, const char *> types[] = {{datatypes::f16, "f16"}, {datatypes::bf16, "bf16"},
        {datatypes::s8, "s8"}, {datatypes::u16, "u16"}, {datatypes::boolean, "bool"}, {datatypes::void_t, "void"},
        {datatypes::pointer, "pointer"}, {sc_data_type_t::f32(8), "f32x8"}, {datatypes::f32.get_pointerof(), "f32*"},
        {datatypes::undef, "undef"}, {datatypes::index, "index"}, {sc_data_type_t::bf16(512, 16), "bf16x16x32"}};
    for (const auto &type : types) {
        sc_data_type_t read;
        CHECK_TEXT(text_of(type.first), type.second);
        CHECK(parse_dtype(type.second, read) && read == type.first);
    }
}

void places() {
    ir_builder_t bld;
    for_loop outer;
    stmt inner;
    _function_(datatypes::void_t, kernel, _arg_("A", datatypes::f32, {8, 8}), _arg_("n", datatypes::s32)) {
        _bind_(A, n);
        _tensor_(view, datatypes::s32, n);
        bld.get_current_scope().as_seq().back().checked_as<define>()->init_ = tensor_ptr(A, {3, 0});
        bld.get_current_scope().as_seq().back()->attr()["comments"] = std::vector<std::string> {"one", "two"};
        _named_for_(outer, i, 0, 8) {
            A[{i, 0}] = A[{i, 0}] + A[{i, 1}] * A[{i, 2}];
            inner = bld.get_current_scope().as_seq().back();
        }
    }
    auto module = ir_module_t::from_entry_func(get_default_context(), kernel);
    std::ostringstream os;
    print_ir_and_annotate_source_pos(*module, os);
    CHECK_TEXT(os.str(),
        "func kernel(A: [f32 * 8 * 8], n: s32): void {\n"
        "  // one\n"
        "  // two\n"
        "  tensor view: [s32 * n] = &A[3, 0]\n"
        "  for i in (0, 8, 1) {\n"
        "    A[i, 0] = (A[i, 0] + (A[i, 1] * A[i, 2]))\n"
        "  }\n"
        "}\n");
    auto place = [](auto &node) { return node->attr().template get<source_pos>("source_pos"); };
    CHECK(place(kernel) == (source_pos {1, 1}));
    CHECK(place(outer) == (source_pos {2, 5}));
    CHECK(place(inner) == (source_pos {4, 6}));
    expr product = inner.static_as<assign>()->value_.static_as<add>()->r_;
    CHECK(place(product) == (source_pos {25, 6}));
    std::ostringstream marked;
    print_ir_and_annotate_position_in_source(kernel, inner.get(), marked);
    CHECK(marked.str().find("at line:col (6:4)\n      A[i, 0] = ") != std::string::npos);
}

/// The text is wrong at the place.
void wrong(const char *text, std::size_t line, std::size_t column, const char *expected) {
    try {
        parse_func(text);
        ++failures();
        std::printf("printing.cpp: `%s` is read\n", text);
    } catch (const parse_error &error) {
        const bool fits = error.line == line && error.column == column && std::string(error.what()).find(expected) != std::string::npos;
        if (!fits) {
            ++failures();
            std::printf("printing.cpp: `%s`: %s, wanted %zu:%zu: %s\n", text, error.what(), line, column, expected);
        }
    }
}

void reading() {
    func_t f = parse_func(
        "func f(idx: s32, A: [f32 * 100 * 200] device): f32 {\n"
        "  var b: f32\n"
        "  b = 0\n"
        "  // a comment\n"
        "  for i in (0, 200, 1) {\n"
        "    b = (b + A[idx, i])\n"
        "  }\n"
        "  if ((b > 1.f)) {\n"
        "    return max(b, -2.5)\n"
        "  } else {\n"
        "    b = f(idx, &A[0, 0])\n"
        "  }\n"
        "  return b\n"
        "}\n");
    CHECK(f->params_[1].checked_as<tensor>()->address_space_ == address_space::device);
    auto seq = f->body_.checked_as<stmts>()->seq_;
    CHECK(seq[1].checked_as<assign>()->value_->dtype_ == datatypes::f32);
    CHECK(seq[2].checked_as<for_loop>()->var_->dtype_ == datatypes::index);
    auto again = seq[3].checked_as<if_else>()->else_case_.checked_as<stmts>()->seq_[0].checked_as<assign>()->value_.checked_as<call>();
    CHECK(again->get_prototype().ptr_same(f));
    // Names of variables come first, whatever else has the name.
    expr e = parser_t().declare(make_var(datatypes::s32, "max")).parse_expr("(max + max(1, 2))");
    CHECK(e.checked_as<add>()->l_.isa<var>());
    auto module = parse_module(
        "private var n: index = 4UL\n"
        "func one(): index {\n  return two(n)\n}\n"
        "func two(x: index): index {\n  return x\n}\n");
    CHECK(module->get_contents().size() == 2 && text_of(parse_module(text_of(module))) == text_of(module));
    CHECK(parse_module(text_of(module))->equals(*module));
    wrong("func f(a: s32): s32 {\n  return (a + b)\n}", 2, 15, "a name that is declared");
    wrong("func f(a: s32): s32 {\n  return (a +)\n}", 2, 14, "expected");
    wrong("func f(a: s33): s32 {\n}", 1, 11, "a type");
    wrong("func f(): s32 {\n  for i in (0, 1) {\n  }\n}", 2, 17, "`,`");
    wrong("func f(): s32 {\n  return 1\n", 3, 1, "`}`");
    wrong("func f(): s32 {\n} more", 2, 3, "the end");
    bool refused = false;
    try {
        parse_expr(std::string(20000, '(') + "1");
    } catch (const parse_error &error) {
        refused = error.column == 20002;
    }
    CHECK(refused);
    func_t leaky = parse_func("func f(): void {\n  {\n    var a: s32\n  }\n}");
    CHECK(leaky->body_.checked_as<stmts>()->size() == 1);
    wrong("func f(): void {\n  {\n    var a: s32\n  }\n  a = 1\n}", 5, 3, "a name that is declared");
    // Two functions that call each other hold each other; let go of them.
    for (const auto &function : module->get_contents())
        function->body_ = stmt();
    f->body_ = stmt();
}

} // namespace

void printing_suite() {
    forms();
    literals();
    places();
    reading();
}
