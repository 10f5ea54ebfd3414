// torchgen_comment
#include "builder_argument.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace torchgen_support {

namespace {

/// A small floating-point format.
struct format
{
    int mantissa;     // bits after the point
    int least;        // exponent of the smallest normal number
    double largest;   // largest finite number
    bool has_infinity;
};

double round_to(const format& f, double x)
{
    if(x == 0.0 || std::isnan(x))
        return x;
    const double over = f.has_infinity ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    if(std::isinf(x))
        return std::copysign(over, x);
    const int exponent = std::max(std::ilogb(x), f.least);
    const double step  = std::ldexp(1.0, exponent - f.mantissa);
    const double y     = std::nearbyint(x / step) * step;
    return std::fabs(y) > f.largest ? std::copysign(over, x) : y;
}

} // namespace

double round_to(shape::type_t type, double x)
{
    switch(type)
    {
    case shape::float_type: return static_cast<double>(static_cast<float>(x));
    case shape::bool_type: return x == 0.0 ? 0.0 : 1.0;
    case shape::half_type: return round_to(format{10, -14, 65504.0, true}, x);
    case shape::bf16_type: return round_to(format{7, -126, 3.3895313892515355e38, true}, x);
    case shape::fp8e4m3fn_type: return round_to(format{3, -6, 448.0, false}, x);
    case shape::fp8e4m3fnuz_type: return round_to(format{3, -7, 240.0, false}, x);
    case shape::fp8e5m2_type: return round_to(format{2, -14, 57344.0, true}, x);
    case shape::fp8e5m2fnuz_type: return round_to(format{2, -15, 57344.0, false}, x);
    default: return x;
    }
}

std::int64_t wrap_to(shape::type_t type, std::int64_t x)
{
    switch(type)
    {
    case shape::fp4x2_type:
    case shape::uint8_type: return static_cast<std::uint8_t>(x);
    case shape::int8_type: return static_cast<std::int8_t>(x);
    case shape::uint16_type: return static_cast<std::uint16_t>(x);
    case shape::int16_type: return static_cast<std::int16_t>(x);
    case shape::uint32_type: return static_cast<std::uint32_t>(x);
    case shape::int32_type: return static_cast<std::int32_t>(x);
    default: return x;
    }
}

argument::argument(const shape& s) : own_shape(s)
{
    if(integral())
        integers.resize(s.elements());
    else
        floats.resize(s.elements());
}

void argument::wrong_count(std::size_t count) const
{
    throw exception("a tensor of shape " + to_string(own_shape) + " has " + std::to_string(elements()) +
                    " elements, not " + std::to_string(count));
}

void argument::set(std::size_t i, double x)
{
    if(!integral())
    {
        floats[i] = round_to(own_shape.type(), x);
        return;
    }
    const double whole = std::isnan(x) ? 0.0 : std::trunc(x);
    const auto limit   = static_cast<double>(std::numeric_limits<std::int64_t>::max());
    const bool fits    = std::fabs(whole) < limit;
    integers[i] = wrap_to(own_shape.type(), fits        ? static_cast<std::int64_t>(whole)
                                            : whole > 0 ? std::numeric_limits<std::int64_t>::max()
                                                        : std::numeric_limits<std::int64_t>::min());
}

void argument::set(std::size_t i, std::int64_t x)
{
    if(integral())
        integers[i] = wrap_to(own_shape.type(), x);
    else
        floats[i] = round_to(own_shape.type(), static_cast<double>(x));
}

void argument::copy(std::size_t i, const argument& from, std::size_t j)
{
    if(from.integral())
        set(i, from.integers[j]);
    else
        set(i, from.floats[j]);
}

argument argument::reshaped(const shape& s) const
{
    if(s.elements() != elements())
        throw exception("a tensor with " + std::to_string(elements()) + " elements has no shape " + to_string(s));
    argument result  = *this;
    result.own_shape = s;
    return result;
}

bool operator==(const argument& a, const argument& b)
{
    const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
    return a.own_shape == b.own_shape && a.integers == b.integers &&
           std::equal(a.floats.begin(), a.floats.end(), b.floats.begin(), b.floats.end(), same);
}

std::ostream& operator<<(std::ostream& os, const argument& x)
{
    constexpr std::size_t shown = 16;
    os << "{";
    for(std::size_t i = 0; i < std::min(x.elements(), shown); ++i)
    {
        os << (i == 0 ? "" : ", ");
        if(x.integral())
            os << x.integer(i);
        else
            os << x.real(i);
    }
    return os << (x.elements() > shown ? ", ..." : "") << "}";
}

} // namespace torchgen_support
