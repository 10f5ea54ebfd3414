// torchgen_comment
#include "copier.h"

#include "visitor.h"

#include <utility>

namespace torchgen_support {

expr_c ir_copier_t::instead_of(const expr_c &e) {
    if (!has_identity(e)) return expr_c();
    auto known = replace_map_.find(e);
    if (known != replace_map_.end()) return known->second;
    return create_var_tensor_ ? expr_c() : e;
}

expr_c ir_copier_t::change(const expr_c &e, expr_c made) {
    // What has no children that changed is the node itself.
    if (made.ptr_same(e)) made = e->remake();
    if (has_identity(e)) replace_map_[e] = made.remove_const();
    return made;
}

stmt_c ir_copier_t::change(const stmt_c &s, stmt_c made) { return made.ptr_same(s) ? stmt_c(s->remake()) : made; }

func_c ir_copier_t::operator()(const func_c &f) {
    if (!f) return f;
    func_c copy = rewrite(f);
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
