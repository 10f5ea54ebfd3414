// Visitors: the order of visits, what is made again, what is changed in place, what is left alone;
// deep copies; constant folding.
#include "check.h"
#include "comparer.h"
#include "copier.h"
#include "easy_build.h"
#include "suites.h"
#include "viewer.h"
#include "visitor.h"

#include <unordered_set>

using namespace tir;
using namespace tir::builder;

namespace {

using visits = std::vector<expr_c>;
visits seen;

bool same_nodes(const visits &one, const visits &other) {
    if (one.size() != other.size()) return false;
    for (std::size_t at = 0; at < one.size(); at++)
        if (!one[at].ptr_same(other[at])) return false;
    return true;
}

// Each makes literals and variables again, or only notes them.

class remaking_visitor : public ir_visitor_t {
public:
    using ir_visitor_t::visit;
    expr_c visit(constant_c v) override {
        seen.push_back(v);
        return v->remake();
    }
    expr_c visit(var_c v) override {
        seen.push_back(v);
        return v->remake();
    }
};

class remaking_inplace_visitor : public ir_inplace_visitor_t {
public:
    using ir_inplace_visitor_t::visit_impl;
    expr visit_impl(constant v) override {
        seen.push_back(v);
        return v->remake();
    }
    expr visit_impl(var v) override {
        seen.push_back(v);
        return v->remake();
    }
};

class noting_viewer : public ir_viewer_t {
public:
    using ir_viewer_t::view;
    void view(constant_c v) override { seen.push_back(v); }
    void view(var_c v) override { seen.push_back(v); }
};

/// Deep copies take constant pointers.
template <typename T, typename Base>
node_ptr<const Base, Base> constant_of(const node_ptr<T, Base> &node) {
    return node_ptr<const Base, Base>(node);
}

/// Visits a tree with each kind of visitor; `leaves` gives the literals and variables in the order
/// of visits.
template <typename Node, typename Leaves, typename Visitor = remaking_visitor, typename Inplace = remaking_inplace_visitor,
    typename Viewer = noting_viewer>
void visit_all(const Node &tree, bool changed_in_place, Leaves leaves, Visitor visitor = {}, Inplace inplace = {}, Viewer viewer = {}) {
    ir_comparer comparer;
    {
        Node copy = tree->remake();
        const visits wanted = leaves(copy);
        auto visited = visitor.dispatch(copy);
        CHECK(comparer.compare(visited, copy) && !visited.ptr_same(copy) && same_nodes(seen, wanted));
        seen.clear();
    }
    {
        Node copy = tree->remake();
        const visits wanted = leaves(copy);
        CHECK(viewer.dispatch(copy).ptr_same(copy) && same_nodes(seen, wanted));
        seen.clear();
    }
    {
        Node copy = deep_copy(constant_of(tree));
        const visits wanted = leaves(copy);
        auto visited = inplace.dispatch_impl(copy);
        CHECK(visited.ptr_same(copy) && inplace.changed_ == changed_in_place);
        CHECK(comparer.compare(visited, tree) && same_nodes(seen, wanted));
        seen.clear();
    }
}

void leaves_alone() {
    for (const expr &leaf : {expr(1), make_var(datatypes::bf16, "a")}) {
        seen.clear();
        expr_c visited = remaking_visitor().dispatch(leaf);
        CHECK(!visited.ptr_same(leaf) && visited->equals(leaf) && same_nodes(seen, {leaf}));
        remaking_inplace_visitor inplace;
        expr changed = inplace.dispatch_impl(leaf);
        CHECK(!changed.ptr_same(leaf) && changed->equals(leaf) && !inplace.changed_);
        CHECK(noting_viewer().dispatch(leaf).ptr_same(leaf) && seen.size() == 3);
    }
    seen.clear();
}

void operations() {
    visit_all(make_cast(datatypes::f16, 32), true, [](const expr &e) { return visits {e.as<cast>()->in_}; });
    for (auto make : {make_add, make_sub, make_mul, make_div, make_mod})
        visit_all(make(12, 13), true, [](const expr &e) {
            return visits {e.static_as<binary>()->l_, e.static_as<binary>()->r_};
        });
    for (auto make : {make_cmp_eq, make_cmp_ne, make_cmp_lt, make_cmp_le, make_cmp_gt, make_cmp_ge})
        visit_all(make(12, 13), true, [](const expr &e) {
            return visits {e.static_as<cmp>()->l_, e.static_as<cmp>()->r_};
        });
    for (auto make : {make_logic_and, make_logic_or})
        visit_all(make(true, false), true, [](const expr &e) {
            return visits {e.static_as<logic>()->l_, e.static_as<logic>()->r_};
        });
    visit_all(!expr(false), true, [](const expr &e) { return visits {e.as<logic_not>()->in_}; });
    visit_all(make_select(true, 1, 0), true, [](const expr &e) {
        auto v = e.static_as<tir::select>();
        return visits {v->cond_, v->l_, v->r_};
    });
    // Elements that are visited below change in themselves, not in the selection.
    std::vector<expr> vectors;
    for (const char *name : {"a", "b", "c", "d"})
        vectors.push_back(make_indexing(make_tensor(name, {16}, datatypes::f32), {0}, 16));
    visit_all(make_select(vectors[0] < vectors[1], vectors[2], vectors[3]), false, [](const expr &e) {
        auto v = e.static_as<tir::select>();
        visits found;
        for (const expr &at : {v->cond_.static_as<cmp_lt>()->l_, v->cond_.static_as<cmp_lt>()->r_, v->l_, v->r_}) {
            auto memory = at.static_as<indexing>()->ptr_.static_as<tensor>();
            found.insert(found.end(), {memory->dims_[0], memory->strides_[0], at.static_as<indexing>()->idx_[0]});
        }
        return found;
    });
    visit_all(make_max(1, 2), true, [](const expr &e) {
        return visits {e.as<intrin_call>()->args_[0], e.as<intrin_call>()->args_[1]};
    });
    visit_all(make_phi({1, 2}), true, [](const expr &e) {
        return visits {e.as<ssa_phi>()->values_[0], e.as<ssa_phi>()->values_[1]};
    });
    _decl_func_(datatypes::f32, f, _arg_("a", datatypes::s32), _arg_("b", datatypes::s32));
    expr loops = make_expr<call_node>(f, std::vector<expr> {1, 2}, std::vector<call_node::parallel_attr_t> { {3, 4, 5} });
    visit_all(loops, true, [](const expr &e) {
        auto v = e.as<call>();
        return visits {v->args_[0], v->args_[1], v->para_attr_[0].begin_, v->para_attr_[0].end_, v->para_attr_[0].step_};
    });
    // Pointers to functions are visited, functions are not.
    expr p = make_var(datatypes::pointer, "p");
    p->attr()["prototype"] = f;
    visit_all(expr(make_expr<call_node>(p, std::vector<expr> {1})), true, [](const expr &e) {
        auto v = e.as<call>();
        return visits {expr(std::dynamic_pointer_cast<expr_base>(v->func_)), v->args_[0]};
    });
}

visits of_tensor(const expr &e) {
    auto v = e.static_as<tensor>();
    return visits {v->dims_[0], v->dims_[1], v->strides_[0], v->strides_[1]};
}

void memory() {
    expr t = make_stensor("t", std::vector<expr> {100, 200}, std::vector<expr> {200, 1}, datatypes::s32, address_space::device);
    visit_all(t, true, of_tensor);
    auto of_indexing = [](const expr &e) {
        auto v = e.as<indexing>();
        visits found = of_tensor(v->ptr_);
        found.insert(found.end(), v->idx_.begin(), v->idx_.end());
        return found;
    };
    visit_all(t[{10, 20}].get(), true, of_indexing);
    // The element below a pointer changes, the pointer to it does not.
    visit_all(tensor_ptr(t, {10, 20}), false, [&](const expr &e) { return of_indexing(e.as<tensorptr>()->base_); });
    visit_all(tensor_ptr(t, {10, 20}, {7, 8}), true, [&](const expr &e) {
        visits found = of_indexing(e.as<tensorptr>()->base_);
        auto shape = e.as<tensorptr>()->shape_;
        found.insert(found.end(), shape.begin(), shape.end());
        return found;
    });
    visit_all(stmt(make_stmt<assign_node_t>(t[{10, 20}].get(), expr(123))), true, [&](const stmt &s) {
        visits found = of_indexing(s.as<assign>()->var_);
        found.push_back(s.as<assign>()->value_);
        return found;
    });
    // Attributes, data and types that were set by hand outlive a visit.
    expr sum = expr(1) + 2;
    sum->dtype_ = datatypes::u8;
    sum->attr()["key"] = 5;
    expr_c visited = remaking_visitor().dispatch(sum);
    CHECK(!visited.ptr_same(sum) && visited->dtype_ == datatypes::u8 && visited->attr_->get<int>("key") == 5);
    CHECK(sum->remake()->dtype_ == datatypes::u8);
    seen.clear();
    // A type that followed from the operands follows from new ones.
    class to_float : public ir_visitor_t {
    public:
        using ir_visitor_t::visit;
        expr_c visit(constant_c) override { return expr(1.0f); }
    };
    CHECK(to_float().dispatch(expr(1) + 2)->dtype_ == datatypes::f32);
    CHECK(to_float().dispatch(make_max(1, 2))->dtype_ == datatypes::f32);
}

void statements() {
    auto value = [](const stmt &s) { return expr_c(s.as<evaluate>()->value_); };
    visit_all(make_evaluate_unattached(1), true, [&](const stmt &s) { return visits {value(s)}; });
    stmt three = make_stmts_unattached({make_evaluate_unattached(1), make_evaluate_unattached(2), make_evaluate_unattached(3)});
    visit_all(three, true, [&](const stmt &s) {
        visits found;
        for (const auto &one : s.as<stmts>()->seq_)
            found.push_back(value(one));
        return found;
    });
    visit_all(make_returns_unattached(1), true, [](const stmt &s) { return visits {s.as<returns>()->value_}; });
    stmt nothing = make_returns_unattached();
    CHECK(remaking_visitor().dispatch(nothing).ptr_same(nothing) && noting_viewer().dispatch(nothing).ptr_same(nothing));
    CHECK(remaking_inplace_visitor().dispatch_impl(nothing).ptr_same(nothing) && seen.empty());
    visit_all(make_var_tensor_def_unattached(make_var(datatypes::f32, "a")), true, [](const stmt &s) {
        return visits {s.as<define>()->var_};
    });
    // The first value comes before the variable.
    visit_all(make_var_tensor_def_unattached(make_var(datatypes::f32, "a"), linkage::local, 1.0f), true, [](const stmt &s) {
        return visits {s.as<define>()->init_, s.as<define>()->var_};
    });
    ir_builder_t bld;
    bld.push_scope();
    _if_(expr(false)) { bld.push_evaluate(12); }
    _if_(expr(true)) { bld.push_evaluate(14); }
    _else_ { bld.push_evaluate(15); }
    _for_(i, 0, 100, 2) { bld.push_evaluate(16); }
    visit_all(bld.pop_scope(), true, [&](const stmt &s) {
        visits found;
        auto of_block = [&](const stmt &block) {
            for (const auto &one : block.as<stmts>()->seq_)
                found.push_back(value(one));
        };
        auto seq = s.as<stmts>()->seq_;
        for (int at : {0, 1}) {
            auto branch = seq[static_cast<std::size_t>(at)].as<if_else>();
            found.push_back(branch->condition_);
            of_block(branch->then_case_);
            if (branch->else_case_.defined()) of_block(branch->else_case_);
        }
        auto loop = seq[2].as<for_loop>();
        found.insert(found.end(), {loop->var_, loop->iter_begin_, loop->iter_end_, loop->step_});
        of_block(loop->body_);
        return found;
    });
    func_t f = make_func("f", std::vector<expr> {make_var(datatypes::s32, "a")}, make_returns_unattached(1), datatypes::s32);
    f->attr()["key"] = 1;
    func_c visited = remaking_visitor().dispatch(func_c(f));
    CHECK(visited != f && visited->equals(f) && visited->attr_->has_key("key") && seen.size() == 2);
    seen.clear();
    CHECK(noting_viewer().dispatch(func_c(f)) == f && seen.size() == 2);
    seen.clear();
}

/// A method for a base serves all that extend it, except what has a method of its own.
void bases() {
    class counting : public ir_visitor_t {
    public:
        using ir_visitor_t::visit;
        int binaries = 0, additions = 0;
        expr_c visit(binary_c v) override {
            binaries++;
            return ir_visitor_t::visit(v);
        }
        expr_c visit(add_c v) override {
            additions++;
            return ir_visitor_t::visit(v);
        }
    } visitor;
    expr tree = (expr(1) + 2) * (expr(3) - 4);
    CHECK(visitor.dispatch(tree).ptr_same(tree) && visitor.additions == 1 && visitor.binaries == 3);
    class viewing : public ir_viewer_t {
    public:
        using ir_viewer_t::view;
        int comparisons = 0, logic_nodes = 0;
        void view(cmp_c v) override {
            comparisons++;
            ir_viewer_t::view(v);
        }
        void view(logic_c v) override {
            logic_nodes++;
            ir_viewer_t::view(v);
        }
    } viewer;
    viewer.dispatch((expr(1) < 2) && !(expr(1) == 2 || expr(3) > 4));
    CHECK(viewer.comparisons == 3 && viewer.logic_nodes == 2);
    class inplace : public ir_inplace_visitor_t {
    public:
        using ir_inplace_visitor_t::visit_impl;
        expr visit_impl(cmp) override { return expr(true); }
    } changer;
    auto both = make_logic_and(expr(1) < 2, expr(2) == 3);
    CHECK(changer.dispatch_impl(both).ptr_same(both) && both.as<logic_and>()->l_.isa<constant>() && changer.changed_);
    // The kinds, all of them, as one function.
    auto name_of = [](const expr_c &e) { return match(e, [](const auto &node) { return std::string(kind_name(node.node_type_)); }); };
    CHECK_TEXT(name_of(tree), "mul");
    auto is_add = overloaded {[](const add_node &) { return true; }, [](const expr_base &) { return false; }};
    CHECK(match(expr_c(expr(1) + 2), is_add) && !match(expr_c(tree), is_add));
}

void consistent() {
    ir_builder_t bld;
    bld.push_scope();
    _var_(v, datatypes::f32);
    _tensor_(t, datatypes::f32, 100);
    v = 1.5f;
    t[10] = 1.5f;
    auto block = bld.pop_scope().as<stmts>();
    class replacing : public ir_consistent_visitor_t {
    public:
        using ir_consistent_visitor_t::visit;
        bool tensors = false;
        expr_c visit(tensor_c x) override {
            return tensors && x->name_ == "t" ? expr_c(make_tensor("u", {200}, datatypes::f32)) : expr_c(x);
        }
        expr_c visit(var_c x) override {
            return !tensors && x->name_ == "v" ? expr_c(make_var(datatypes::f32, "w")) : expr_c(x);
        }
    };
    auto parts = [](const stmts_c &s) {
        return std::vector<expr> {s->seq_[0].checked_as<define>()->var_, s->seq_[2].checked_as<assign>()->var_,
            s->seq_[1].checked_as<define>()->var_, s->seq_[3].checked_as<assign>()->var_.checked_as<indexing>()->ptr_};
    };
    replacing visitor;
    visitor.tensors = true;
    auto once = visitor.dispatch(stmt_c(block)).checked_as<stmts_c>();
    CHECK(parts(once)[0].ptr_same(expr(v)) && parts(once)[1].ptr_same(expr(v)));
    CHECK(!parts(once)[2].ptr_same(expr(t)) && parts(once)[2].ptr_same(parts(once)[3]));
    visitor.tensors = false;
    auto twice = visitor.dispatch(stmt_c(once)).checked_as<stmts_c>();
    CHECK(!parts(twice)[0].ptr_same(expr(v)) && parts(twice)[0].ptr_same(parts(twice)[1]));
    CHECK(parts(twice)[2].ptr_same(parts(once)[2]) && parts(twice)[3].ptr_same(parts(once)[3]));
}

/// The folder of the walk-through: literals of operations on literals.
class folder : public ir_visitor_t {
public:
    using ir_visitor_t::visit;
    expr_c visit(binary_c v) override {
        expr_c folded = ir_visitor_t::visit(v);
        auto both = folded.dyn_as<binary_c>();
        if (!both.defined() || !both->l_.isa<constant>() || !both->r_.isa<constant>()) return folded;
        const int64_t l = get_expr_as_int(both->l_), r = get_expr_as_int(both->r_);
        if (both.isa<add>()) return expr(static_cast<int32_t>(l + r));
        if (both.isa<sub>()) return expr(static_cast<int32_t>(l - r));
        return folded;
    }
};

void folding() {
    expr_c folded = folder().dispatch((expr(1) + 2) - 3);
    CHECK(folded.isa<constant>() && get_expr_as_int(folded) == 0);
    expr x = make_var(datatypes::s32, "x");
    CHECK_TEXT(text_of(folder().dispatch((x * 2) + (expr(2) + 3))), "((x * 2) + 5)");
    // What changes nothing gives the same tree, however large.
    expr tree = x;
    for (int at = 0; at < 1000; at++)
        tree = tree * x;
    CHECK(ir_visitor_t().dispatch(expr_c(tree)).ptr_same(tree));
    CHECK(folder().dispatch(expr_c(tree)).ptr_same(tree));
}

// Deep copies.

class all_nodes : public ir_viewer_t {
public:
    using ir_viewer_t::dispatch;
    std::unordered_set<expr_c> exprs;
    std::unordered_set<stmt_c> statements;
    expr_c dispatch(expr_c e) override {
        exprs.insert(e);
        return ir_viewer_t::dispatch(e);
    }
    stmt_c dispatch(stmt_c s) override {
        statements.insert(s);
        return ir_viewer_t::dispatch(s);
    }
};

template <typename Node>
void copies(const Node &original) {
    auto copy = deep_copy(original);
    all_nodes of_original, of_copy;
    of_original.dispatch(original);
    of_copy.dispatch(copy);
    for (const auto &e : of_copy.exprs)
        CHECK(of_original.exprs.count(e) == 0);
    for (const auto &s : of_copy.statements)
        CHECK(of_original.statements.count(s) == 0);
    ir_comparer comparer(true, true);
    CHECK(comparer.compare(original, copy));
}

void copying() {
    _decl_func_(datatypes::f32, f, _arg_("a", datatypes::f32));
    expr t = make_tensor("t", {100}, datatypes::f32, address_space::device);
    const int bytes = 123;
    expr filled = make_tensor("filled", {1}, datatypes::s32);
    filled.static_as<tensor>()->init_value_ = std::make_shared<static_data_t>(&bytes, sizeof bytes);
    for (const expr &e : {expr(1), make_cast(datatypes::f32, 1), make_min(2, 1), make_max(2, 1), make_logic_not(false), t[10].get(),
             t, filled, tensor_ptr(t, {10}), f(1.5f), make_func_addr(f), make_phi({1, 2, 3}), make_var(datatypes::f32, "v"),
             make_select(true, 1, 2), expr(make_expr<intrin_call_node>(intrin_type::min, std::vector<expr> {1, 2}, any_map_t()))})
        copies<expr_c>(e);
    for (auto make : {make_add, make_sub, make_mul, make_div, make_mod, make_cmp_eq, make_cmp_lt, make_cmp_le, make_cmp_gt,
             make_cmp_ge, make_cmp_ne})
        copies<expr_c>(make(2, 1));
    for (auto make : {make_logic_and, make_logic_or})
        copies<expr_c>(make(true, false));
    const expr written = make_var(datatypes::f32, "written");
    const stmt assigned = make_assign_unattached(written, 1.5f);
    for (const stmt &s : {assigned, make_if_else_unattached(written == 1.5f, make_stmts_unattached({assigned}), stmt()),
             make_if_else_unattached(written == 1.5f, make_stmts_unattached({assigned}), make_stmts_unattached({})),
             make_returns_unattached(), make_returns_unattached(1.5f), make_var_tensor_def_unattached(written),
             make_var_tensor_def_unattached(written, linkage::local, 1.5f)})
        copies<stmt_c>(s);
    expr called = f(1.5f);
    called->attr()["key"] = 123;
    CHECK(deep_copy(expr_c(called))->attr_->get<int>("key") == 123);
    auto reinterpreted = deep_copy(expr_c(make_reinterpret(1, datatypes::f32))).checked_as<intrin_call>();
    CHECK(reinterpreted->intrin_attrs_->get_or_else(intrin_attr::out_dtype, datatypes::undef) == datatypes::f32);
    CHECK(reinterpreted->dtype_ == datatypes::f32);
    ir_builder_t bld;
    _function_(datatypes::f32, g, _arg_("a", datatypes::f32), _arg_("A", datatypes::f32, {100, 100})) {
        _bind_(a, A);
        _var_ex_(b, datatypes::boolean, linkage::local, expr(true));
        _if_(a == 1.5f) { a = 2.5f; }
        _else_ { a = 3.5f; }
        _for_(i, 0, 10, 20, for_type::PARALLEL) { A[{i, 0}] = a; }
        _return_(a);
    }
    copies<func_c>(g);
    // What the map says takes the place of a variable; without new variables they are shared.
    expr v = make_var(datatypes::f32, "v"), w = make_var(datatypes::f32, "w");
    std::unordered_map<expr_c, expr> map = {{v, w}};
    ir_copier_t copier(map);
    CHECK(copier(expr_c(v + 1.5f)).checked_as<add_c>()->l_.ptr_same(w));
    std::unordered_map<expr_c, expr> none;
    ir_copier_t sharing(none, false);
    CHECK(sharing(expr_c(v + 1.5f)).checked_as<add_c>()->l_.ptr_same(v) && none.empty());
    expr u = make_tensor("u", {1, 2}, datatypes::f32), mapped = make_tensor("mapped", {1, 2}, datatypes::f32);
    map[u] = mapped;
    CHECK(ir_copier_t(map)(expr_c(u[10].get())).checked_as<indexing_c>()->ptr_.ptr_same(mapped));
    // One variable is one variable in the copy.
    auto twice = deep_copy(expr_c(v + v)).checked_as<add>();
    CHECK(twice->l_.ptr_same(twice->r_) && !twice->l_.ptr_same(v));
}

void casting() {
    expr sum = expr(1) + 2;
    add_c read = sum.checked_as<add>();
    add_c moved = std::move(read);
    CHECK(!read.defined() && moved.defined() && moved->l_.dyn_as<constant>()->get_s32() == 1);
    expr any = moved.remove_const();
    CHECK(any.instanceof<binary>() && !any.instanceof<cmp>() && any.cast<add>().has_value() && !any.cast<sub>().has_value());
    CHECK(moved.weak().lock() == sum.impl && sum.ptr_same(any) && (*any).dtype_ == datatypes::s32);
    for (const expr &wrong : {expr(1), expr()}) {
        bool thrown = false;
        try {
            wrong.checked_as<add>();
        } catch (const bad_node_cast &) {
            thrown = true;
        }
        CHECK(thrown);
    }
    // Optional children are never looked into when they are not there.
    CHECK(dtype_of(make_add(expr(), 1)) == datatypes::undef && dtype_of(make_select(true, expr(), expr())) == datatypes::undef);
    CHECK_TEXT(text_of(make_add(expr(), 1)), "((null) + 1)");
    CHECK(make_add(expr(), 1)->equals(make_add(expr(), 1)) && !make_add(expr(), 1)->equals(make_add(2, 1)));
}

} // namespace

void visiting_suite() {
    leaves_alone();
    operations();
    memory();
    statements();
    bases();
    consistent();
    folding();
    copying();
    casting();
}
