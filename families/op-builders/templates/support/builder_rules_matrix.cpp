// torchgen_comment
#include "builder_rules.h"

#include <algorithm>

namespace torchgen_support {

namespace {

using ints = std::vector<std::int64_t>;

/// A matrix product over the last two axes; batch axes must be equal.
shape::type_t dot_type(const operation& op, const shape& a, const shape& b)
{
    if(a.type() != b.type())
        throw exception("the inputs have different types");
    return op.name() == "quant_dot" ? shape::int32_type : a.type();
}

shape dot_shape(const operation& op, const std::vector<shape>& inputs)
{
    const dims_t a = inputs[0].dyn_dims(), b = inputs[1].dyn_dims();
    const std::size_t rank = a.size();
    if(rank < 2 || b.size() != rank)
        throw exception("both inputs need the same rank, 2 or more");
    dims_t dims = a;
    for(std::size_t i = 0; i + 2 < rank; ++i)
    {
        const auto both = a[i].intersection(b[i]);
        if(!both.has_value())
            throw exception("the inputs differ on batch axis " + std::to_string(i));
        dims[i] = *both;
    }
    if(!a[rank - 1].intersection(b[rank - 2]).has_value())
        throw exception("the inner lengths " + std::to_string(a[rank - 1].max) + " and " +
                        std::to_string(b[rank - 2].max) + " differ");
    dims[rank - 1] = b[rank - 1];
    return shape_from(dot_type(op, inputs[0], inputs[1]), dims, inputs);
}

argument dot_value(const operation&, const shape& s, const std::vector<argument>& inputs)
{
    const lens_t& a        = inputs[0].get_shape().lens();
    const lens_t& b        = inputs[1].get_shape().lens();
    const std::size_t rank = a.size(), inner = a[rank - 1];
    argument result(s);
    walker at(s.lens());
    for(std::size_t i = 0; i < result.elements(); ++i, at.next())
    {
        lens_t left = *at, right = *at;
        double sum         = 0;
        std::int64_t whole = 0;
        for(std::size_t k = 0; k < inner; ++k)
        {
            left[rank - 1] = right[rank - 2] = k;
            const std::size_t x = offset_of(a, left), y = offset_of(b, right);
            if(inputs[0].integral())
                whole += inputs[0].integer(x) * inputs[1].integer(y);
            else
                sum += inputs[0].real(x) * inputs[1].real(y);
        }
        if(inputs[0].integral())
            result.set(i, whole);
        else
            result.set(i, sum);
    }
    return result;
}

/// The padding before and after each spatial axis; computed from the lengths if it is "same".
std::vector<std::pair<std::size_t, std::size_t>>
paddings_of(const operation& op, const lens_t& x, const lens_t& w, const lens_t& stride, const lens_t& dilation)
{
    const std::size_t spatial = x.size() - 2;
    const ints padding        = op.get<ints>("padding");
    const auto mode           = op.get<std::int64_t>("padding_mode");
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for(std::size_t i = 0; i < spatial; ++i)
    {
        if(mode == 0)
        {
            const std::size_t behind = padding.size() == 2 * spatial ? i + spatial : i;
            result.emplace_back(static_cast<std::size_t>(padding.at(i)), static_cast<std::size_t>(padding.at(behind)));
            continue;
        }
        const std::size_t kernel = (w[i + 2] - 1) * dilation[i] + 1;
        const std::size_t out    = (x[i + 2] + stride[i] - 1) / stride[i];
        const std::size_t needed = out == 0 ? 0 : (out - 1) * stride[i] + kernel;
        const std::size_t total  = needed > x[i + 2] ? needed - x[i + 2] : 0;
        const std::size_t less   = total / 2;
        // An odd element goes before in mode 1, and after in mode 2.
        result.emplace_back(mode == 1 ? total - less : less, mode == 1 ? less : total - less);
    }
    return result;
}

lens_t convolution_lens(const operation& op, const lens_t& x, const lens_t& w)
{
    const lens_t stride = lens_of(op, "stride"), dilation = lens_of(op, "dilation");
    const auto group    = op.get<std::size_t>("group");
    if(x.size() < 3 || w.size() != x.size())
        throw exception("both inputs need the same rank, 3 or more");
    if(stride.size() != x.size() - 2 || dilation.size() != x.size() - 2)
        throw exception("`stride` and `dilation` need one item for each spatial axis");
    if(group == 0 || w[0] % group != 0 || x[1] != w[1] * group)
        throw exception("the channels do not fit: " + std::to_string(x[1]) + " of the input, " +
                        std::to_string(w[1]) + " of the weights, " + std::to_string(group) + " groups");
    const auto pads = paddings_of(op, x, w, stride, dilation);
    lens_t lens{x[0], w[0]};
    for(std::size_t i = 0; i < pads.size(); ++i)
    {
        const std::size_t kernel = (w[i + 2] - 1) * dilation[i] + 1;
        const std::size_t padded = x[i + 2] + pads[i].first + pads[i].second;
        lens.push_back(padded < kernel ? 0 : (padded - kernel) / stride[i] + 1);
    }
    return lens;
}

shape convolution_shape(const operation& op, const std::vector<shape>& inputs)
{
    const shape::type_t type = op.name() == "quant_convolution" ? shape::int32_type : inputs[0].type();
    if(inputs[0].type() != inputs[1].type())
        throw exception("the inputs have different types");
    if(!any_dynamic(inputs))
        return {type, convolution_lens(op, inputs[0].lens(), inputs[1].lens())};
    lens_t least;
    for(const auto& range : inputs[0].dyn_dims())
        least.push_back(range.min);
    const lens_t w   = inputs[1].max_lens();
    const lens_t low = convolution_lens(op, least, w), high = convolution_lens(op, inputs[0].max_lens(), w);
    dims_t dims;
    for(std::size_t i = 0; i < low.size(); ++i)
        dims.push_back({low[i], high[i]});
    return {type, dims};
}

argument convolution_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const lens_t& x     = inputs[0].get_shape().lens();
    const lens_t& w     = inputs[1].get_shape().lens();
    const lens_t stride = lens_of(op, "stride"), dilation = lens_of(op, "dilation");
    const auto pads     = paddings_of(op, x, w, stride, dilation);
    const std::size_t per_group = w[0] / op.get<std::size_t>("group");
    std::size_t taps            = 1;
    for(std::size_t i = 1; i < w.size(); ++i)
        taps *= w[i];
    argument result(s);
    walker at(s.lens());
    for(std::size_t i = 0; i < result.elements(); ++i, at.next())
    {
        double sum         = 0;
        std::int64_t whole = 0;
        walker tap(lens_t(w.begin() + 1, w.end()));
        for(std::size_t k = 0; k < taps; ++k, tap.next())
        {
            lens_t from{(*at)[0], (*at)[1] / per_group * w[1] + (*tap)[0]};
            bool inside = true;
            for(std::size_t axis = 0; axis < pads.size(); ++axis)
            {
                const std::size_t place = (*at)[axis + 2] * stride[axis] + (*tap)[axis + 1] * dilation[axis];
                inside = inside && place >= pads[axis].first && place - pads[axis].first < x[axis + 2];
                from.push_back(inside ? place - pads[axis].first : 0);
            }
            if(!inside)
                continue;
            const std::size_t a = offset_of(x, from), b = (*at)[1] * taps + k;
            if(inputs[0].integral())
                whole += inputs[0].integer(a) * inputs[1].integer(b);
            else
                sum += inputs[0].real(a) * inputs[1].real(b);
        }
        if(inputs[0].integral())
            result.set(i, whole);
        else
            result.set(i, sum);
    }
    return result;
}

shape reduce_shape(const operation& op, const std::vector<shape>& inputs)
{
    dims_t dims = inputs[0].dyn_dims();
    lens_t axes = axes_of(op, "axes", dims.size());
    for(std::size_t i = 0; i < dims.size(); ++i)
    {
        if(axes.empty() || std::find(axes.begin(), axes.end(), i) != axes.end())
            dims[i] = {1, 1};
    }
    return shape_from(inputs[0].type(), dims, inputs);
}

argument reduce_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const argument& x = inputs[0];
    std::vector<double> sums(s.elements(), 0.0);
    std::vector<std::int64_t> wholes(s.elements(), 0);
    walker at(x.get_shape().lens());
    const bool largest = op.name() == "reduce_max";
    std::vector<bool> begun(s.elements(), false);
    for(std::size_t i = 0; i < x.elements(); ++i, at.next())
    {
        const std::size_t to = broadcast_offset(s.lens(), *at);
        if(largest && begun[to])
        {
            sums[to]   = std::max(sums[to], x.real(i));
            wholes[to] = std::max(wholes[to], x.integer(i));
        }
        else
        {
            sums[to] += x.real(i);
            wholes[to] += x.integer(i);
        }
        begun[to] = true;
    }
    const double count = static_cast<double>(x.elements()) / static_cast<double>(std::max<std::size_t>(1, s.elements()));
    argument result(s);
    for(std::size_t i = 0; i < result.elements(); ++i)
    {
        if(op.name() == "reduce_mean")
            result.set(i, sums[i] / count);
        else if(x.integral())
            result.set(i, wholes[i]);
        else
            result.set(i, sums[i]);
    }
    return result;
}

operation_signature signature(value attributes, std::size_t inputs, operation_rule rule)
{
    operation_signature op;
    op.attributes   = std::move(attributes);
    op.least_inputs = op.most_inputs = inputs;
    op.rule                          = std::move(rule);
    return op;
}

} // namespace

void register_matrix_ops(op_table_t& table)
{
    const value none = value(value::array{});
    for(const char* name : {"dot", "quant_dot"})
        table[name] = signature(value(value::object{}), 2, {dot_shape, dot_value});
    for(const char* name : {"convolution", "quant_convolution"})
        table[name] = signature(value({attribute("padding", none), attribute("stride", none),
                                       attribute("dilation", none), attribute("group", 1),
                                       attribute("padding_mode", 0)}),
                                2, {convolution_shape, convolution_value});
    for(const char* name : {"reduce_sum", "reduce_mean", "reduce_max"})
        table[name] = signature(value({attribute("axes", none)}), 1, {reduce_shape, reduce_value});
}

} // namespace torchgen_support
