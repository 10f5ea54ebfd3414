// torchgen_comment
// Helpers for the tables of primitive operators. Private to the support library.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "builder_common.h"

namespace torchgen_support {

using op_table_t = std::map<std::string, operation_signature>;
using dims_t     = std::vector<shape::dynamic_dimension>;
using lens_t     = std::vector<std::size_t>;

/// An entry `key: default` of an attribute map.
inline value attribute(const char* key, const value& content) { return value(key, content); }

/// A shape with these dimensions: dynamic if an input is dynamic.
shape shape_from(shape::type_t type, const dims_t& dims, const std::vector<shape>& inputs);
bool any_dynamic(const std::vector<shape>& inputs);
/// An axis; negative ones count from the end.
std::size_t tune_axis(std::int64_t axis, std::size_t rank);
/// An attribute that is a list of axes, normalized.
lens_t axes_of(const operation& op, const char* key, std::size_t rank);
lens_t lens_of(const operation& op, const char* key);

/// Iterates over the indices of a shape in order.
class walker
{
    public:
    explicit walker(const lens_t& lengths) : lens(lengths), index(lengths.size()) {}
    const lens_t& operator*() const { return index; }
    void next()
    {
        for(std::size_t i = lens.size(); i-- > 0;)
        {
            if(++index[i] < lens[i])
                return;
            index[i] = 0;
        }
    }

    private:
    lens_t lens;
    lens_t index;
};

/// The offset of an index in a contiguous tensor.
std::size_t offset_of(const lens_t& lens, const lens_t& index);
/// The offset of an index of a broadcast shape in the original tensor.
std::size_t broadcast_offset(const lens_t& lens, const lens_t& index);

/// A result whose elements are each copied from the first input.
template <class F>
argument gather_from(const shape& s, const argument& x, F place)
{
    argument result(s);
    walker at(s.lens());
    for(std::size_t i = 0; i < result.elements(); ++i, at.next())
        result.copy(i, x, place(*at));
    return result;
}

void register_elementwise_ops(op_table_t& table);
void register_layout_ops(op_table_t& table);
void register_indexing_ops(op_table_t& table);
void register_matrix_ops(op_table_t& table);
void register_quantization_ops(op_table_t& table);

} // namespace torchgen_support
