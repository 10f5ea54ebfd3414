// torchgen_comment
#include "copier.h"

#include <utility>

namespace torchgen_support {

expr_c ir_copier_t::dispatch(expr_c e) {
    if (!e.defined()) return e;
    const bool identity = has_identity(e);
    if (identity) {
        auto known = replace_map_.find(e);
        if (known != replace_map_.end()) return known->second;
        if (!create_var_tensor_) return e;
    }
    expr_c copy = ir_visitor_t::dispatch(e);
    // What has no children that changed comes back as it is.
    if (copy.ptr_same(e)) copy = e->remake();
    if (identity) replace_map_[e] = copy.remove_const();
    return copy;
}

stmt_c ir_copier_t::dispatch(stmt_c s) {
    if (!s.defined()) return s;
    stmt_c copy = ir_visitor_t::dispatch(s);
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
