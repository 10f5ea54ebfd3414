// torchgen_comment
// Converts inputs to a common shape and type before an operation.
#pragma once

#include <string>
#include <vector>

#include "builder_module.h"

namespace torchgen_support {

/// The lengths that both can be broadcast to.
std::vector<std::size_t> compute_broadcasted_lens(std::vector<std::size_t> a, std::vector<std::size_t> b);
std::vector<shape::dynamic_dimension> compute_broadcasted_dyn_dims(std::vector<shape::dynamic_dimension> a,
                                                                   std::vector<shape::dynamic_dimension> b);
/// The type that can hold both, by C++'s usual arithmetic conversions.
shape::type_t compute_common_type(shape::type_t a, shape::type_t b);
/// The type and lengths that all shapes can be converted and broadcast to.
shape common_shape(const std::vector<shape>& shapes);

/// The inputs, converted to a common shape and type by instructions before `ins`.
std::vector<instruction_ref> insert_common_args(module& m, instruction_ref ins, std::vector<instruction_ref> inputs);
/// The operation on inputs with a common shape and type.
instruction_ref
insert_common_op(module& m, instruction_ref ins, const operation& op, std::vector<instruction_ref> inputs);
inline instruction_ref add_common_op(module& m, const operation& op, std::vector<instruction_ref> inputs)
{
    return insert_common_op(m, m.end(), op, std::move(inputs));
}

} // namespace torchgen_support
