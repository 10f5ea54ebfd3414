// Visitors as they are written by hand. See by_hand.h.
#include "by_hand.h"

#include <cstdlib>
#include <utility>
#include <vector>

using namespace tir;

// What looks at a tree.

expr_c viewer_by_hand::dispatch(expr_c e) {
    switch (e->node_type_) {
        case sc_expr_type::constant: view(e.static_as<constant_c>()); break;
        case sc_expr_type::var: view(e.static_as<var_c>()); break;
        case sc_expr_type::cast: view(e.static_as<cast_c>()); break;
        case sc_expr_type::select: view(e.static_as<select_c>()); break;
        case sc_expr_type::add: view(e.static_as<add_c>()); break;
        case sc_expr_type::sub: view(e.static_as<sub_c>()); break;
        case sc_expr_type::mul: view(e.static_as<mul_c>()); break;
        case sc_expr_type::cmp_lt: view(e.static_as<cmp_lt_c>()); break;
        default: std::abort();
    }
    return e;
}
stmt_c viewer_by_hand::dispatch(stmt_c s) {
    switch (s->node_type_) {
        case sc_stmt_type::assign: view(s.static_as<assign_c>()); break;
        case sc_stmt_type::stmts: view(s.static_as<stmts_c>()); break;
        case sc_stmt_type::returns: view(s.static_as<returns_c>()); break;
        case sc_stmt_type::for_loop: view(s.static_as<for_loop_c>()); break;
        default: std::abort();
    }
    return s;
}
void viewer_by_hand::view(constant_c) {}
void viewer_by_hand::view(var_c) {}
void viewer_by_hand::view(cast_c v) { dispatch(v->in_); }
void viewer_by_hand::view(select_c v) {
    dispatch(v->cond_);
    dispatch(v->l_);
    dispatch(v->r_);
}
void viewer_by_hand::view(add_c v) { view(std::move(v).static_as<binary_c>()); }
void viewer_by_hand::view(sub_c v) { view(std::move(v).static_as<binary_c>()); }
void viewer_by_hand::view(mul_c v) { view(std::move(v).static_as<binary_c>()); }
void viewer_by_hand::view(binary_c v) {
    dispatch(v->l_);
    dispatch(v->r_);
}
void viewer_by_hand::view(cmp_lt_c v) { view(std::move(v).static_as<cmp_c>()); }
void viewer_by_hand::view(cmp_c v) {
    dispatch(v->l_);
    dispatch(v->r_);
}
void viewer_by_hand::view(assign_c v) {
    dispatch(v->var_);
    dispatch(v->value_);
}
void viewer_by_hand::view(stmts_c v) {
    for (const auto &one : v->seq_)
        dispatch(one);
}
void viewer_by_hand::view(returns_c v) {
    if (v->value_.defined()) dispatch(v->value_);
}
void viewer_by_hand::view(for_loop_c v) {
    dispatch(v->var_);
    dispatch(v->iter_begin_);
    dispatch(v->iter_end_);
    dispatch(v->step_);
    dispatch(v->body_);
}

// What makes changed nodes again.

/// The attributes of the old node belong to the new one.
template <typename Old, typename New>
static New kept(const Old &old, New made) {
    if (old.attr_) made->attr_ = std::make_unique<any_map_t>(*old.attr_);
    return made;
}

