// torchgen_comment
#include "builder_rules.h"

#include <algorithm>

namespace torchgen_support {

namespace {

using ints = std::vector<std::int64_t>;

/// The bounds of a slice on each axis. Negative bounds count from the end; bounds are clamped to the length.
std::vector<std::pair<std::size_t, std::size_t>> slice_bounds(const operation& op, const lens_t& lens)
{
    std::vector<std::pair<std::size_t, std::size_t>> bounds;
    for(const std::size_t len : lens)
        bounds.emplace_back(0, len);
    const lens_t axes = axes_of(op, "axes", lens.size());
    const ints starts = op.get<ints>("starts"), ends = op.get<ints>("ends");
    if(starts.size() != axes.size() || ends.size() != axes.size())
        throw exception("`axes`, `starts` and `ends` have different lengths");
    for(std::size_t i = 0; i < axes.size(); ++i)
    {
        const auto len   = static_cast<std::int64_t>(lens[axes[i]]);
        const auto bound = [&](std::int64_t x) { return std::clamp<std::int64_t>(x < 0 ? x + len : x, 0, len); };
        const auto begin = bound(starts[i]), end = std::max(bound(starts[i]), bound(ends[i]));
        bounds[axes[i]] = {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
    }
    return bounds;
}

shape slice_shape(const operation& op, const std::vector<shape>& inputs)
{
    lens_t lens;
    for(const auto& [begin, end] : slice_bounds(op, inputs[0].lens()))
        lens.push_back(end - begin);
    return {inputs[0].type(), lens, inputs[0].strides()};
}

argument slice_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const lens_t& lens = inputs[0].get_shape().lens();
    const auto bounds  = slice_bounds(op, lens);
    lens_t from(lens.size());
    return gather_from(s, inputs[0], [&](const lens_t& at) {
        for(std::size_t i = 0; i < at.size(); ++i)
            from[i] = at[i] + bounds[i].first;
        return offset_of(lens, from);
    });
}

shape concat_shape(const operation& op, const std::vector<shape>& inputs)
{
    lens_t lens            = inputs[0].lens();
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), lens.size());
    lens[axis]             = 0;
    for(const shape& s : inputs)
    {
        if(s.ndim() != lens.size() || s.type() != inputs[0].type())
            throw exception("the inputs have different ranks or types");
        for(std::size_t i = 0; i < lens.size(); ++i)
        {
            if(i != axis && s.lens()[i] != lens[i])
                throw exception("the inputs differ on axis " + std::to_string(i) + ", not only on " +
                                std::to_string(axis));
        }
        lens[axis] += s.lens()[axis];
    }
    return {inputs[0].type(), lens};
}

argument concat_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), s.ndim());
    argument result(s);
    walker at(s.lens());
    for(std::size_t i = 0; i < result.elements(); ++i, at.next())
    {
        lens_t from       = *at;
        std::size_t which = 0;
        while(from[axis] >= inputs[which].get_shape().lens()[axis])
            from[axis] -= inputs[which++].get_shape().lens()[axis];
        result.copy(i, inputs[which], offset_of(inputs[which].get_shape().lens(), from));
    }
    return result;
}

/// `pads` lists the padding before each axis, then that after each axis.
shape pad_shape(const operation& op, const std::vector<shape>& inputs)
{
    const ints pads = op.get<ints>("pads");
    lens_t lens     = inputs[0].lens();
    if(pads.size() != 2 * lens.size())
        throw exception("`pads` has " + std::to_string(pads.size()) + " items for rank " + std::to_string(lens.size()));
    for(std::size_t i = 0; i < lens.size(); ++i)
        lens[i] = static_cast<std::size_t>(static_cast<std::int64_t>(lens[i]) + pads[i] + pads[i + lens.size()]);
    return {inputs[0].type(), lens};
}

argument pad_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const ints pads    = op.get<ints>("pads");
    const double fill  = op.get<double>("value");
    const lens_t& lens = inputs[0].get_shape().lens();
    argument result(s);
    walker at(s.lens());
    for(std::size_t i = 0; i < result.elements(); ++i, at.next())
    {
        lens_t from = *at;
        bool inside = true;
        for(std::size_t axis = 0; axis < lens.size(); ++axis)
        {
            const std::int64_t place = static_cast<std::int64_t>(from[axis]) - pads[axis];
            inside                   = inside && place >= 0 && place < static_cast<std::int64_t>(lens[axis]);
            from[axis]               = inside ? static_cast<std::size_t>(place) : 0;
        }
        if(inside)
            result.copy(i, inputs[0], offset_of(lens, from));
        else
            result.set(i, fill);
    }
    return result;
}

