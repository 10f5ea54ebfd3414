// What is equal, what is not, and where the difference is.
#include "check.h"
#include "comparer.h"
#include "copier.h"
#include "easy_build.h"
#include "hash.h"
#include "suites.h"
#include "validator.h"

using namespace tir;
using namespace tir::builder;

namespace {

template <typename Pointer>
void equal(const Pointer &one, const Pointer &other) {
    ir_comparer comparer;
    CHECK(comparer.compare(one, other) && comparer.compare(other, one));
    CHECK(hash_value(one) == hash_value(other));
}
void alike(const expr &one, const expr &other) { equal<expr_c>(one, other); }
void alike(const stmt &one, const stmt &other) { equal<stmt_c>(one, other); }

/// Unequal both ways, with the difference at the path.
template <typename Pointer>
void differ(const Pointer &one, const Pointer &other, const char *path) {
    ir_comparer comparer(true);
    CHECK(!one->equals(other, comparer) && !comparer.same_);
    CHECK_TEXT(comparer.diff->path_, path);
    comparer.reset();
    CHECK(!other->equals(one, comparer) && !comparer.same_);
    CHECK_TEXT(comparer.diff->path_, path);
}
void unlike(const expr &one, const expr &other, const char *path = "") { differ<expr_c>(one, other, path); }
void unlike(const stmt &one, const stmt &other, const char *path = "") { differ<stmt_c>(one, other, path); }

expr half(float value) { return make_expr<constant_node>(value, datatypes::f16); }
expr index(uint64_t value) { return make_expr<constant_node>(value, datatypes::index); }
expr truth(uint64_t value) { return make_expr<constant_node>(value, datatypes::boolean); }

void literals() {
    alike(half(12.5f), half(12.5f));
    unlike(half(12.5f), make_expr<constant_node>(12.5f, datatypes::f32));
    unlike(expr(123), expr(124), "value");
    auto floats = [](float last) {
        return make_constant(std::vector<union_val> {1.5f, 1.5f, 1.5f, last}, sc_data_type_t::f32(4));
    };
    alike(floats(2.5f), floats(2.5f));
    unlike(floats(2.5f), floats(3.5f), "value");
    unlike(floats(2.5f), make_constant({int64_t(1), int64_t(1), int64_t(1), int64_t(2)}, sc_data_type_t::s32(4)));
    // Of unequal length: a difference is recorded all the same.
    unlike(make_constant({int64_t(1), int64_t(2)}, sc_data_type_t::s32(2)),
        make_constant({int64_t(1)}, sc_data_type_t::s32(2)), "value");
    // Each literal equals itself, whatever its bits; zeros of two signs differ.
    alike(expr(std::numeric_limits<float>::quiet_NaN()), expr(std::numeric_limits<float>::quiet_NaN()));
    unlike(expr(0.0f), expr(-0.0f), "value");
}

void variables() {
    auto a = make_expr<var_node>(datatypes::f16, "a"), b = make_expr<var_node>(datatypes::f16, "b");
    auto again = make_expr<var_node>(datatypes::f16, "a");
    alike(expr(a), expr(b));
    ir_comparer by_name(true, true, false, true);
    CHECK(!a->equals(b, by_name));
    CHECK(by_name.diff->first_diff_expr_.first.ptr_same(a) && by_name.diff->first_diff_expr_.second.ptr_same(b));
    by_name.reset();
    CHECK(a->equals(again, by_name));
    ir_comparer by_reference(true, true, true, true);
    CHECK(!a->equals(again, by_reference));
    by_reference.reset();
    CHECK(a->equals(a, by_reference));
    by_reference.set_expr_mapping(a, again);
    CHECK(a->equals(again, by_reference));
    unlike(expr(a), make_var(datatypes::s32, "a"));
    // One to one, both ways.
    expr x = make_var(datatypes::s32, "x"), y = make_var(datatypes::s32, "y"), z = make_var(datatypes::s32, "z");
    unlike(x + y, z + z, "r");
    alike(x + x, z + z);
    alike(x + y, y + x);
    auto swapped = [](const expr &p, const expr &q, bool order) {
        expr first = order ? p : q, second = order ? q : p;
        return stmt(make_stmt<stmts_node_t>(std::vector<stmt> {make_stmt<evaluate_node_t>(first),
            make_stmt<evaluate_node_t>(second), make_stmt<assign_node_t>(p, q)}));
    };
    unlike(swapped(x, y, true), swapped(x, y, false), "seq[2].var");
    expr t = make_tensor("t", {1, 2}, datatypes::s32), u = make_tensor("u", {1, 2}, datatypes::s32);
    unlike(swapped(t, u, true), swapped(t, u, false), "seq[2].var");
}

void operations() {
    expr one = 1, two = 2;
    alike(make_cast(datatypes::f16, 1), make_cast(datatypes::f16, 1));
    unlike(make_cast(datatypes::f16, 1), make_cast(datatypes::f16, 2), "in.value");
    unlike(make_cast(datatypes::f16, 1), make_cast(datatypes::u8, 1));
    alike(one + two, make_add(1, 2));
    unlike(one + two, one * two);
    unlike(one + two, one + one, "r.value");
    unlike(make_logic_and(truth(1), truth(0)), make_logic_or(truth(1), truth(0)));
    unlike(one == two, one < two);
    unlike(!truth(1), !!truth(0), "in");
    unlike(make_select(truth(1), one, two), make_select(truth(1), one, one), "r.value");
    unlike(make_phi({one, two}), make_phi({one, two}, true), "is_loop_phi");
    unlike(make_phi({one, two}), make_phi({one}), "values");
    unlike(make_shuffle(one, two, 3), make_shuffle(one, two, 4), "intrin_attrs");
    unlike(make_min(one, two), make_max(one, two), "type");
    alike(make_max(one, two), make_max(one, two));
    unlike(make_max(one, two), make_max(two, two), "args[0].value");
    unlike((one + two) * two, (one + one) * two, "l.r.value");
}

void calls() {
    func_t f = make_func("f", std::vector<expr>(), stmt(), datatypes::f16);
    func_t same = make_func("f", std::vector<expr>(), stmt(), datatypes::f16);
    auto of = [](const auto &callee, expr last) {
        return expr(make_expr<call_node>(callee, std::vector<expr> {truth(1), last}));
    };
    alike(make_func_addr(f), make_func_addr(f));
    unlike(make_func_addr(f), make_func_addr(same), "func");
    alike(of(f, index(2)), of(f, index(2)));
    unlike(of(f, index(2)), of(same, index(2)), "func");
    ir_comparer callees(false, false, false, true);
    CHECK(callees.compare(of(f, index(2)), of(same, index(2))));
    unlike(of(f, index(2)), of(f, expr(2)), "args[1]");
    unlike(of(f, index(2)), make_call(f, {truth(1)}), "args");
    expr p = make_var(datatypes::pointer, "p"), q = make_var(datatypes::pointer, "q");
    p->attr()["prototype"] = f;
    q->attr()["prototype"] = same;
    alike(of(p, index(2)), of(q, index(2)));
    unlike(of(f, index(2)), of(p, index(2)), "func");
    auto parallel = [&](std::vector<call_node::parallel_attr_t> loops) {
        return expr(make_expr<call_node>(f, std::vector<expr> {1}, std::move(loops)));
    };
    alike(parallel({ {1, 2, 3} }), parallel({ {1, 2, 3} }));
    unlike(parallel({ {1, 2, 3} }), parallel({}), "para_attr");
    unlike(parallel({ {1, 2, 3} }), parallel({ {1, 5, 3} }), "para_attr[0].end.value");
    // A function that calls itself is compared with another such function.
    auto recursive = [](const char *name) {
        func_t made = make_func(name, std::vector<expr>(), make_stmts_unattached({}), datatypes::s32);
        made->body_.checked_as<stmts>()->seq_.push_back(make_returns_unattached(made()));
        return made;
    };
    func_t one = recursive("one"), other = recursive("other");
    CHECK(callees.compare(func_c(one), func_c(other)));
    one->body_ = other->body_ = stmt();
}

void tensors() {
    auto of = [](const char *name, uint64_t last, sc_data_type_t dtype = datatypes::f32) {
        return make_expr<tensor_node>(dtype, name, std::vector<expr> {index(1), index(last)});
    };
    auto a = of("a", 2), b = of("b", 2), again = of("a", 2);
    alike(expr(a), expr(b));
    ir_comparer by_name(true, true, false, true), by_reference(true, true, true, true);
    CHECK(!a->equals(b, by_name) && by_name.diff->path_ == "name");
    by_name.reset();
    CHECK(a->equals(again, by_name) && !a->equals(again, by_reference));
    by_reference.set_expr_mapping(a, again);
    CHECK(a->equals(again, by_reference));
    unlike(expr(a), expr(of("a", 4)), "dims[1].value");
    unlike(expr(a), expr(of("a", 2, datatypes::s32)));
    again->address_space_ = address_space::device;
    unlike(expr(a), expr(again), "address_space");
    const int bytes[] = {1, 2, 3, 4}, others[] = {1, 2, 3, 5};
    auto with = [&](const int *data) {
        auto made = of("a", 2);
        made->init_value_ = std::make_shared<static_data_t>(data, sizeof bytes);
        return expr(made);
    };
    alike(with(bytes), with(bytes));
    unlike(with(bytes), with(others), "init_value");
    unlike(with(bytes), expr(a), "init_value");
    auto at = [&](const expr &tensor, uint64_t x, uint64_t y, expr mask = expr()) {
        return make_expr<indexing_node>(tensor, std::vector<expr> {index(x), index(y)}, mask);
    };
    alike(expr(at(a, 1, 2)), expr(at(b, 1, 2)));
    unlike(expr(at(a, 1, 1)), expr(at(a, 1, 2)), "idx[1].value");
    unlike(expr(at(a, 1, 2)), expr(at(of("a", 4), 1, 2)), "ptr.dims[1].value");
    unlike(expr(at(a, 1, 2, index(1))), expr(at(a, 1, 2)), "mask");
    unlike(expr(at(a, 1, 2, index(1))), expr(at(a, 1, 2, index(2))), "mask.value");
    auto pointer = [&](std::vector<expr> shape, bool slice) {
        return expr(make_expr<tensorptr_node>(at(a, 1, 2), std::move(shape), slice));
    };
    alike(pointer({1, 2}, false), pointer({1, 2}, false));
    unlike(pointer({1, 2}, false), pointer({}, false), "shape");
    unlike(pointer({1, 2}, false), pointer({1, 2}, true), "is_slice");
}

void statements() {
    expr f = make_var(datatypes::f16, "f"), g = make_var(datatypes::f16, "g"), s = make_var(datatypes::s32, "s");
    stmt work = make_evaluate_unattached(half(1.5f)), other = make_evaluate_unattached(half(2.5f));
    alike(make_assign_unattached(f, half(1)), make_assign_unattached(g, half(1)));
    unlike(make_assign_unattached(f, half(1)), make_assign_unattached(s, half(1)), "var");
    unlike(make_assign_unattached(f, half(1)), make_assign_unattached(f, half(2)), "value.value");
    alike(make_stmts_unattached({work}), make_stmts_unattached({work}));
    unlike(make_stmts_unattached({work}), make_stmts_unattached({other}), "seq[0].value.value");
    unlike(make_stmts_unattached({work}), make_stmts_unattached({}), "seq");
    alike(make_if_else_unattached(truth(1), work), make_if_else_unattached(truth(1), work));
    unlike(make_if_else_unattached(truth(2), work), make_if_else_unattached(truth(1), work), "condition.value");
    unlike(make_if_else_unattached(truth(1), other), make_if_else_unattached(truth(1), work), "then_case.value.value");
    unlike(make_if_else_unattached(truth(1), work, work), make_if_else_unattached(truth(1), work), "else_case");
    unlike(make_if_else_unattached(truth(1), work, work), make_if_else_unattached(truth(1), work, other),
        "else_case.value.value");
    unlike(make_evaluate_unattached(half(1)), make_evaluate_unattached(1), "value");
    alike(make_var_tensor_def_unattached(f, linkage::local, 1), make_var_tensor_def_unattached(g, linkage::local, 1));
    unlike(make_var_tensor_def_unattached(f, linkage::local, 1),
        make_var_tensor_def_unattached(f, linkage::private_global, 1), "linkage");
    unlike(make_var_tensor_def_unattached(f), make_var_tensor_def_unattached(f, linkage::local, 1), "init");
    unlike(make_var_tensor_def_unattached(f), make_var_tensor_def_unattached(s), "var");
    alike(make_returns_unattached(half(1)), make_returns_unattached(half(1)));
    unlike(make_returns_unattached(half(1)), make_returns_unattached(), "value");
    auto loop = [&](const expr &var, uint64_t begin, uint64_t step, const stmt &body, bool up, for_type kind, int threads = 0) {
        return make_for_loop_unattached(var, index(begin), index(9), index(step), body, up, kind, threads);
    };
    stmt usual = loop(f, 1, 2, work, true, for_type::NORMAL);
    alike(usual, loop(g, 1, 2, work, true, for_type::NORMAL));
    unlike(usual, loop(s, 1, 2, work, true, for_type::NORMAL), "var");
    unlike(usual, loop(f, 2, 2, work, true, for_type::NORMAL), "iter_begin.value");
    unlike(usual, loop(f, 1, 3, work, true, for_type::NORMAL), "step.value");
    unlike(usual, loop(f, 1, 2, other, true, for_type::NORMAL), "body.value.value");
    unlike(usual, loop(f, 1, 2, work, false, for_type::NORMAL), "incremental");
    unlike(usual, loop(f, 1, 2, work, true, for_type::PARALLEL), "kind");
    unlike(usual, loop(f, 1, 2, work, true, for_type::NORMAL, 4), "num_threads");
    unlike(usual, work);
}

void functions() {
    expr a = make_var(datatypes::f32, "a"), b = make_var(datatypes::s32, "b"), c = make_var(datatypes::f16, "a");
    stmt work = make_evaluate_unattached(index(123)), other = make_evaluate_unattached(index(321));
    auto of = [](const char *name, std::vector<expr> params, const stmt &body, sc_data_type_t result = datatypes::f16) {
        return make_func(name, params, body, result);
    };
    func_t f = of("f", {a, b}, work);
    CHECK(f->equals(of("f", {a, b}, work)) && f->equals(of("g", {a, b}, work)));
    CHECK(hash_value(func_c(f)) == hash_value(func_c(of("g", {a, b}, work))));
    func_t g = of("g", {a, b}, work);
    ir_comparer by_name(true, true, false, true);
    CHECK(!f->equals(g, by_name) && by_name.diff->first_diff_func_.first == f && by_name.diff->first_diff_func_.second == g);
    CHECK_TEXT(by_name.diff->path_, "name");
    by_name.reset();
    CHECK(!by_name.diff->first_diff_func_.first && by_name.same_);
    func_t third = of("f", {a, c}, work);
    CHECK(!f->equals(third, by_name));
    CHECK(by_name.diff->first_diff_expr_.first.ptr_same(b) && by_name.diff->first_diff_expr_.second.ptr_same(c));
    CHECK_TEXT(by_name.diff->path_, "params[1]");
    ir_comparer comparer(true);
    CHECK(!f->equals(of("f", {a, b}, other), comparer));
    CHECK_TEXT(text_of(comparer), "not same: diff expr = 123UL v.s. 321UL at body.value.value\n");
    comparer.reset();
    CHECK(!f->equals(of("f", {a, b}, work, datatypes::bf16), comparer) && comparer.diff->path_ == "ret_type");
    comparer.reset();
    CHECK(!f->equals(of("f", {a, b}, stmt()), comparer) && comparer.diff->path_ == "body");
}

void changed_places() {
    ir_comparer any_order(true, false, true, false, true), ordered(true, false, true);
    expr a = make_var(datatypes::f32, "a"), b = make_var(datatypes::f32, "b");
    CHECK(any_order.compare(a + b, b + a) && !ordered.compare(a + b, b + a));
    CHECK(!any_order.compare(a - b, b - a));
    CHECK(any_order.compare(a == b, b == a) && !any_order.compare(a < b, b < a));
    expr p = make_var(datatypes::boolean, "p"), q = make_var(datatypes::boolean, "q");
    CHECK(any_order.compare(p && q, q && p));
    CHECK(any_order.compare((a + b) * (a - b), (a - b) * (b + a)));
    // What the first attempt matched is taken back.
    ir_comparer renaming(true, false, false, false, true);
    CHECK(renaming.compare((a + 1.0f) * (b + 2.0f), (b + 2.0f) * (a + 1.0f)));
    // Deep trees that differ at the end take no time.
    expr one = 1.0f, two = 2.0f;
    for (int at = 0; at < 200; at++) {
        one = one + a;
        two = two + a;
    }
    CHECK(!any_order.compare(one, two));
}

void containers() {
    content_hash_map<expr, int> map;
    map[expr(3) + 4] = 1;
    CHECK(map.count(make_add(3, 4)) == 1 && map.count(make_add(4, 3)) == 0);
    auto hash_of = [](const expr &e) { return content_hash_t<expr_c>()(e); };
    CHECK(hash_of(100) == hash_of(100) && hash_of(100.0f) == hash_of(100.0f) && hash_of(UINT64_C(100)) == hash_of(UINT64_C(100)));
    CHECK(hash_of(100) != hash_of(UINT64_C(100)) && hash_of(0.0f) != hash_of(UINT64_C(0)));
    using list = std::vector<expr_c>;
    const list three = {1, 1.0f, UINT64_C(100)}, again = {1, 1.0f, UINT64_C(100)}, two = {1, 1.0f}, other = {0, 1.0f, UINT64_C(100)};
    const content_hash_t<list> hash_list;
    const content_equals_t<list> equal_lists;
    CHECK(hash_list(three) == hash_list(again) && equal_lists(three, again));
    CHECK(hash_list(three) != hash_list(two) && !equal_lists(three, two));
    CHECK(hash_list(three) != hash_list(other) && !equal_lists(three, other));
    std::unordered_map<expr, int> by_pointer;
    expr key = expr(3) + 4;
    by_pointer[key] = 1;
    CHECK(by_pointer.count(key) == 1 && by_pointer.count(expr(3) + 4) == 0);
    expr x = make_var(datatypes::s32, "x"), y = make_var(datatypes::s32, "y");
    CHECK(hash_value(expr_c(x + y)) == hash_value(expr_c(y + x)));
    CHECK(hash_value(expr_c(x + y)) != hash_value(expr_c(x + x)));
}

/// Trees whose nodes are all within each other, with the way to what is innermost.
struct nested_t {
    std::vector<expr> parts;
    std::string text, path;
    stmt blocks;

