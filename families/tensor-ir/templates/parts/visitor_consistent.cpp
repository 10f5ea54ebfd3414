// Visits in which a variable is replaced everywhere.
#include "visitor.h"

#include <utility>

namespace torchgen_support {

expr_c ir_consistent_visitor_t::dispatch(expr_c e) {
    if (!has_identity(e)) return ir_visitor_t::dispatch(std::move(e));
    auto known = replace_map_.find(e);
    if (known != replace_map_.end()) e = known->second;
    expr_c visited = ir_visitor_t::dispatch(e);
    if (!visited.ptr_same(e)) replace_map_[e] = visited;
    return visited;
}

} // namespace torchgen_support
