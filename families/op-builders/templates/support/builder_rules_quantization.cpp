// torchgen_comment
#include "builder_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace torchgen_support {

namespace {

/// The smallest and the largest value of a type.
std::pair<double, double> range_of(shape::type_t type)
{
    switch(type)
    {
    case shape::int8_type: return {-128.0, 127.0};
    case shape::uint8_type: return {0.0, 255.0};
    case shape::int16_type: return {-32768.0, 32767.0};
    case shape::uint16_type: return {0.0, 65535.0};
    case shape::int32_type: return {-2147483648.0, 2147483647.0};
    case shape::uint32_type: return {0.0, 4294967295.0};
    case shape::fp8e4m3fn_type: return {-448.0, 448.0};
    case shape::fp8e4m3fnuz_type: return {-240.0, 240.0};
    case shape::fp8e5m2_type:
    case shape::fp8e5m2fnuz_type: return {-57344.0, 57344.0};
    case shape::half_type: return {-65504.0, 65504.0};
    default: return {-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    }
}

void require_same_lens(const std::vector<shape>& inputs)
{
    for(const shape& s : inputs)
    {
        if(s.lens() != inputs[0].lens())
            throw exception("the inputs have different lengths");
    }
}

shape quantize_shape(const operation& op, const std::vector<shape>& inputs)
{
    require_same_lens(inputs);
    if(inputs[0].type() != inputs[1].type())
        throw exception("the input and the scale have different types");
    const auto asked = op.get<std::optional<shape::type_t>>("out_type");
    const auto type  = asked.has_value() ? *asked : inputs.size() == 3 ? inputs[2].type() : shape::uint8_type;
    return {type, inputs[0].lens()};
}

argument quantize_value(const operation&, const shape& s, const std::vector<argument>& inputs)
{
    const auto [least, greatest] = range_of(s.type());
    argument result(s);
    for(std::size_t i = 0; i < result.elements(); ++i)
    {
        const double zero = inputs.size() == 3 ? inputs[2].real(i) : 0.0;
        const double x    = std::nearbyint(inputs[0].real(i) / inputs[1].real(i)) + zero;
        result.set(i, std::isnan(x) ? x : std::clamp(x, least, greatest));
    }
    return result;
}

shape dequantize_shape(const operation&, const std::vector<shape>& inputs)
{
    require_same_lens(inputs);
    if(inputs.size() == 3 && inputs[2].type() != inputs[0].type())
        throw exception("the input and the zero point have different types");
    return {inputs[1].type(), inputs[0].lens()};
}

argument dequantize_value(const operation&, const shape& s, const std::vector<argument>& inputs)
{
    argument result(s);
    for(std::size_t i = 0; i < result.elements(); ++i)
    {
        const double zero = inputs.size() == 3 ? inputs[2].real(i) : 0.0;
        result.set(i, (inputs[0].real(i) - zero) * inputs[1].real(i));
    }
    return result;
}

/// Four-bit numbers: a sign bit, two exponent bits, one mantissa bit.
const double fp4_values[] = {0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0};

std::int64_t fp4_code(double x)
{
    // With one mantissa bit, steps are 0.5 below 2, 1 below 4, and 2 above.
    const double size = std::isnan(x) ? 6.0 : std::min(std::fabs(x), 6.0);
    const double step = size < 2.0 ? 0.5 : size < 4.0 ? 1.0 : 2.0;
    const double near = std::nearbyint(size / step) * step;
    const auto found  = std::find(std::begin(fp4_values), std::end(fp4_values), near);
    return (found - std::begin(fp4_values)) + (std::signbit(x) ? 8 : 0);
}

double fp4_value(std::int64_t code)
{
    const double size = fp4_values[code & 7];
    return (code & 8) != 0 ? -size : size;
}

/// Packs two numbers into a byte, the first into its low half; the length of the axis is halved.
shape pack_shape(const operation& op, const std::vector<shape>& inputs)
{
    lens_t lens            = inputs[0].lens();
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), lens.size());
    if(lens[axis] % 2 != 0)
        throw exception("axis " + std::to_string(axis) + " has the odd length " + std::to_string(lens[axis]));
    lens[axis] /= 2;
    return {shape::fp4x2_type, lens};
}

shape unpack_shape(const operation& op, const std::vector<shape>& inputs)
{
    lens_t lens            = inputs[0].lens();
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), lens.size());
    lens[axis] *= 2;
    return {shape::fp8e4m3fn_type, lens};
}

argument pack_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), s.ndim());
    const lens_t& lens     = inputs[0].get_shape().lens();
    argument result(s);
    walker at(s.lens());
    for(std::size_t i = 0; i < result.elements(); ++i, at.next())
    {
        lens_t from = *at;
        from[axis] *= 2;
        const std::int64_t low = fp4_code(inputs[0].real(offset_of(lens, from)));
        ++from[axis];
        result.set(i, low + 16 * fp4_code(inputs[0].real(offset_of(lens, from))));
    }
    return result;
}

argument unpack_value(const operation& op, const shape& s, const std::vector<argument>& inputs)
{
    const std::size_t axis = tune_axis(op.get<std::int64_t>("axis"), s.ndim());
    const lens_t& lens     = inputs[0].get_shape().lens();
    argument result(s);
    walker at(s.lens());
    for(std::size_t i = 0; i < result.elements(); ++i, at.next())
    {
        lens_t from     = *at;
        const bool high = from[axis] % 2 == 1;
        from[axis] /= 2;
        const std::int64_t both = inputs[0].integer(offset_of(lens, from));
        result.set(i, fp4_value(high ? both / 16 : both % 16));
    }
    return result;
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

void register_quantization_ops(op_table_t& table)
{
    table["quantizelinear"] =
        signature(value({attribute("out_type", nullptr)}), 2, 3, {quantize_shape, quantize_value});
    table["dequantizelinear"] = signature(value(value::object{}), 2, 3, {dequantize_shape, dequantize_value});
    table["pack_fp4"]   = signature(value({attribute("axis", -1)}), 1, 1, {pack_shape, pack_value});
    table["unpack_fp4"] = signature(value({attribute("axis", -1)}), 1, 1, {unpack_shape, unpack_value});
}

} // namespace torchgen_support