    nested_t(int depth, const expr &x, int last) : parts {x + last}, text("(x + " + std::to_string(last) + ")") {
        blocks = make_stmt<assign_node_t>(x, 1.0f);
        for (int at = 1; at < depth; at++) {
            const bool left = at % 3 == 0;
            parts.push_back(left ? parts.back() + x : x + parts.back());
            text = left ? "(" + text + " + x)" : "(x + " + text + ")";
            path = (left ? "l." : "r.") + path;
            blocks = make_stmt<stmts_node_t>(std::vector<stmt> {blocks});
        }
    }
};

/// Below 64 levels, stacks of their own take the place of functions that call themselves: nothing
/// shows it.
void levels() {
    const expr x = make_var(datatypes::s32, "x");
    for (int depth : {1, 2, 62, 63, 64, 65, 66, 128, 129, 130, 300}) {
        const nested_t one(depth, x, 1), same(depth, x, 1), other(depth, x, 2);
        const expr_c root = one.parts.back();
        ir_comparer comparer(true, true, true);
        CHECK(comparer.compare(root, same.parts.back()));
        CHECK(!comparer.compare(root, other.parts.back(), false));
        CHECK_TEXT(comparer.diff->path_, one.path + "r.value");
        CHECK(hash_value(root) == hash_value(expr_c(same.parts.back())));
        CHECK(hash_value(root) != hash_value(expr_c(other.parts.back())));
        // A part has one hash in each place, and by itself.
        const nested_t deeper(depth + 40, x, 1);
        for (int at = 0; at < depth; at++) {
            const auto part = static_cast<std::size_t>(at);
            CHECK(hash_value(expr_c(one.parts[part])) == hash_value(expr_c(deeper.parts[part])));
        }
        ir_comparer any_order(true, false, true, false, true);
        CHECK(any_order.compare(root, same.parts.back()) && !any_order.compare(root, other.parts.back()));
        CHECK_TEXT(text_of(root), one.text);
        std::unordered_map<expr_c, expr> variables {{x, x}};
        const expr_c copy = ir_copier_t(variables)(root);
        CHECK(!copy.ptr_same(root) && comparer.compare(root, copy) && text_of(copy) == one.text);
        CHECK(validate(root).empty());
        const auto violations = validate(stmt_c(one.blocks));
        CHECK(violations.size() == 1);
        std::string path;
        for (int at = 1; at < depth; at++)
            path += at == 1 ? "seq[0]" : ".seq[0]";
        if (!violations.empty()) CHECK_TEXT(violations[0].path, path);
    }
}

} // namespace

void comparing_suite() {
    literals();
    variables();
    operations();
    calls();
    tensors();
    statements();
    functions();
    changed_places();
    containers();
    levels();
}
