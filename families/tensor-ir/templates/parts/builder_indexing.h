// Functions that make elements of tensors.
#pragma once

#include "nodes.h"

#include <initializer_list>
#include <vector>

namespace torchgen_support::builder {

/// Makes: elements of a tensor.
/// @param ptr the tensor or a pointer into one
/// @param idx the place in each dimension
/// @param length how many elements
/// @param mask which lanes take part
expr make_indexing(const expr &ptr, const std::vector<expr> &idx, uint16_t length = 1, const expr &mask = expr());
expr make_indexing(const expr &ptr, std::initializer_list<expr> idx, uint16_t length = 1, const expr &mask = expr());
expr make_indexing(const expr_c &ptr, const std::vector<expr_c> &idx, uint16_t length = 1, const expr_c &mask = expr_c());
expr make_indexing(const expr_c &ptr, const expr_c &idx, uint16_t length = 1, const expr_c &mask = expr_c());

} // namespace torchgen_support::builder
