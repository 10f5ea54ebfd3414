// torchgen_comment
#include "builder_shape.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <ostream>
#include <sstream>

namespace torchgen_support {

namespace {

const char* const type_names[] = {"bool_type", "half_type", "float_type", "double_type", "uint8_type", "int8_type",
    "uint16_type", "int16_type", "int32_type", "int64_type", "uint32_type", "uint64_type", "fp8e4m3fnuz_type",
    "fp8e4m3fn_type", "fp8e5m2_type", "bf16_type", "fp8e5m2fnuz_type", "fp4x2_type"};
constexpr std::int64_t type_count = sizeof(type_names) / sizeof(type_names[0]);

std::vector<std::size_t> packed_strides(const std::vector<std::size_t>& lens)
{
    std::vector<std::size_t> strides(lens.size());
    std::size_t step = 1;
    for(std::size_t i = lens.size(); i-- > 0;)
    {
        strides[i] = step;
        step *= lens[i];
    }
    return strides;
}

} // namespace

std::optional<shape::dynamic_dimension>
shape::dynamic_dimension::intersection(const dynamic_dimension& other) const
{
    const dynamic_dimension both{std::max(min, other.min), std::min(max, other.max)};
    return both.min <= both.max ? std::optional<dynamic_dimension>(both) : std::nullopt;
}

shape::shape(type_t type, std::vector<std::size_t> lens)
    : own_type(type), own_lens(std::move(lens)), own_strides(packed_strides(own_lens))
{
}

shape::shape(type_t type, std::vector<std::size_t> lens, std::vector<std::size_t> strides)
    : own_type(type), own_lens(std::move(lens)), own_strides(std::move(strides))
{
    if(own_lens.size() != own_strides.size())
        throw exception("a shape needs one stride for each length, not " + std::to_string(own_strides.size()) + " for " +
                        std::to_string(own_lens.size()));
}

const std::vector<std::size_t>& shape::lens() const
{
    if(is_dynamic)
        throw exception("the lengths of a dynamic shape are not known: " + to_string(*this));
    return own_lens;
}

const std::vector<std::size_t>& shape::strides() const
{
    if(is_dynamic)
        throw exception("the strides of a dynamic shape are not known: " + to_string(*this));
    return own_strides;
}

std::vector<shape::dynamic_dimension> shape::dyn_dims() const
{
    if(is_dynamic)
        return ranges;
    std::vector<dynamic_dimension> dims;
    for(const std::size_t len : own_lens)
        dims.push_back({len, len});
    return dims;
}

std::vector<std::size_t> shape::max_lens() const
{
    if(!is_dynamic)
        return own_lens;
    std::vector<std::size_t> lens;
    for(const auto& range : ranges)
        lens.push_back(range.max);
    return lens;
}

std::size_t shape::elements() const
{
    return std::accumulate(lens().begin(), lens().end(), std::size_t{1}, std::multiplies<>());
}

bool shape::standard() const { return !is_dynamic && own_strides == packed_strides(own_lens); }

bool shape::packed() const
{
    if(is_dynamic)
        return false;
    std::vector<std::size_t> order(own_lens.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return own_strides[a] > own_strides[b]; });
    std::size_t step = 1;
    for(std::size_t i = order.size(); i-- > 0;)
    {
        if(own_strides[order[i]] != step)
            return false;
        step *= own_lens[order[i]];
    }
    return true;
}

bool shape::scalar() const
{
    return !is_dynamic && std::all_of(own_strides.begin(), own_strides.end(), [](std::size_t s) { return s == 0; });
}

shape shape::with_type(type_t type) const
{
    shape result    = *this;
    result.own_type = type;
    return result;
}

bool operator==(const shape& a, const shape& b)
{
    return a.own_type == b.own_type && a.is_dynamic == b.is_dynamic && a.own_lens == b.own_lens &&
           a.own_strides == b.own_strides && a.ranges == b.ranges;
}

std::ostream& operator<<(std::ostream& os, const shape& s)
{
    os << shape::name(s.type());
    if(!s.dynamic())
    {
        os << to_string(s.lens());
        return s.standard() ? os : os << " strides " << to_string(s.strides());
    }
    os << "{";
    const char* comma = "";
    for(const auto& range : s.dyn_dims())
    {
        os << comma << "[" << range.min << ", " << range.max << "]";
        comma = ", ";
    }
    return os << "}";
}

std::string shape::name(type_t type) { return type_names[type]; }

shape::type_t enum_from_value(const value& v, shape::type_t)
{
    if(v.is_string())
    {
        for(std::int64_t i = 0; i < type_count; ++i)
        {
            const std::string name = type_names[i];
            if(v.get_string() == name || v.get_string() + "_type" == name)
                return static_cast<shape::type_t>(i);
        }
        const std::vector<std::string> names(type_names, type_names + type_count);
        throw exception("must be an element type, not " + to_string(v) + did_you_mean(v.get_string(), names));
    }
    if(!v.is_int64() && !v.is_uint64())
        detail::wrong_type(v, "an element type");
    const std::int64_t number = detail::to_integer(v);
    if(number < 0 || number >= type_count)
        throw exception("must be an element type, not " + std::to_string(number));
    return static_cast<shape::type_t>(number);
}

std::string to_string(const shape& s)
{
    std::ostringstream text;
    text << s;
    return text.str();
}

std::string to_string(const std::vector<std::size_t>& lens)
{
    std::string text;
    for(const std::size_t len : lens)
        text += (text.empty() ? "" : ", ") + std::to_string(len);
    return "{" + text + "}";
}

value to_value(const std::vector<shape::dynamic_dimension>& dims)
{
    value::array ranges;
    for(const auto& range : dims)
        ranges.push_back(value(value::array{value(range.min), value(range.max)}));
    return value(std::move(ranges));
}

std::vector<shape::dynamic_dimension> dyn_dims_from_value(const value& v)
{
    std::vector<shape::dynamic_dimension> dims;
    for(const value& range : v)
    {
        if(range.size() != 2)
            throw exception("a range of lengths must be a pair, not " + to_string(range));
        const auto bound = [&](std::size_t i) { return static_cast<std::size_t>(detail::to_integer(range.items()[i])); };
        dims.push_back({bound(0), bound(1)});
    }
    return dims;
}

} // namespace torchgen_support