std::size_t checked_index(std::int64_t index, std::size_t len)
{
    const auto n = static_cast<std::int64_t>(len);
    if(index < -n || index >= n)
        throw exception("index " + std::to_string(index) + " is out of range for length " + std::to_string(len));
    return static_cast<std::size_t>(index < 0 ? index + n : index);
}

shape gather_shape(const operation& op, const std::vector<shape>& inputs)
{
    lens_t lens            = inputs[0].lens();
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), lens.size());
    const auto place       = lens.erase(lens.begin() + static_cast<std::ptrdiff_t>(axis));
    lens.insert(place, inputs[1].lens().begin(), inputs[1].lens().end());
    return {inputs[0].type(), lens};
}

argument gather_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const lens_t& lens        = inputs[0].get_shape().lens();
    const lens_t& index_lens  = inputs[1].get_shape().lens();
    const std::size_t axis    = tune_axis(op.get<std::int64_t>("axis"), lens.size());
    const auto first          = static_cast<std::ptrdiff_t>(axis);
    const std::ptrdiff_t last = first + static_cast<std::ptrdiff_t>(index_lens.size());
    return gather_from(s, inputs[0], [&](const lens_t& at) {
        const lens_t index(at.begin() + first, at.begin() + last);
        lens_t from(at.begin(), at.begin() + first);
        from.push_back(checked_index(inputs[1].integer(offset_of(index_lens, index)), lens[axis]));
        from.insert(from.end(), at.begin() + last, at.end());
        return offset_of(lens, from);
    });
}

/// The number of axes that the last axis of the indices selects from.
std::size_t picked_axes(const operation& op, const std::vector<lens_t>& lens)
{
    const auto batch = op.get<std::size_t>("batch_dims");
    if(lens[1].empty() || batch >= lens[1].size())
        throw exception("`batch_dims` is " + std::to_string(batch) + " for indices of rank " +
                        std::to_string(lens[1].size()));
    const std::size_t picked = lens[1].back();
    if(batch + picked > lens[0].size())
        throw exception("the indices select from " + std::to_string(picked) + " axes after " + std::to_string(batch) +
                        ", but the data has rank " + std::to_string(lens[0].size()));
    for(std::size_t i = 0; i < batch; ++i)
    {
        if(lens[0][i] != lens[1][i])
            throw exception("data and indices differ on batch axis " + std::to_string(i));
    }
    return picked;
}

shape gathernd_shape(const operation& op, const std::vector<shape>& inputs)
{
    const lens_t& data       = inputs[0].lens();
    const lens_t& index      = inputs[1].lens();
    const std::size_t picked = picked_axes(op, {data, index});
    const auto rest          = static_cast<std::ptrdiff_t>(op.get<std::size_t>("batch_dims") + picked);
    lens_t lens(index.begin(), index.end() - 1);
    lens.insert(lens.end(), data.begin() + rest, data.end());
    return {inputs[0].type(), lens};
}

argument gathernd_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const lens_t& data  = inputs[0].get_shape().lens();
    const lens_t& index = inputs[1].get_shape().lens();
    const std::size_t picked = picked_axes(op, {data, index});
    const auto batch         = static_cast<std::ptrdiff_t>(op.get<std::size_t>("batch_dims"));
    const auto outer         = static_cast<std::ptrdiff_t>(index.size() - 1);
    return gather_from(s, inputs[0], [&](const lens_t& at) {
        lens_t place(at.begin(), at.begin() + outer);
        place.push_back(0);
        lens_t from(at.begin(), at.begin() + batch);
        for(std::size_t k = 0; k < picked; ++k)
        {
            place.back() = k;
            from.push_back(checked_index(inputs[1].integer(offset_of(index, place)), data[from.size()]));
        }
        from.insert(from.end(), at.begin() + outer, at.end());
        return offset_of(data, from);
    });
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

void register_indexing_ops(op_table_t& table)
{
    const value none = value(value::array{});
    table["slice"] =
        signature(value({attribute("axes", none), attribute("starts", none), attribute("ends", none)}), 1, 1,
                  {slice_shape, slice_value});
    table["concat"] = signature(value({attribute("axis", 0)}), 1, SIZE_MAX, {concat_shape, concat_value});
    table["pad"] =
        signature(value({attribute("pads", none), attribute("value", 0.0)}), 1, 1, {pad_shape, pad_value});
    table["gather"]   = signature(value({attribute("axis", 0)}), 2, 2, {gather_shape, gather_value});
    table["gathernd"] = signature(value({attribute("batch_dims", 0)}), 2, 2, {gathernd_shape, gathernd_value});
}

} // namespace torchgen_support
