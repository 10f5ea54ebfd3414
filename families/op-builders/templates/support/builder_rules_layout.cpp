// torchgen_comment
#include "builder_rules.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

namespace torchgen_support {

bool any_dynamic(const std::vector<shape>& inputs)
{
    return std::any_of(inputs.begin(), inputs.end(), [](const shape& s) { return s.dynamic(); });
}

shape shape_from(shape::type_t type, const dims_t& dims, const std::vector<shape>& inputs)
{
    if(any_dynamic(inputs))
        return {type, dims};
    lens_t lens;
    for(const auto& range : dims)
        lens.push_back(range.min);
    return {type, lens};
}

std::size_t tune_axis(std::int64_t axis, std::size_t rank)
{
    const auto n = static_cast<std::int64_t>(rank);
    if(axis < -n || axis >= n)
        throw exception("axis " + std::to_string(axis) + " is out of range for rank " + std::to_string(rank));
    return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

lens_t axes_of(const operation& op, const char* key, std::size_t rank)
{
    lens_t axes;
    for(const std::int64_t axis : op.get<std::vector<std::int64_t>>(key))
        axes.push_back(tune_axis(axis, rank));
    return axes;
}

lens_t lens_of(const operation& op, const char* key) { return op.get<lens_t>(key); }

std::size_t offset_of(const lens_t& lens, const lens_t& index)
{
    std::size_t offset = 0;
    for(std::size_t i = 0; i < lens.size(); ++i)
        offset = offset * lens[i] + index[i];
    return offset;
}

std::size_t broadcast_offset(const lens_t& lens, const lens_t& index)
{
    const std::size_t shift = index.size() - lens.size();
    std::size_t offset      = 0;
    for(std::size_t i = 0; i < lens.size(); ++i)
        offset = offset * lens[i] + (lens[i] == 1 ? 0 : index[i + shift]);
    return offset;
}

namespace {

/// The input, broadcast. Static lengths only.
shape broadcast_shape(const shape& input, const lens_t& lens, std::size_t shift)
{
    lens_t strides(lens.size(), 0);
    for(std::size_t i = 0; i < input.ndim(); ++i)
    {
        const std::size_t len = input.lens()[i];
        if(len != lens[i + shift] && len != 1)
            throw exception(to_string(input.lens()) + " does not broadcast to " + to_string(lens));
        strides[i + shift] = len == lens[i + shift] ? input.strides()[i] : 0;
    }
    return {input.type(), lens, strides};
}

argument broadcast_value(const operation&, const shape& s, const std::vector<argument>& inputs)
{
    const lens_t& lens = inputs[0].get_shape().lens();
    return gather_from(s, inputs[0], [&](const lens_t& at) { return broadcast_offset(lens, at); });
}

shape multibroadcast_shape(const operation& op, const std::vector<shape>& inputs)
{
    if(inputs.size() == 1)
    {
        if(inputs[0].dynamic())
            throw exception("a dynamic shape must be broadcast to the shape of another input");
        const lens_t lens = lens_of(op, "out_lens");
        if(lens.size() < inputs[0].ndim())
            throw exception("the rank of `out_lens` " + to_string(lens) + " is too small");
        return broadcast_shape(inputs[0], lens, lens.size() - inputs[0].ndim());
    }
    if(any_dynamic(inputs))
    {
        dims_t dims = inputs[0].dyn_dims();
        for(const shape& s : inputs)
            dims = compute_broadcasted_dyn_dims(dims, s.dyn_dims());
        return {inputs[0].type(), dims};
    }
    lens_t lens = inputs[0].lens();
    for(const shape& s : inputs)
        lens = compute_broadcasted_lens(lens, s.lens());
    return broadcast_shape(inputs[0], lens, lens.size() - inputs[0].ndim());
}

shape broadcast_axis_shape(const operation& op, const std::vector<shape>& inputs)
{
    const bool from_input = inputs.size() == 2;
    if(any_dynamic(inputs))
    {
        if(!from_input)
            throw exception("a dynamic shape must be broadcast to the shape of another input");
        return {inputs[0].type(), inputs[1].dyn_dims()};
    }
    const lens_t lens      = from_input ? inputs[1].lens() : lens_of(op, "out_lens");
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), lens.size());
    const lens_t& own      = inputs[0].lens();
    lens_t strides(lens.size(), 0);
    // A scalar broadcasts to any shape.
    if(own.size() == 1 && own[0] == 1)
        return {inputs[0].type(), lens, strides};
    if(axis + own.size() > lens.size())
        throw exception("rank " + std::to_string(own.size()) + " at axis " + std::to_string(axis) +
                        " does not fit in " + to_string(lens));
    for(std::size_t i = 0; i < own.size(); ++i)
    {
        if(own[i] != lens[axis + i])
            throw exception(to_string(own) + " at axis " + std::to_string(axis) + " does not broadcast to " +
                            to_string(lens));
        strides[axis + i] = inputs[0].strides()[i];
    }
    return {inputs[0].type(), lens, strides};
}

argument broadcast_axis_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const lens_t& own      = inputs[0].get_shape().lens();
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), s.ndim());
    return gather_from(s, inputs[0], [&](const lens_t& at) {
        std::size_t offset = 0;
        for(std::size_t i = 0; i < own.size(); ++i)
            offset = offset * own[i] + (own[i] == 1 ? 0 : at[axis + i]);
        return offset;
    });
}

