// Every public name of the original's contract, used once.
#include "check.h"
#include "comparer.h"
#include "copier.h"
#include "easy_build.h"
#include "hash.h"
#include "module.h"
#include "parser.h"
#include "printer.h"
#include "suites.h"
#include "validator.h"
#include "viewer.h"
#include "visitor.h"
#include "visitor_skeletons.h"

using namespace tir;
using namespace tir::builder;

namespace {

void makers() {
    const expr a = make_var(datatypes::f32, "a"), b = make_var(datatypes::f32, "b"), i = make_var(datatypes::s32, "i");
    const expr p = make_var(datatypes::boolean, "p"), t = make_tensor("t", {4, 8}, datatypes::f32);
    _decl_func_(datatypes::f32, f, _arg_("x", datatypes::f32));
    const func_c fc = f;
    const expr_c ac = a, tc = t, ic = i;
    const std::vector<expr> made = {
        make_constant(1.5f), make_constant(int32_t(1)), make_constant(uint64_t(1)),
        make_constant({1.5f, 2.5f}, sc_data_type_t::f32(2)), make_cast(datatypes::s32, a), make_add(a, b), make_sub(a, b),
        make_mul(a, b), make_div(a, b), make_mod(i, i), make_min(a, b), make_max(a, b), make_reinterpret(a, datatypes::s32),
        make_isnan(a), make_saturated_cast(a, datatypes::u8), make_round_and_cast(a, datatypes::s32), make_abs(a),
        make_round(a), make_floor(a), make_ceil(a), make_exp(a), make_sqrt(a), make_rsqrt(a), make_reduce_add(a),
        make_reduce_max(a), make_reduce_min(a), make_reduce_mul(a), make_broadcast(a, 8), make_fmadd(a, b, a),
        make_unpack_low(a, b), make_unpack_high(a, b, 16), make_shuffle(a, b, 1), make_permute(a, b, 1),
        make_permutex2var(a, i, b), make_cmp_eq(a, b), make_cmp_ne(a, b), make_cmp_lt(a, b), make_cmp_le(a, b),
        make_cmp_gt(a, b), make_cmp_ge(a, b), make_logic_and(p, p), make_logic_or(p, p), make_shl(i, i), make_shr(i, i),
        make_int_and(i, i), make_int_or(i, i), make_int_xor(i, i), make_read_struct(a, "dyn_tsr", 1),
        make_write_struct(a, a, "dyn_tsr", 1), make_get_group_id(3), make_logic_not(p), make_select(p, a, b),
        make_clip(a, 1.5f, 2.5f), make_indexing(t, std::vector<expr> {i, i}), make_indexing(t, {i, i}, 8, p),
        make_indexing(tc, std::vector<expr_c> {ic, ic}), make_indexing(tc, ic), make_call(f, {a}),
        make_call(fc, std::vector<expr_c> {ac}), make_func_addr(f), make_phi({a, b}, true),
        make_tensor("t", std::vector<expr> {4}, datatypes::f32), make_tensor("t", std::vector<expr_c> {ic}, datatypes::f32),
        make_stensor("t", std::vector<expr> {4}, std::vector<expr> {1}, datatypes::f32),
        make_stensor("t", std::vector<expr_c> {ic}, std::vector<expr_c> {ic}, datatypes::f32),
        tensor_ptr(t, {i, i}), tensor_ptr(t, std::vector<expr> {i, i}, {i}, true),
        tensor_ptr(tc, std::vector<expr_c> {ic, ic}),
    };
    for (const auto &e : made) {
        CHECK(e.defined() && e->equals(e->remake()) && hash_value(expr_c(e)) == hash_value(expr_c(e->remake())));
        CHECK(!text_of(e).empty());
    }
    CHECK(tensor_ptr(t, {i, i}, {}, true).as<tensorptr>()->shape_.size() == 2);
    CHECK(remake_binary(b, a, make_sub(a, b))->equals(make_sub(a, b)) && remake_binary(b, a, make_max(a, b)).as<intrin_call>()->type_ == intrin_type::max);
    expr called = make_call(f, {a});
    called.as<call>()->para_attr_.push_back({1, 2, 3});
    CHECK(remake_call(f, {b}, called.as<call>()).as<call>()->para_attr_.size() == 1);
    CHECK(remake_call(fc, std::vector<expr_c> {ac}, called.as<call>()).as<call>()->para_attr_.size() == 1);
    CHECK(called->remake()->equals(called));
    CHECK(remake_intrin_call(make_shuffle(a, b, 7).as<intrin_call>(), {b, a})->intrin_attrs_->get<int>("shuffle_imm") == 7);
    auto low = make_expr<low_level_intrin_node>(low_level_intrin_kind::x86_xbyak, int64_t(5), std::vector<expr> {a});
    CHECK(remake_low_level_intrin(low, {b})->type_ == 5);
    CHECK(with_attr(a, "key", 3)->attr().get<int>("key") == 3);
    func_t g = make_func("g", std::vector<expr_c> {ac}, make_returns_unattached(ac), datatypes::f32);
    CHECK(g->remake()->equals(g));
    const expr operators[] = {a + b, a - b, a * b, a / b, i % i, a == b, a != b, a < b, a <= b, a > b, a >= b, p && p, p || p,
        i & i, i | i, i ^ i, i << i, i >> i, !p};
    for (const auto &e : operators)
        CHECK(e.defined());
}

void macros() {
    ir_builder_t bld;
    auto module = std::make_shared<ir_module_t>();
    _module_var_(module, mv, datatypes::s32, expr(1));
    _global_var_(module, gv, datatypes::s32, expr());
    _module_tensor_(module, mt, datatypes::f32, 8);
    _global_tensor_(module, gt, datatypes::f32, 8, 8);
    _decl_func_(datatypes::void_t, callee, _arg_("x", datatypes::s32));
    for_loop loop;
    expr copied_;
    std::vector<expr> more = {make_var(datatypes::s32, "n")};
    _function_(datatypes::s32, f, _arg_("A", datatypes::f32, {8}), _varg_(more)) {
        _bind_(A, n);
        _var_(x, datatypes::s32);
        _var_ex_(y, datatypes::s32, linkage::static_local, 2);
        _var_init_(z, datatypes::s32, 3);
        _var_init_copy_(copied, datatypes::s32, 4);
        _tensor_(B, datatypes::f32, 8);
        _for_(i, 0, n) { B[i] = A[i]; }
        _named_for_(loop, j, 0, 8, 2, for_type::PARALLEL, 4) { mt[j] = gt[{j, j}]; }
        _nested_for_(range("k", loop, 0, 8), range_nobind("l", 0, 8)) {
            _iter_var_(k);
            _iter_var_(l);
            x = k + l;
        }
        _if_(x == y) { z = mv; }
        _else_ { z = gv; }
        _evaluate_call_(callee, z);
        bld.push_anchor()->seq_.push_back(make_evaluate_unattached(copied_));
        _return_(x);
    }
    CHECK(copied_.isa<var>() && loop.defined() && f->body_.checked_as<stmts>()->size() == 12);
    module->add_func({f});
    module->set_entry_func_idx(0);
    CHECK(module->get_entry_func().ptr_same(f) && module->get_func("callee").ptr_same(callee));
    auto other = std::make_shared<ir_module_t>();
    other->merge(*module);
    CHECK(other->equals(*module) && other->copy()->equals(*module));
    CHECK(text_of(parse_module(text_of(*module))) == text_of(*module));
    visitor_skeleton_t visitor;
    inplace_visitor_skeleton_t inplace;
    viewer_skeleton_t viewer;
    CHECK(visitor.dispatch(func_c(f)) == f && inplace.dispatch_impl(f).ptr_same(f) && viewer.dispatch(func_c(f)) == f);
    for (const auto &child : children_of(stmt_c(f->body_)))
        CHECK(child.s.defined() && std::string(child.field) == "seq" && child.at >= 0);
}

void values() {
    any_map_t map {{"one", 1}, {"two", std::string("zwei")}};
    CHECK(map.get<int>("one") == 1 && map.get_or_else("three", 3) == 3 && map.get_or_null<std::string>("two") && !map.get_or_null<int>("two"));
    map["four"] = "vier";
    CHECK(map.get<std::string>("four") == "vier" && map.has_key("four") && map.size() == 3);
    any_map_t copy = map;
    CHECK(copy == map && copy.hash() == map.hash());
    copy.set("one", 2);
    CHECK(copy != map);
    bool thrown = false;
    try {
        map.get<float>("one");
    } catch (const std::runtime_error &) {
        thrown = true;
    }
    CHECK(thrown);
    expr e = 1;
    e->temp_data() = 5;
    CHECK(e->get_temp_data().get<int>() == 5 && e->remake()->get_temp_data().get<int>() == 5 && expr(2)->get_temp_data().empty());
    CHECK(get_const_as_int(expr(7).as<constant>()) == 7 && get_expr_as_int(expr(UINT64_C(8))) == 8);
    CHECK(expr(1.5f).as<constant>()->get_f32() == 1.5f && expr(true).as<constant>()->get_boolean() && expr(UINT64_C(3)).as<constant>()->get_index() == 3);
    CHECK(get_node_name(make_var(datatypes::s32, "name")) == "name");
    CHECK(get_sizeof_type(sc_data_type_t::f32(8)) == 32 && get_type_category(datatypes::u8) == CATE_UINT);
    CHECK(datatypes::f32.get_pointerof().get_pointer_element() == datatypes::f32 && datatypes::pointer.is_pointer());
    CHECK(sc_data_traits_t<float>::type() == datatypes::f32);
}

} // namespace

void names_suite() {
    makers();
    macros();
    values();
}
