// torchgen_comment
//
// Deep copies.
#pragma once

#include "visitor.h"

#include <unordered_map>

namespace torchgen_support {

/// Copies a tree with all that it holds; functions that are called are shared. A variable is copied
/// once: all uses of it are uses of the copy. Variables in the map become what the map says, and
/// new copies are added to it.
class ir_copier_t : private ir_visitor_t {
    std::unordered_map<expr_c, expr> &replace_map_;
    /// Whether variables and tensors that the map lacks are copied, rather than shared.
    bool create_var_tensor_;

    /// How many nodes are around one that is copied. Below some, the stack of a rewriter is used.
    int level_ = 0;

    expr_c dispatch(expr_c e) override;
    stmt_c dispatch(stmt_c s) override;
    func_c dispatch(func_c f) override;

public:
    explicit ir_copier_t(std::unordered_map<expr_c, expr> &replace_map, bool create_var_tensor = true)
        : replace_map_(replace_map), create_var_tensor_(create_var_tensor) {}
    expr_c operator()(const expr_c &e) { return dispatch(e); }
    stmt_c operator()(const stmt_c &s) { return dispatch(s); }
    func_c operator()(const func_c &f) { return dispatch(f); }
};

/// A deep copy of its own.
expr deep_copy(const expr_c &e);
stmt deep_copy(const stmt_c &s);
func_t deep_copy(const func_c &f);

} // namespace torchgen_support