/// The batch dimensions of the other input, then the last two of this one.
shape broadcast_for_dot_shape(const operation&, const std::vector<shape>& inputs)
{
    dims_t own = inputs[0].dyn_dims(), other = inputs[1].dyn_dims();
    if(own.size() < 2 || other.size() < 2)
        throw exception("both inputs need a rank of 2 or more");
    const dims_t matrix(own.end() - 2, own.end());
    own.resize(own.size() - 2);
    other.resize(other.size() - 2);
    dims_t dims = compute_broadcasted_dyn_dims(own, other);
    dims.insert(dims.end(), matrix.begin(), matrix.end());
    return shape_from(inputs[0].type(), dims, inputs);
}

shape transpose_shape(const operation& op, const std::vector<shape>& inputs)
{
    const lens_t order = axes_of(op, "permutation", inputs[0].ndim());
    lens_t sorted      = order;
    std::sort(sorted.begin(), sorted.end());
    lens_t all(inputs[0].ndim());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if(sorted != all)
        throw exception("`permutation` " + to_string(order) + " must contain each axis once");
    if(inputs[0].dynamic())
    {
        dims_t dims;
        for(const std::size_t axis : order)
            dims.push_back(inputs[0].dyn_dims()[axis]);
        return {inputs[0].type(), dims};
    }
    lens_t lens, strides;
    for(const std::size_t axis : order)
    {
        lens.push_back(inputs[0].lens()[axis]);
        strides.push_back(inputs[0].strides()[axis]);
    }
    return {inputs[0].type(), lens, strides};
}

argument transpose_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const lens_t order = axes_of(op, "permutation", s.ndim());
    const lens_t& lens = inputs[0].get_shape().lens();
    lens_t from(lens.size());
    return gather_from(s, inputs[0], [&](const lens_t& at) {
        for(std::size_t i = 0; i < order.size(); ++i)
            from[order[i]] = at[i];
        return offset_of(lens, from);
    });
}

shape reshape_shape(const operation& op, const std::vector<shape>& inputs)
{
    const auto dims            = op.get<std::vector<std::int64_t>>("dims");
    const std::size_t elements = inputs[0].elements();
    lens_t lens;
    std::size_t known = 1;
    std::optional<std::size_t> open;
    for(std::size_t i = 0; i < dims.size(); ++i)
    {
        if(dims[i] == -1 && open.has_value())
            throw exception("`dims` has more than one -1");
        if(dims[i] < -1)
            throw exception("`dims` has the length " + std::to_string(dims[i]));
        if(dims[i] == -1)
            open = i;
        else if(dims[i] == 0 && i < inputs[0].ndim() && elements != 0)
            known *= inputs[0].lens()[i];
        else
            known *= static_cast<std::size_t>(dims[i]);
        const bool keeps = dims[i] == 0 && i < inputs[0].ndim() && elements != 0;
        lens.push_back(dims[i] == -1 ? 1 : keeps ? inputs[0].lens()[i] : static_cast<std::size_t>(dims[i]));
    }
    if(open.has_value())
        lens[*open] = known == 0 ? 0 : elements / known;
    const std::size_t made = std::accumulate(lens.begin(), lens.end(), std::size_t{1}, std::multiplies<>());
    if(made != elements)
        throw exception(std::to_string(elements) + " elements do not fit in " + to_string(lens));
    return {inputs[0].type(), lens};
}

