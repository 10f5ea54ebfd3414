// Trees that builders and macros make are those that are made node by node.
#include "check.h"
#include "comparer.h"
#include "easy_build.h"
#include "hash.h"
#include "module.h"
#include "suites.h"

#include <thread>

using namespace tir;
using namespace tir::builder;

namespace {

expr number(int64_t value) { return make_expr<constant_node>(value); }

void pushed_statements() {
    ir_builder_t bld;
    func_t helper = make_func("helper", std::vector<expr>(), stmt(), datatypes::f32);
    bld.push_scope();
    expr i = make_var(datatypes::s32, "i");
    expr data = make_tensor("data", {64}, datatypes::s32);
    bld.push_evaluate(data);
    bld.push_scope();
    bld.push_assign(make_indexing(data, i), 7);
    bld.push_assign(make_indexing(data, i), 8);
    stmt body = bld.pop_scope();
    bld.push_for_loop(i, 2, 9, 3, body, true, for_type::NORMAL);
    bld.push_scope();
    bld.push_assign(make_indexing(data, 4), 7);
    stmt then_block = bld.pop_scope();
    bld.push_scope();
    bld.push_evaluate(helper(1.5f));
    stmt else_block = bld.pop_scope();
    bld.push_if_else(make_cmp_eq(make_indexing(data, 4), 0), then_block, else_block);
    bld.push_returns();
    stmt built = bld.pop_scope();

    auto j = make_expr<var_node>(datatypes::s32, "other");
    auto store = make_expr<tensor_node>(datatypes::s32, "store", std::vector<expr> {number(64)});
    auto at = [&](expr index) { return make_expr<indexing_node>(store, std::vector<expr> {index}, expr()); };
    auto block = [](std::vector<stmt> seq) { return make_stmt<stmts_node_t>(std::move(seq)); };
    stmt wanted = block({
        make_stmt<evaluate_node_t>(store),
        make_stmt<for_loop_node_t>(j, number(2), number(9), number(3),
            block({make_stmt<assign_node_t>(at(j), number(7)), make_stmt<assign_node_t>(at(j), number(8))}), true,
            for_type::NORMAL),
        make_stmt<if_else_node_t>(make_expr<cmp_eq_node>(at(number(4)), number(0)),
            block({make_stmt<assign_node_t>(at(number(4)), number(7))}),
            block({make_stmt<evaluate_node_t>(
                make_expr<call_node>(helper, std::vector<expr> {make_expr<constant_node>(1.5f)}))})),
        make_stmt<returns_node_t>(expr()),
    });
    ir_comparer comparer(true);
    CHECK(wanted->equals(built, comparer));
    CHECK_TEXT(text_of(comparer), "same\n");
}

void macros() {
    ir_builder_t bld;
    for_loop kept;
    _function_(datatypes::f32, kernel, _arg_("m", datatypes::s32), _arg_("n", datatypes::s32),
        _arg_("in", datatypes::s32, {16, 32})) {
        _bind_(m, n, in);
        _tensor_(out, datatypes::s32, {16, 32});
        _var_(x, datatypes::f32);
        out[{m, 1}] = in[{n, 2}];
        _named_for_(kept, i, 0, 16, 1, for_type::PARALLEL) {
            _for_(j, 0, 32) {
                out[{i, j}] = out[{i, j}] * in[{i, j % UINT64_C(3)}];
                _if_(out[{i, j}] == 0) { out[{i, j}] = 3; }
                _else_ _if_(out[{i, j}] == 2) { out[{i, j}] = 4; }
                _else_ { out[span_t({i, j}, 16)] = in[span_t({i, j}, 16)]; }
            }
        }
        _return_(1.5f);
    }
    expr m = make_var(datatypes::s32, "m"), n = make_var(datatypes::s32, "n");
    expr in = make_tensor("in", {16, 32}, datatypes::s32);
    bld.push_scope();
    expr out = make_tensor("out", {16, 32}, datatypes::s32);
    bld.push_var_tensor_def(out);
    expr x = make_var(datatypes::f32, "x");
    bld.push_var_tensor_def(x);
    bld.push_assign(make_indexing(out, {m, 1}), make_indexing(in, {n, 2}));
    expr i = make_var(datatypes::index, "i"), j = make_var(datatypes::index, "j");
    bld.push_scope();
    bld.push_scope();
    bld.push_assign(make_indexing(out, {i, j}),
        make_mul(make_indexing(out, {i, j}), make_indexing(in, {i, make_mod(j, UINT64_C(3))})));
    bld.push_scope();
    bld.push_assign(make_indexing(out, {i, j}), 3);
    stmt zero = bld.pop_scope();
    bld.push_scope();
    bld.push_scope();
    bld.push_assign(make_indexing(out, {i, j}), 4);
    stmt two = bld.pop_scope();
    bld.push_scope();
    bld.push_assign(make_indexing(out, {i, j}, 16), make_indexing(in, {i, j}, 16));
    stmt other = bld.pop_scope();
    bld.push_if_else(make_cmp_eq(make_indexing(out, {i, j}), 2), two, other);
    stmt not_zero = bld.pop_scope();
    bld.push_if_else(make_cmp_eq(make_indexing(out, {i, j}), 0), zero, not_zero);
    stmt inner = bld.pop_scope();
    bld.push_for_loop(j, 0, 32, 1, inner, true, for_type::NORMAL);
    stmt outer = bld.pop_scope();
    bld.push_for_loop(i, 0, 16, 1, outer, true, for_type::PARALLEL);
    bld.push_returns(1.5f);
    func_t wanted = make_func("kernel", {m, n, in}, bld.pop_scope(), datatypes::f32);
    ir_comparer comparer(true, true);
    wanted->equals(kernel, comparer);
    CHECK_TEXT(text_of(comparer), "same\n");
    CHECK(kept.defined() && kept->kind_ == for_type::PARALLEL && kept->isvalid());
    // A condition without an else block has none.
    bld.push_scope();
    _if_(expr(true)) { bld.push_evaluate(1); }
    auto lonely = bld.pop_scope().checked_as<stmts>();
    CHECK(lonely->size() == 1 && !(*lonely)[0].checked_as<if_else>()->else_case_.defined());
}

void nested_loops() {
    ir_builder_t bld;
    bld.push_scope();
    _tensor_(a, datatypes::s32, 16, 32);
    for_loop nested, written;
    _nested_for_(range(nested, 0, 4, 1, for_type::PARALLEL), range(0, 5), range(0, 6)) {
        _iter_var_(i);
        _iter_var_(j);
        _iter_var_(k);
        a[{i, j}] = a[{i, j}] + a[{k, j}];
    }
    _named_for_(written, i, 0, 4, 1, for_type::PARALLEL) {
        _for_(j, 0, 5) {
            _for_(k, 0, 6) { a[{i, j}] = a[{i, j}] + a[{k, j}]; }
        }
    }
    ir_comparer comparer(false, true);
    CHECK(comparer.compare(stmt_c(nested), stmt_c(written)));
}

void assignable_names() {
    ir_builder_t bld;
    bld.push_scope();
    _var_(a, datatypes::s32);
    const expr first = a;
    a = 12;
    _var_(b, datatypes::s32);
    a = b;
    CHECK(a.get().ptr_same(first) && expr(a).ptr_same(first));
    stmt built = bld.pop_scope();
    bld.push_scope();
    expr c = make_var(datatypes::s32, "a"), d = make_var(datatypes::s32, "b");
    bld.push_var_tensor_def(c);
    bld.push_assign(c, 12);
    bld.push_var_tensor_def(d);
    bld.push_assign(c, d);
    ir_comparer comparer(false, true);
    CHECK(comparer.compare(built, bld.pop_scope()));
    // What is indexed is a node of its own each time.
    bld.push_scope();
    _tensor_(t, datatypes::f32, 8);
    auto element = t[1];
    CHECK(!element.get().ptr_same(element.get()));
    // Literals of whole numbers become literals of the type that they are assigned to, and print as
    // before.
    t[1] = 3;
    t[2] = -4;
    auto seq = bld.pop_scope().checked_as<stmts>();
    CHECK((*seq)[1].checked_as<assign>()->value_->dtype_ == datatypes::f32);
    CHECK_TEXT(text_of((*seq)[1]), "t[1] = 3");
    CHECK_TEXT(text_of((*seq)[2]), "t[2] = -4");
}

void arguments() {
    ir_builder_t bld;
    std::vector<expr> given = {make_var(datatypes::bf16, "A"), make_var(datatypes::bf16, "B")};
    _function_(datatypes::boolean, f, _arg_("v", datatypes::s32), _varg_(given)) {}
    CHECK(f->params_.size() == 3 && f->params_[0].isa<var>());
    CHECK(f->params_[1].ptr_same(given[0]) && f->params_[2].ptr_same(given[1]));
    CHECK(f->decl_ && !f->decl_->body_.defined());
    CHECK_TEXT(text_of(f), "func f(v: s32, A: bf16, B: bf16): bool {\n}");
    _decl_func_(datatypes::f32, g, _arg_("x", datatypes::f32));
    CHECK_TEXT(text_of(g), "func g(x: f32): f32");
}

/// Builders of threads do not know each other.
void threads() {
    std::string texts[2];
    auto work = [](std::string &text, int count) {
        ir_builder_t bld;
        _function_(datatypes::s32, f) {
            _var_(sum, datatypes::s32);
            for (int at = 0; at < count; at++)
                sum = sum + at;
            _return_(sum);
        }
        text = std::to_string(f->body_.checked_as<stmts>()->size());
    };
    std::thread one(work, std::ref(texts[0]), 500), other(work, std::ref(texts[1]), 700);
    one.join();
    other.join();
    CHECK_TEXT(texts[0], "502");
    CHECK_TEXT(texts[1], "702");
    CHECK(get_current_builder() == nullptr);
    {
        ir_builder_t outer;
        {
            ir_builder_t inner;
            CHECK(get_current_builder() == &inner);
        }
        CHECK(get_current_builder() == &outer);
        bool thrown = false;
        try {
            outer.push_returns();
        } catch (const std::logic_error &) {
            thrown = true;
        }
        CHECK(thrown);
    }
}

void modules() {
    ir_builder_t bld;
    auto module = std::make_shared<ir_module_t>(get_default_context());
    _module_var_(module, counter, datatypes::index, expr(UINT64_C(4)));
    _global_tensor_(module, table, datatypes::f32, 128);
    _function_(datatypes::f32, leaf, _arg_("x", datatypes::f32)) {
        _bind_(x);
        _return_(x + 1.0f);
    }
    _function_(datatypes::void_t, root) {
        table[counter] = leaf(2.0f);
        _return_();
    }
    module->add_func({root});
    CHECK_TEXT(text_of(module),
        "private var counter: index = 4UL\n"
        "public tensor table: [f32 * 128]\n"
        "func root(): void {\n"
        "  table[counter] = leaf(2.f)\n"
        "  return\n"
        "}\n"
        "func leaf(x: f32): f32 {\n"
        "  return (x + 1.f)\n"
        "}\n");
    CHECK(module->get_func("leaf").ptr_same(leaf) && !module->get_func("none"));
    auto copy = module->deep_copy();
    CHECK(copy->equals(*module) && module->equals(*copy) && copy->hash() == module->hash());
    CHECK(!copy->get_func("leaf").ptr_same(leaf));
    // The copy calls its own functions and uses its own variables.
    auto call_of = [](const ir_module_t &m) {
        return m.get_func("root")->body_.checked_as<stmts>()->seq_[0].checked_as<assign>()->value_.checked_as<call>();
    };
    CHECK(call_of(*copy)->get_prototype().ptr_same(copy->get_func("leaf")));
    CHECK(call_of(*module)->get_prototype().ptr_same(leaf));
    copy->get_func("leaf")->body_.checked_as<stmts>()->seq_.clear();
    CHECK(!copy->equals(*module) && !module->equals(*copy));
}

/// Functions and variables of one name keep their contents and get names of their own.
void names_in_modules() {
    ir_builder_t bld;
    _function_(datatypes::f32, leaf) { _return_(1.0f); }
    _function_(datatypes::f32, middle) { _return_(leaf()); }
    _function_(datatypes::f32, one) { _return_(leaf() + middle()); }
    _function_(datatypes::f32, other) { _return_(middle() + middle()); }
    other->name_ = "one";
    _function_(datatypes::f32, entry) { _return_(one() + other()); }
    auto module = ir_module_t::from_entry_func(get_default_context(), entry);
    _global_var_(module, counter, datatypes::f32, expr());
    const std::vector<func_t> wanted = {entry, one, other, leaf, middle};
    CHECK(module->get_contents().size() == 5 && module->get_entry_func() == entry);
    for (std::size_t at = 0; at < wanted.size(); at++)
        CHECK(module->get_contents()[at] == wanted[at]);
    CHECK(one->name_ == "one" && other->name_ == "one_1" && other->decl_->name_ == "one_1");
    CHECK(module->get_func("one") == one && module->get_func("one_1") == other);
    // A call of a function and one of its declaration are alike.
    _function_(datatypes::f32, same) { _return_(one->decl_() + other->decl_()); }
    CHECK(entry->equals(same) && same->equals(entry) && hash_value(func_c(entry)) == hash_value(func_c(same)));

    _function_(datatypes::f32, fifth) { _return_(1.0f); }
    auto second = ir_module_t::from_entry_func(get_default_context(), {leaf, fifth});
    _module_var_(second, hidden, datatypes::f32, expr());
    hidden.get().as<var>()->name_ = "counter";
    CHECK(second->get_contents().size() == 2 && second->get_contents()[0] == leaf);
    module->merge(*second);
    CHECK(module->get_contents().size() == 6 && module->get_contents()[5] == fifth);
    CHECK_TEXT(hidden.get().as<var>()->name_, "counter_1");
    bool thrown = false;
    try {
        module->make_global_var(datatypes::f32, "counter", linkage::public_global);
    } catch (const std::logic_error &) {
        thrown = true;
    }
    _function_(datatypes::f32, named) { _return_(2.0f); }
    named->name_ = "leaf";
    named->attr()["entry_func"] = true;
    try {
        module->add_func({named});
        thrown = false;
    } catch (const std::logic_error &) {
    }
    CHECK(thrown);
}

} // namespace

void building_suite() {
    names_in_modules();
    pushed_statements();
    macros();
    nested_loops();
    assignable_names();
    arguments();
    threads();
    modules();
}