expr_c visitor_by_hand::dispatch(expr_c e) {
    switch (e->node_type_) {
        case sc_expr_type::constant: return visit(std::move(e).static_as<constant_c>());
        case sc_expr_type::var: return visit(std::move(e).static_as<var_c>());
        case sc_expr_type::cast: return visit(std::move(e).static_as<cast_c>());
        case sc_expr_type::select: return visit(std::move(e).static_as<select_c>());
        case sc_expr_type::add: return visit(std::move(e).static_as<add_c>());
        case sc_expr_type::sub: return visit(std::move(e).static_as<sub_c>());
        case sc_expr_type::mul: return visit(std::move(e).static_as<mul_c>());
        case sc_expr_type::cmp_lt: return visit(std::move(e).static_as<cmp_lt_c>());
        default: std::abort();
    }
}
stmt_c visitor_by_hand::dispatch(stmt_c s) {
    switch (s->node_type_) {
        case sc_stmt_type::assign: return visit(std::move(s).static_as<assign_c>());
        case sc_stmt_type::stmts: return visit(std::move(s).static_as<stmts_c>());
        case sc_stmt_type::returns: return visit(std::move(s).static_as<returns_c>());
        case sc_stmt_type::for_loop: return visit(std::move(s).static_as<for_loop_c>());
        default: std::abort();
    }
}
expr_c visitor_by_hand::visit(constant_c v) { return v; }
expr_c visitor_by_hand::visit(var_c v) { return v; }
expr_c visitor_by_hand::visit(cast_c v) {
    expr_c in = dispatch(v->in_);
    if (in.ptr_same(v->in_)) return v;
    return kept(*v, make_expr<cast_node>(v->dtype_, in.remove_const()));
}
expr_c visitor_by_hand::visit(select_c v) {
    expr_c cond = dispatch(v->cond_), l = dispatch(v->l_), r = dispatch(v->r_);
    if (cond.ptr_same(v->cond_) && l.ptr_same(v->l_) && r.ptr_same(v->r_)) return v;
    return kept(*v, make_expr<select_node>(cond.remove_const(), l.remove_const(), r.remove_const()));
}
expr_c visitor_by_hand::visit(add_c v) { return visit(std::move(v).static_as<binary_c>()); }
expr_c visitor_by_hand::visit(sub_c v) { return visit(std::move(v).static_as<binary_c>()); }
expr_c visitor_by_hand::visit(mul_c v) { return visit(std::move(v).static_as<binary_c>()); }
expr_c visitor_by_hand::visit(binary_c v) {
    expr_c l = dispatch(v->l_), r = dispatch(v->r_);
    if (l.ptr_same(v->l_) && r.ptr_same(v->r_)) return v;
    switch (v->node_type_) {
        case sc_expr_type::add: return kept(*v, make_expr<add_node>(l.remove_const(), r.remove_const()));
        case sc_expr_type::sub: return kept(*v, make_expr<sub_node>(l.remove_const(), r.remove_const()));
        case sc_expr_type::mul: return kept(*v, make_expr<mul_node>(l.remove_const(), r.remove_const()));
        default: std::abort();
    }
}
expr_c visitor_by_hand::visit(cmp_lt_c v) { return visit(std::move(v).static_as<cmp_c>()); }
expr_c visitor_by_hand::visit(cmp_c v) {
    expr_c l = dispatch(v->l_), r = dispatch(v->r_);
    if (l.ptr_same(v->l_) && r.ptr_same(v->r_)) return v;
    return kept(*v, make_expr<cmp_lt_node>(l.remove_const(), r.remove_const()));
}
stmt_c visitor_by_hand::visit(assign_c v) {
    expr_c var = dispatch(v->var_), value = dispatch(v->value_);
    if (var.ptr_same(v->var_) && value.ptr_same(v->value_)) return v;
    return kept(*v, make_stmt<assign_node_t>(var.remove_const(), value.remove_const()));
}
stmt_c visitor_by_hand::visit(stmts_c v) {
    std::vector<stmt> seq;
    bool changed = false;
    seq.reserve(v->seq_.size());
    for (const auto &one : v->seq_) {
        stmt_c fresh = dispatch(one);
        changed |= !fresh.ptr_same(one);
        seq.push_back(fresh.remove_const());
    }
    if (!changed) return v;
    return kept(*v, make_stmt<stmts_node_t>(std::move(seq)));
}
stmt_c visitor_by_hand::visit(returns_c v) {
    if (!v->value_.defined()) return v;
    expr_c value = dispatch(v->value_);
    if (value.ptr_same(v->value_)) return v;
    return kept(*v, make_stmt<returns_node_t>(value.remove_const()));
}
stmt_c visitor_by_hand::visit(for_loop_c v) {
    expr_c var = dispatch(v->var_), begin = dispatch(v->iter_begin_), end = dispatch(v->iter_end_);
    expr_c step = dispatch(v->step_);
    stmt_c body = dispatch(v->body_);
    const bool same = var.ptr_same(v->var_) && begin.ptr_same(v->iter_begin_) && end.ptr_same(v->iter_end_)
        && step.ptr_same(v->step_) && body.ptr_same(v->body_);
    if (same) return v;
    return kept(*v,
        make_stmt<for_loop_node_t>(var.remove_const(), begin.remove_const(), end.remove_const(), step.remove_const(),
            body.remove_const(), v->incremental_, v->kind_, v->num_threads_));
}

// What changes the tree itself.