/// The given axes have length 1 in the result; for `squeeze` they must have length 1.
shape unsqueeze_shape(const operation& op, const std::vector<shape>& inputs)
{
    const auto given       = op.get<std::vector<std::int64_t>>("axes");
    const std::size_t rank = inputs[0].ndim() + given.size();
    const lens_t axes      = axes_of(op, "axes", rank);
    dims_t dims;
    lens_t strides;
    std::size_t next = 0;
    const dims_t own = inputs[0].dyn_dims();
    for(std::size_t i = 0; i < rank; ++i)
    {
        const bool made = std::find(axes.begin(), axes.end(), i) != axes.end();
        if(!made && next == own.size())
            throw exception("`axes` " + to_string(axes) + " contains an axis twice");
        if(!inputs[0].dynamic())
            strides.push_back(made ? (next < own.size() ? inputs[0].strides()[next] * own[next].min : 1)
                                   : inputs[0].strides()[next]);
        dims.push_back(made ? shape::dynamic_dimension{1, 1} : own[next++]);
    }
    const shape result = shape_from(inputs[0].type(), dims, inputs);
    return result.dynamic() || inputs[0].standard() ? result : shape(result.type(), result.lens(), strides);
}

shape squeeze_shape(const operation& op, const std::vector<shape>& inputs)
{
    const dims_t own  = inputs[0].dyn_dims();
    const lens_t axes = axes_of(op, "axes", own.size());
    dims_t dims;
    lens_t strides;
    for(std::size_t i = 0; i < own.size(); ++i)
    {
        const bool named   = std::find(axes.begin(), axes.end(), i) != axes.end();
        const bool dropped = axes.empty() ? own[i] == shape::dynamic_dimension{1, 1} : named;
        if(named && !(own[i].min <= 1 && own[i].max >= 1))
            throw exception("axis " + std::to_string(i) + " has the length " + std::to_string(own[i].min) + ", not 1");
        if(dropped)
            continue;
        dims.push_back(own[i]);
        if(!inputs[0].dynamic())
            strides.push_back(inputs[0].strides()[i]);
    }
    const shape result = shape_from(inputs[0].type(), dims, inputs);
    return result.dynamic() ? result : shape(result.type(), result.lens(), strides);
}

argument reshape_value(const operation&, const shape& s, const std::vector<argument>& inputs)
{
    return inputs[0].reshaped(s);
}

operation_signature signature(value attributes, std::size_t least, std::size_t most, operation_rule rule)
{
    operation_signature op;
    op.attributes   = std::move(attributes);
    op.least_inputs = least;
    op.most_inputs  = most;
    op.rule         = std::move(rule);
    return op;
}

} // namespace

void register_layout_ops(op_table_t& table)
{
    const value none = value(value::array{});
    table["multibroadcast"] =
        signature(value({attribute("out_lens", none), attribute("out_dyn_dims", none)}), 1, SIZE_MAX,
                  {multibroadcast_shape, broadcast_value});
    table["broadcast"] = signature(value({attribute("axis", 0), attribute("out_lens", none)}), 1, 2,
                                   {broadcast_axis_shape, broadcast_axis_value});
    table["broadcast_for_dot"] =
        signature(value(value::object{}), 2, 2, {broadcast_for_dot_shape, broadcast_value});
    table["transpose"] =
        signature(value({attribute("permutation", none)}), 1, 1, {transpose_shape, transpose_value});
    table["reshape"]   = signature(value({attribute("dims", none)}), 1, 1, {reshape_shape, reshape_value});
    table["unsqueeze"] = signature(value({attribute("axes", none)}), 1, 1, {unsqueeze_shape, reshape_value});
    table["squeeze"]   = signature(value({attribute("axes", none)}), 1, 1, {squeeze_shape, reshape_value});
}

void register_builtin_ops(op_table_t& table)
{
    register_elementwise_ops(table);
    register_layout_ops(table);
    register_indexing_ops(table);
    register_matrix_ops(table);
    register_quantization_ops(table);
}

} // namespace torchgen_support
