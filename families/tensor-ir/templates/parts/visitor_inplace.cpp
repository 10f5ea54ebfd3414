// Functions, and what calls call, in visits that change the tree.
#include "visitor.h"

#include <memory>

namespace torchgen_support {

func_t ir_inplace_visitor_t::dispatch_impl(func_t f) {
    if (!f) return f;
    bool changed = walk(f->params_);
    changed |= walk(f->body_);
    changed_ = changed;
    return f;
}

bool ir_inplace_visitor_t::walk(std::shared_ptr<node_base> &callee) {
    auto pointer = std::dynamic_pointer_cast<expr_base>(callee);
    if (!pointer) return false;
    expr e(pointer);
    if (!walk(e)) return false;
    callee = e.impl;
    return true;
}

} // namespace torchgen_support
