// torchgen_comment
#include "copier.h"

#include "walk.h"

#include <utility>

namespace torchgen_support {

namespace detail {
namespace {

/// Copies with a stack of its own.
class deep_copier_t : public ir_rewriter_t {
    std::unordered_map<expr_c, expr> &copies_;
    bool create_var_tensor_;

public:
    deep_copier_t(std::unordered_map<expr_c, expr> &copies, bool create_var_tensor)
        : copies_(copies), create_var_tensor_(create_var_tensor) {}
    expr_c instead_of(const expr_c &e) override {
        if (!has_identity(e)) return expr_c();
        auto known = copies_.find(e);
        if (known != copies_.end()) return known->second;
        return create_var_tensor_ ? expr_c() : e;
    }
    stmt_c instead_of(const stmt_c &) override { return stmt_c(); }
    expr_c change(const expr_c &e, expr_c made) override {
        // What has no children that changed is the node itself.
        if (made.ptr_same(e)) made = e->remake();
        if (has_identity(e)) copies_[e] = made.remove_const();
        return made;
    }
    stmt_c change(const stmt_c &s, stmt_c made) override { return made.ptr_same(s) ? stmt_c(s->remake()) : made; }
};

} // namespace
} // namespace detail

expr_c ir_copier_t::dispatch(expr_c e) {
    if (!e.defined()) return e;
    if (level_ == detail::most_levels) return detail::deep_copier_t(replace_map_, create_var_tensor_).rewrite(e);
    const bool identity = has_identity(e);
    if (identity) {
        auto known = replace_map_.find(e);
        if (known != replace_map_.end()) return known->second;
        if (!create_var_tensor_) return e;
    }
    level_++;
    expr_c copy = ir_visitor_t::dispatch(e);
    level_--;
    // What has no children that changed comes back as it is.
    if (copy.ptr_same(e)) copy = e->remake();
    if (identity) replace_map_[e] = copy.remove_const();
    return copy;
}

stmt_c ir_copier_t::dispatch(stmt_c s) {
    if (!s.defined()) return s;
    if (level_ == detail::most_levels) return detail::deep_copier_t(replace_map_, create_var_tensor_).rewrite(s);
    level_++;
    stmt_c copy = ir_visitor_t::dispatch(s);
    level_--;
    return copy.ptr_same(s) ? stmt_c(s->remake()) : copy;
}

func_c ir_copier_t::dispatch(func_c f) {
    if (!f) return f;
    func_c copy = ir_visitor_t::dispatch(f);
    return copy == f ? func_c(f->remake()) : copy;
}

expr deep_copy(const expr_c &e) {
    std::unordered_map<expr_c, expr> map;
    return ir_copier_t(map)(e).remove_const();
}

stmt deep_copy(const stmt_c &s) {
    std::unordered_map<expr_c, expr> map;
    return ir_copier_t(map)(s).remove_const();
}

func_t deep_copy(const func_c &f) {
    std::unordered_map<expr_c, expr> map;
    return func_t(std::const_pointer_cast<func_base>(ir_copier_t(map)(f)));
}

} // namespace torchgen_support
