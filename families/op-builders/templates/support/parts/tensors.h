// The functions of bodies on tensors.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tensors_target.h"

#include "builder_expr.h"

namespace torchgen_support::torchgen_builders::expr {

inline std::int64_t ndim(instruction_ref x) { return static_cast<std::int64_t>(x->get_shape().ndim()); }
inline list lens(instruction_ref x) { return list_as<std::int64_t>(x->get_shape().lens()); }
inline list max_lens(instruction_ref x) { return list_as<std::int64_t>(x->get_shape().max_lens()); }
inline list strides(instruction_ref x) { return list_as<std::int64_t>(x->get_shape().strides()); }
inline shape::type_t type(instruction_ref x) { return x->get_shape().type(); }
inline std::int64_t elements(instruction_ref x) { return static_cast<std::int64_t>(x->get_shape().elements()); }
inline bool dynamic(instruction_ref x) { return x->get_shape().dynamic(); }

/// Whether the length of an axis from `from` on is unknown.
inline bool open_axes(instruction_ref x, std::int64_t from)
{
    if(!x->get_shape().dynamic())
        return false;
    const auto dims = x->get_shape().dyn_dims();
    for(std::size_t i = static_cast<std::size_t>(from); i < dims.size(); ++i)
    {
        if(!dims[i].is_fixed())
            return true;
    }
    return false;
}

/// The lengths that both can be broadcast to.
inline list broadcast_lens(const list& a, const list& b)
{
    return list_as<std::int64_t>(compute_broadcasted_lens(list_as<std::size_t>(a), list_as<std::size_t>(b)));
}

/// The type that can hold both.
inline shape::type_t common_type(instruction_ref a, instruction_ref b)
{
    return common_shape({shape(a->get_shape().type()), shape(b->get_shape().type())}).type();
}

/// The integers of a type; `most` is 0 if it is not a type of integers.
struct limits
{
    std::int64_t least;
    std::uint64_t most;
};
inline limits limits_of(shape::type_t type)
{
    switch(type)
    {
    case shape::bool_type: return {0, 1};
    case shape::uint8_type: return {0, UINT8_MAX};
    case shape::uint16_type: return {0, UINT16_MAX};
    case shape::uint32_type: return {0, UINT32_MAX};
    case shape::uint64_type: return {0, UINT64_MAX};
    case shape::int8_type: return {INT8_MIN, INT8_MAX};
    case shape::int16_type: return {INT16_MIN, INT16_MAX};
    case shape::int32_type: return {INT32_MIN, INT32_MAX};
    case shape::int64_type: return {INT64_MIN, INT64_MAX};
    default: return {0, 0};
    }
}

/// A number for a tensor of a type. It is a misfit if it is a type of integers that does not have the number; other types round it.
template <class T>
T fitted(T x, shape::type_t type)
{
    const limits all = limits_of(type);
    if(all.most == 0)
        return x;
    bool fits = x >= static_cast<T>(all.least);
    if constexpr(std::is_floating_point_v<T>)
        fits = fits && std::trunc(x) == x && x < static_cast<double>(all.most) + 1.0;
    else
        fits = fits && (x < 0 || static_cast<std::uint64_t>(x) <= all.most);
    if(!fits)
        misfit(text(type) + " does not have the number " + text(x));
    return x;
}

/// A constant that broadcasts to any shape.
inline literal constant(double x, shape::type_t type) { return literal(shape(type), std::vector<double>(1, fitted(x, type))); }
inline literal constant(std::int64_t x, shape::type_t type)
{
    return literal(shape(type), std::vector<std::int64_t>(1, fitted(x, type)));
}
/// A constant with the given lengths.
template <class T>
literal constants(const std::vector<T>& items, shape::type_t type, const list& lengths)
{
    for(const T& item : items)
        fitted(item, type);
    return literal(shape(type, list_as<std::size_t>(lengths)), items);
}

inline void append_input(std::vector<instruction_ref>& inputs, instruction_ref x) { inputs.push_back(x); }
inline void append_input(std::vector<instruction_ref>& inputs, const std::vector<instruction_ref>& xs)
{
    inputs.insert(inputs.end(), xs.begin(), xs.end());
}
inline void append_input(std::vector<instruction_ref>& inputs, const std::optional<instruction_ref>& x)
{
    if(x.has_value())
        inputs.push_back(*x);
}
/// Inputs in order; lists are spliced and missing inputs omitted.
template <class... Inputs>
std::vector<instruction_ref> inputs(const Inputs&... xs)
{
    std::vector<instruction_ref> result;
    result.reserve(sizeof...(xs));
    (append_input(result, xs), ...);
    return result;
}

/// Inputs in order; missing ones are omitted at the end and undefined elsewhere.
inline std::vector<instruction_ref> optional_inputs(inserter& at, std::vector<std::optional<instruction_ref>> xs)
{
    while(!xs.empty() && !xs.back().has_value())
        xs.pop_back();
    std::vector<instruction_ref> result;
    for(const auto& x : xs)
        result.push_back(x.has_value() ? *x : at.make("undefined", std::vector<instruction_ref>()));
    return result;
}

inline void append_module(std::vector<module_ref>& modules, module_ref x) { modules.push_back(x); }
inline void append_module(std::vector<module_ref>& modules, const std::vector<module_ref>& xs)
{
    modules.insert(modules.end(), xs.begin(), xs.end());
}
template <class... Modules>
std::vector<module_ref> modules(const Modules&... xs)
{
    std::vector<module_ref> result;
    (append_module(result, xs), ...);
    return result;
}

/// The value of an attribute, or none if it is missing.
template <class T>
value attribute_value(const T& x)
{
    return value(x);
}
template <class T>
value attribute_value(const std::optional<T>& x)
{
    return x.has_value() ? value(*x) : value();
}
/// An attribute or an option.
template <class T>
std::pair<const char*, value> entry(const char* key, const T& x)
{
    return {key, attribute_value(x)};
}
template <class... Entries>
value attributes(const Entries&... entries)
{
    value result = value::object{};
    (append_entry(result, entries), ...);
    return result;
}

} // namespace torchgen_support::torchgen_builders::expr
