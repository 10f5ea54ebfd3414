// Functions, and what calls call, in visits.
#include "visitor.h"

#include <memory>
#include <utility>
#include <vector>

namespace torchgen_support {

func_c ir_visitor_t::dispatch(func_c f) {
    if (!f) return f;
    std::vector<expr> params;
    stmt body;
    bool params_changed = walk(f->params_, params);
    bool body_changed = walk(f->body_, body);
    if (!params_changed && !body_changed) return f;
    func_t copy(std::make_shared<func_base>(f->name_, params_changed ? std::move(params) : f->params_,
        body_changed ? std::move(body) : f->body_, f->ret_type_));
    return copy_attr(*f, std::move(copy));
}

bool ir_visitor_t::walk(const std::shared_ptr<node_base> &callee, std::shared_ptr<node_base> &fresh) {
    expr visited;
    auto e = std::dynamic_pointer_cast<expr_base>(callee);
    if (!e || !walk(expr(e), visited)) return false;
    fresh = visited.impl;
    return true;
}

} // namespace torchgen_support
