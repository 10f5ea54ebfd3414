// Visitors as they are written by hand, for the benchmark: with the methods that the generated ones
// have, but only for the kinds of nodes that the benchmark's function has.
#pragma once

#include "nodes.h"

/// Looks at a tree.
class viewer_by_hand {
public:
    virtual ~viewer_by_hand() = default;
    virtual tir::expr_c dispatch(tir::expr_c e);
    virtual tir::stmt_c dispatch(tir::stmt_c s);

    virtual void view(tir::constant_c v);
    virtual void view(tir::var_c v);
    virtual void view(tir::cast_c v);
    virtual void view(tir::select_c v);
    virtual void view(tir::add_c v);
    virtual void view(tir::sub_c v);
    virtual void view(tir::mul_c v);
    virtual void view(tir::binary_c v);
    virtual void view(tir::cmp_lt_c v);
    virtual void view(tir::cmp_c v);
    virtual void view(tir::assign_c v);
    virtual void view(tir::stmts_c v);
    virtual void view(tir::returns_c v);
    virtual void view(tir::for_loop_c v);
};

/// Gives back the same tree, or one in which what changed was made again.
class visitor_by_hand {
public:
    virtual ~visitor_by_hand() = default;
    virtual tir::expr_c dispatch(tir::expr_c e);
    virtual tir::stmt_c dispatch(tir::stmt_c s);

    virtual tir::expr_c visit(tir::constant_c v);
    virtual tir::expr_c visit(tir::var_c v);
    virtual tir::expr_c visit(tir::cast_c v);
    virtual tir::expr_c visit(tir::select_c v);
    virtual tir::expr_c visit(tir::add_c v);
    virtual tir::expr_c visit(tir::sub_c v);
    virtual tir::expr_c visit(tir::mul_c v);
    virtual tir::expr_c visit(tir::binary_c v);
    virtual tir::expr_c visit(tir::cmp_lt_c v);
    virtual tir::expr_c visit(tir::cmp_c v);
    virtual tir::stmt_c visit(tir::assign_c v);
    virtual tir::stmt_c visit(tir::stmts_c v);
    virtual tir::stmt_c visit(tir::returns_c v);
    virtual tir::stmt_c visit(tir::for_loop_c v);
};

/// Changes the tree itself. `changed_` says whether a child of the last node became another.
class inplace_visitor_by_hand {
public:
    bool changed_ = false;

    virtual ~inplace_visitor_by_hand() = default;
    virtual tir::expr dispatch_impl(tir::expr e);
    virtual tir::stmt dispatch_impl(tir::stmt s);

    virtual tir::expr visit_impl(tir::constant v);
    virtual tir::expr visit_impl(tir::var v);
    virtual tir::expr visit_impl(tir::cast v);
    virtual tir::expr visit_impl(tir::select v);
    virtual tir::expr visit_impl(tir::add v);
    virtual tir::expr visit_impl(tir::sub v);
    virtual tir::expr visit_impl(tir::mul v);
    virtual tir::expr visit_impl(tir::binary v);
    virtual tir::expr visit_impl(tir::cmp_lt v);
    virtual tir::expr visit_impl(tir::cmp v);
    virtual tir::stmt visit_impl(tir::assign v);
    virtual tir::stmt visit_impl(tir::stmts v);
    virtual tir::stmt visit_impl(tir::returns v);
    virtual tir::stmt visit_impl(tir::for_loop v);
};
