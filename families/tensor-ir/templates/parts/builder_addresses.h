// Functions that make addresses of elements.
#pragma once

#include "nodes.h"

#include <initializer_list>
#include <vector>

namespace torchgen_support::builder {

/// Makes: the address of an element.
/// @param base the tensor or a pointer into one
/// @param idx the place in each dimension
/// @param shape the dimensions that indexing sees
/// @param is_slice whether it is a part of the tensor, of its shape if none is given
expr tensor_ptr(const expr &base, const std::vector<expr> &idx, const std::vector<expr> &shape = {}, bool is_slice = false);
expr tensor_ptr(const expr_c &base, const std::vector<expr_c> &idx, const std::vector<expr_c> &shape = {}, bool is_slice = false);
expr tensor_ptr(const expr &base, std::initializer_list<expr> idx, std::initializer_list<expr> shape = {}, bool is_slice = false);

} // namespace torchgen_support::builder
