// torchgen_comment
//
// Deep copies.
#pragma once

#include "walk.h"

#include <unordered_map>

namespace torchgen_support {

/// Copies a tree with all that it holds; functions that are called are shared. A variable is copied
/// once: all uses of it are uses of the copy. Variables in the map become what the map says, and
/// new copies are added to it.
class ir_copier_t : private ir_rewriter_t {
    std::unordered_map<expr_c, expr> &replace_map_;
    /// Whether variables and tensors that the map lacks are copied, rather than shared.
    bool create_var_tensor_;

    expr_c instead_of(const expr_c &e) override;
    expr_c change(const expr_c &e, expr_c made) override;
    stmt_c change(const stmt_c &s, stmt_c made) override;

public:
    explicit ir_copier_t(std::unordered_map<expr_c, expr> &replace_map, bool create_var_tensor = true)
        : replace_map_(replace_map), create_var_tensor_(create_var_tensor) {}
    expr_c operator()(const expr_c &e) { return rewrite(e); }
    stmt_c operator()(const stmt_c &s) { return rewrite(s); }
    func_c operator()(const func_c &f);
};

/// A deep copy of its own.
expr deep_copy(const expr_c &e);
stmt deep_copy(const stmt_c &s);
func_t deep_copy(const func_c &f);

} // namespace torchgen_support