expr inplace_visitor_by_hand::dispatch_impl(expr e) {
    switch (e->node_type_) {
        case sc_expr_type::constant: return visit_impl(std::move(e).static_as<constant>());
        case sc_expr_type::var: return visit_impl(std::move(e).static_as<var>());
        case sc_expr_type::cast: return visit_impl(std::move(e).static_as<cast>());
        case sc_expr_type::select: return visit_impl(std::move(e).static_as<tir::select>());
        case sc_expr_type::add: return visit_impl(std::move(e).static_as<add>());
        case sc_expr_type::sub: return visit_impl(std::move(e).static_as<sub>());
        case sc_expr_type::mul: return visit_impl(std::move(e).static_as<mul>());
        case sc_expr_type::cmp_lt: return visit_impl(std::move(e).static_as<cmp_lt>());
        default: std::abort();
    }
}
stmt inplace_visitor_by_hand::dispatch_impl(stmt s) {
    switch (s->node_type_) {
        case sc_stmt_type::assign: return visit_impl(std::move(s).static_as<assign>());
        case sc_stmt_type::stmts: return visit_impl(std::move(s).static_as<stmts>());
        case sc_stmt_type::returns: return visit_impl(std::move(s).static_as<returns>());
        case sc_stmt_type::for_loop: return visit_impl(std::move(s).static_as<for_loop>());
        default: std::abort();
    }
}

/// Puts what a visit gave where the child was, and says whether it is another.
template <typename Child>
static bool put(Child &child, Child fresh) {
    if (fresh.ptr_same(child)) return false;
    child = std::move(fresh);
    return true;
}

expr inplace_visitor_by_hand::visit_impl(constant v) {
    changed_ = false;
    return v;
}
expr inplace_visitor_by_hand::visit_impl(var v) {
    changed_ = false;
    return v;
}
expr inplace_visitor_by_hand::visit_impl(cast v) {
    changed_ = put(v->in_, dispatch_impl(v->in_));
    return v;
}
expr inplace_visitor_by_hand::visit_impl(tir::select v) {
    bool changed = put(v->cond_, dispatch_impl(v->cond_));
    changed |= put(v->l_, dispatch_impl(v->l_));
    changed |= put(v->r_, dispatch_impl(v->r_));
    changed_ = changed;
    return v;
}
expr inplace_visitor_by_hand::visit_impl(add v) { return visit_impl(std::move(v).static_as<binary>()); }
expr inplace_visitor_by_hand::visit_impl(sub v) { return visit_impl(std::move(v).static_as<binary>()); }
expr inplace_visitor_by_hand::visit_impl(mul v) { return visit_impl(std::move(v).static_as<binary>()); }
expr inplace_visitor_by_hand::visit_impl(binary v) {
    bool changed = put(v->l_, dispatch_impl(v->l_));
    changed |= put(v->r_, dispatch_impl(v->r_));
    changed_ = changed;
    return v;
}
expr inplace_visitor_by_hand::visit_impl(cmp_lt v) { return visit_impl(std::move(v).static_as<cmp>()); }
expr inplace_visitor_by_hand::visit_impl(cmp v) {
    bool changed = put(v->l_, dispatch_impl(v->l_));
    changed |= put(v->r_, dispatch_impl(v->r_));
    changed_ = changed;
    return v;
}
stmt inplace_visitor_by_hand::visit_impl(assign v) {
    bool changed = put(v->var_, dispatch_impl(v->var_));
    changed |= put(v->value_, dispatch_impl(v->value_));
    changed_ = changed;
    return v;
}
stmt inplace_visitor_by_hand::visit_impl(stmts v) {
    bool changed = false;
    for (auto &one : v->seq_) {
        changed_ = false;
        changed |= put(one, dispatch_impl(one));
        changed |= changed_;
    }
    changed_ = changed;
    return v;
}
stmt inplace_visitor_by_hand::visit_impl(returns v) {
    changed_ = v->value_.defined() && put(v->value_, dispatch_impl(v->value_));
    return v;
}
stmt inplace_visitor_by_hand::visit_impl(for_loop v) {
    bool changed = put(v->var_, dispatch_impl(v->var_));
    changed |= put(v->iter_begin_, dispatch_impl(v->iter_begin_));
    changed |= put(v->iter_end_, dispatch_impl(v->iter_end_));
    changed |= put(v->step_, dispatch_impl(v->step_));
    changed_ = false;
    changed |= put(v->body_, dispatch_impl(v->body_));
    changed_ = changed | changed_;
    return v;
}
