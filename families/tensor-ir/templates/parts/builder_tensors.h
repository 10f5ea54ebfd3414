// Functions that make tensors.
#pragma once

#include "function.h"
#include "nodes.h"

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace torchgen_support::builder {

/// Makes: a tensor.
/// @param name what it is printed as
/// @param dims the sizes of the dimensions
/// @param dtype the type of the elements
/// @param addrspace where it lives
/// @param init_value the bytes that it begins with
/// @param strides how many elements lie between neighbours of each dimension; none for no gaps
expr make_tensor(const std::string &name, const std::vector<expr> &dims, sc_data_type_t dtype,
    address_space addrspace = address_space::automatic, const std::shared_ptr<static_data_t> &init_value = nullptr,
    const std::vector<expr> &strides = {});
expr make_tensor(const std::string &name, const std::vector<expr_c> &dims, sc_data_type_t dtype,
    address_space addrspace = address_space::automatic, const std::shared_ptr<static_data_t> &init_value = nullptr,
    const std::vector<expr_c> &strides = {});
expr make_tensor(const std::string &name, std::initializer_list<expr> dims, sc_data_type_t dtype,
    address_space addrspace = address_space::automatic, const std::shared_ptr<static_data_t> &init_value = nullptr,
    std::initializer_list<expr> strides = std::initializer_list<expr>());
/// Makes: a tensor with strides.
expr make_stensor(const std::string &name, const std::vector<expr> &dims, const std::vector<expr> &strides,
    sc_data_type_t dtype, address_space addrspace = address_space::automatic,
    const std::shared_ptr<static_data_t> &init_value = nullptr);
expr make_stensor(const std::string &name, const std::vector<expr_c> &dims, const std::vector<expr_c> &strides,
    sc_data_type_t dtype, address_space addrspace = address_space::automatic,
    const std::shared_ptr<static_data_t> &init_value = nullptr);

} // namespace torchgen_support::builder
