// Every class and pointer of the original's contract, and every member of pointers, comparers and
// visitors, used once.
#include "check.h"
#include "comparer.h"
#include "copier.h"
#include "easy_build.h"
#include "hash.h"
#include "suites.h"
#include "viewer.h"
#include "visitor.h"

#include <type_traits>
#include <unordered_set>

using namespace tir;
using namespace tir::builder;

namespace {

/// A kind: its class, and its pointers.
template <typename Class, typename Pointer, typename Const, typename Any>
void kind(const Any &made) {
    using base = std::conditional_t<std::is_same_v<Any, expr>, expr_base, stmt_base_t>;
    static_assert(std::is_same_v<Pointer, node_ptr<Class, base>> && std::is_same_v<Const, node_ptr<const Class, base>>);
    static_assert(std::is_same_v<typename Pointer::type, Class> && std::is_convertible_v<Pointer, Const>);
    static_assert(!std::is_convertible_v<Const, Pointer> && !std::is_convertible_v<Any, Pointer>);
    CHECK(made.template isa<Pointer>() && made.template isa<Const>() && made->node_type_ == Class::type_code_);
    Pointer same = made.template as<Pointer>();
    Const read = same.to_const();
    CHECK(read.template checked_as<Const>().remove_const().ptr_same(same) && made->remake()->equals(made));
}

/// An abstract base: known by its class alone.
template <typename Class, typename Pointer, typename Const>
void base(const expr &made, const expr &other) {
    static_assert(std::is_same_v<Pointer, node_ptr<Class, expr_base>> && std::is_same_v<Const, node_ptr<const Class, expr_base>>);
    CHECK(made.instanceof<Pointer>() && made.dyn_as<Const>().defined() && !other.instanceof<Const>() && !other.dyn_as<Pointer>().defined());
}

void kinds() {
    const expr a = make_var(datatypes::s32, "a"), t = make_tensor("t", {4}, datatypes::s32);
    _decl_func_(datatypes::s32, f, _arg_("x", datatypes::s32));
    kind<constant_node, constant, constant_c>(expr(1));
    kind<var_node, var, var_c>(a);
    kind<cast_node, cast, cast_c>(make_cast(datatypes::f32, a));
    kind<add_node, add, add_c>(a + 1);
    kind<sub_node, sub, sub_c>(a - 1);
    kind<mul_node, mul, mul_c>(a * 1);
    kind<div_node, tir::div, div_c>(a / 1);
    kind<mod_node, mod, mod_c>(a % 1);
    kind<cmp_eq_node, cmp_eq, cmp_eq_c>(a == 1);
    kind<cmp_ne_node, cmp_ne, cmp_ne_c>(a != 1);
    kind<cmp_lt_node, cmp_lt, cmp_lt_c>(a < 1);
    kind<cmp_le_node, cmp_le, cmp_le_c>(a <= 1);
    kind<cmp_gt_node, cmp_gt, cmp_gt_c>(a > 1);
    kind<cmp_ge_node, cmp_ge, cmp_ge_c>(a >= 1);
    kind<logic_and_node, logic_and, logic_and_c>(expr(true) && false);
    kind<logic_or_node, logic_or, logic_or_c>(expr(true) || false);
    kind<logic_not_node, logic_not, logic_not_c>(!expr(true));
    kind<select_node, tir::select, select_c>(make_select(true, a, 1));
    kind<indexing_node, indexing, indexing_c>(expr(t[a]));
    kind<call_node, call, call_c>(f(a));
    kind<tensor_node, tensor, tensor_c>(t);
    kind<tensorptr_node, tensorptr, tensorptr_c>(tensor_ptr(t, {a}));
    kind<intrin_call_node, intrin_call, intrin_call_c>(make_max(a, 1));
    kind<ssa_phi_node, ssa_phi, ssa_phi_c>(make_phi({a, 1}));
    kind<func_addr_node, func_addr, func_addr_c>(make_func_addr(f));
    kind<low_level_intrin_node, low_level_intrin, low_level_intrin_c>(
        expr(make_expr<low_level_intrin_node>(low_level_intrin_kind::x86_general, int64_t(1), std::vector<expr> {a})));
    base<binary_node, binary, binary_c>(a + 1, a < 1);
    base<cmp_node, cmp, cmp_c>(a < 1, a + 1);
    base<logic_node, logic, logic_c>(expr(true) && true, a + 1);
    kind<assign_node_t, assign, assign_c>(stmt(make_assign_unattached(a, 1)));
    kind<stmts_node_t, stmts, stmts_c>(stmt(make_stmts_unattached({})));
    kind<if_else_node_t, if_else, if_else_c>(stmt(make_if_else_unattached(a == 1, make_stmts_unattached({}), stmt())));
    kind<evaluate_node_t, evaluate, evaluate_c>(stmt(make_evaluate_unattached(a)));
    kind<for_loop_node_t, for_loop, for_loop_c>(
        stmt(make_for_loop_unattached(a, 0, 8, 1, make_stmts_unattached({}), true, for_type::NORMAL)));
    kind<returns_node_t, returns, returns_c>(stmt(make_returns_unattached(a)));
    kind<define_node_t, define, define_c>(stmt(make_var_tensor_def_unattached(a)));
}

void pointers() {
    const expr sum = expr(1) + 2;
    const expr_c read = sum;
    CHECK(read.isa<add>() && read.instanceof<binary>() && read.as<add>().defined() && read.dyn_as<binary>().defined());
    CHECK(read.static_as<add_c>()->l_.defined() && read.checked_as<add_c>().get() == read.get());
    CHECK(read.cast<add>().has_value() && !read.cast<sub>().has_value() && read.remove_const().ptr_same(sum));
    CHECK((*sum).dtype_ == datatypes::s32 && sum.to_const().weak().lock() == sum.impl);
    const std::unordered_set<expr> set = {sum, sum, expr(1) + 2};
    CHECK(set.size() == 2 && std::hash<expr>()(sum) == std::hash<expr>()(expr(sum)) && std::equal_to<expr>()(sum, sum));
    // Nothing is what an empty pointer is, and nothing is what it becomes.
    const expr none;
    CHECK(!none.isa<add>() && !none.instanceof<binary>() && !none.as<add>().defined() && !none.dyn_as<binary>().defined());
    CHECK(!none.cast<add>().has_value() && !none.static_as<add>().defined());
    // Numbers, and what can be assigned to.
    const expr numbers[] = {1.5f, int32_t(1), uint64_t(1), true};
    const sc_data_type_t types[] = {datatypes::f32, datatypes::s32, datatypes::index, datatypes::boolean};
    for (int at = 0; at < 4; at++)
        CHECK(numbers[at].isa<constant>() && numbers[at]->dtype_ == types[at]);
    ir_builder_t bld;
    bld.push_scope();
    const expr t = make_tensor("t", {4, 4}, datatypes::s32);
    const expr row = make_tensor("row", {4}, datatypes::s32);
    expr::lvalue_proxy_t one = row[0], two = t[{0, 1}], wide = t[span_t({0, 0}, 4)];
    one = two;
    row[1] = 3;
    CHECK(wide.get().as<indexing>()->dtype_ == sc_data_type_t::s32(4) && !one.get().ptr_same(one.get()));
    stmt extra = make_evaluate_unattached(1);
    bld.emit(extra);
    CHECK(bld.get_current_scope().as_seq().size() == 3 && get_current_builder() == &bld);
    set_current_builder(nullptr);
    CHECK(get_current_builder() == nullptr);
    set_current_builder(&bld);
    CHECK(bld.pop_scope().checked_as<stmts>()->size() == 3);
}

void comparers() {
    ir_comparer comparer(true, true, true, true, true);
    CHECK(comparer.cmp_names_ && comparer.cmp_var_ref_ && comparer.cmp_callee_ && comparer.cmp_commutative_);
    const expr a = make_var(datatypes::s32, "a"), b = make_var(datatypes::s32, "b");
    CHECK(!comparer.compare(a, b, false) && !comparer.same_ && comparer.diff);
    CHECK(text_of(comparer).find("not same: diff expr = a v.s. b") == 0);
    comparer.reset();
    CHECK(comparer.same_ && comparer.compare(a, a));
    ir_comparer renaming;
    CHECK(renaming.compare(a, b, false) && renaming.get_expr_mapping(a, b));
    renaming.reset();
    CHECK(!renaming.get_expr_mapping(a, b));
    renaming.set_expr_mapping(a, b);
    CHECK(renaming.get_expr_mapping(a, b) && renaming.expr_arr_equals({a}, {b}) && renaming.check_equals_may_null(expr_c(), expr_c()));
    CHECK(!renaming.set_result(expr_c(a), expr_c(b), false) && !renaming.same_);
}

void stateful() {
    ir_builder_t bld;
    const expr a = make_var(datatypes::s32, "a"), i = make_var(datatypes::index, "i");
    const expr host = make_tensor("host", {2}, datatypes::s32, address_space::host);
    bld.push_scope();
    const stmt pushed[] = {bld.push_var_tensor_def(a, linkage::local, 1), bld.push_assign(a, 2),
        bld.push_if_else(a == 1, make_stmts_unattached({}), stmt()), bld.push_evaluate(host),
        bld.push_for_loop(i, 0, 8, 1, make_stmts_unattached({}), true, for_type::NORMAL), bld.push_returns(a),
        bld.push_anchor()};
    const stmts made = bld.pop_scope().checked_as<stmts>();
    CHECK(made->size() == 7);
    for (std::size_t at = 0; at < made->size(); at++)
        CHECK((*made)[at].ptr_same(pushed[at]));
    const stmt by_class = make_stmt<returns_node_t>(make_expr<constant_node>(union_val(int64_t(2)), datatypes::s32));
    CHECK(by_class->equals(make_returns_unattached(2)) && !by_class->attr_);
}

/// The methods that programs call and override.
struct copying : ir_visitor_t {
    using ir_visitor_t::dispatch;
    using ir_visitor_t::visit;
    expr_c visit(call_c v) override {
        std::vector<expr> args;
        const bool changed = dispatch_expr_vector(v->args_, args);
        CHECK(!changed && args.size() == v->args_.size());
        return v;
    }
};
struct changing : ir_inplace_visitor_t {
    using ir_inplace_visitor_t::dispatch_impl;
    using ir_inplace_visitor_t::visit_impl;
    expr visit_impl(call v) override {
        changed_ = dispatch_expr_vector(v->args_);
        return v;
    }
};
struct looking : ir_viewer_t {
    using ir_viewer_t::dispatch;
    using ir_viewer_t::view;
    void view(call_c v) override { dispatch_expr_arr(v->args_); }
};
struct consistent : ir_consistent_visitor_t {
    using ir_consistent_visitor_t::visit;
    expr_c visit(var_c v) override { return v->name_ == "x" ? expr_c(make_var(v->dtype_, "y")) : expr_c(v); }
};

void visitors() {
    _decl_func_(datatypes::s32, f, _arg_("x", datatypes::s32));
    const expr x = make_var(datatypes::s32, "x"), e = f(x + 1);
    CHECK(copying().dispatch(e).ptr_same(e) && changing().dispatch_impl(e).ptr_same(e) && looking().dispatch(e).ptr_same(e));
    consistent visitor;
    const expr_c made = visitor.dispatch(x * x);
    CHECK(made.static_as<mul_c>()->l_.ptr_same(made.static_as<mul_c>()->r_) && visitor.replace_map_.count(x) == 1);
    std::unordered_map<expr_c, expr> map;
    CHECK(ir_copier_t(map)(expr_c(e))->equals(e) && map.size() == 1);
    CHECK(copy_attr(*with_attr(x, "k", 1), expr(2))->attr().get<int>("k") == 1);
}

} // namespace

void classes_suite() {
    kinds();
    pointers();
    comparers();
    stateful();
    visitors();
}
