// Lists of expressions in visits.
#include "visitor.h"

#include <vector>

namespace torchgen_support {

bool ir_visitor_t::dispatch_expr_vector(const std::vector<expr> &list, std::vector<expr> &fresh) {
    if (walk(list, fresh)) return true;
    fresh = list;
    return false;
}

bool ir_visitor_t::dispatch_expr_vector(const std::vector<expr> &list, std::vector<expr_c> &fresh) {
    std::vector<expr> visited;
    bool changed = dispatch_expr_vector(list, visited);
    fresh.insert(fresh.end(), visited.begin(), visited.end());
    return changed;
}

} // namespace torchgen_support
