// torchgen_comment
// The functions that the expressions of bodies are compiled to: lists, strings, and division as in Python.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace torchgen_support {

using list = std::vector<std::int64_t>;

/// Division rounded down.
inline std::int64_t floor_div(std::int64_t a, std::int64_t b)
{
    if(b == 0)
        throw std::domain_error("integer division by zero");
    if(b == -1)
        return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a));
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// The remainder of a division rounded down, with the sign of the divisor.
inline std::int64_t floor_mod(std::int64_t a, std::int64_t b)
{
    if(b == 0)
        throw std::domain_error("integer division by zero");
    if(b == -1)
        return 0;
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return -floor_div(-a, b); }

/// A list of items.
template <class T, class... Items>
std::vector<T> list_of(Items... items)
{
    return std::vector<T>{T(items)...};
}

/// A list with its items converted.
template <class T, class U>
std::vector<T> list_as(const std::vector<U>& items)
{
    return std::vector<T>(items.begin(), items.end());
}

/// An item; negative indices count from the end.
template <class T>
T element(const std::vector<T>& items, std::int64_t index)
{
    const auto size = static_cast<std::int64_t>(items.size());
    if(index < -size || index >= size)
        throw std::out_of_range("index " + std::to_string(index) + " is out of range for a list of length " + std::to_string(size));
    return items[static_cast<std::size_t>(index < 0 ? index + size : index)];
}

/// What a function makes of each item that a condition admits.
template <class T, class U, class Condition, class Make>
std::vector<T> collected(const std::vector<U>& items, Condition admits, Make make)
{
    std::vector<T> all;
    for(const U item : items)
    {
        if(admits(item))
            all.push_back(make(item));
    }
    return all;
}

/// What an expression makes of each item of a list for which a condition holds.
#define TG_COLLECTED(COLLECTED, ITEM, NAME, LIST, CONDITION, ELEMENT)                              \
    COLLECTED(                                                                                     \
        LIST, [&]([[maybe_unused]] const ITEM& NAME) { return CONDITION; },                        \
        [&]([[maybe_unused]] const ITEM& NAME) { return ELEMENT; })

/// A slice, as in Python.
template <class T>
std::vector<T>
part(const std::vector<T>& items, std::optional<std::int64_t> from, std::optional<std::int64_t> to)
{
    const auto size  = static_cast<std::int64_t>(items.size());
    const auto bound = [&](std::int64_t x) { return std::clamp<std::int64_t>(x < 0 ? x + size : x, 0, size); };
    const std::int64_t begin = bound(from.value_or(0)), end = bound(to.value_or(size));
    return begin < end ? std::vector<T>(items.begin() + begin, items.begin() + end) : std::vector<T>();
}

template <class T>
std::vector<T> repeated(const std::vector<T>& items, std::int64_t count)
{
    std::vector<T> result;
    for(std::int64_t i = 0; i < count; ++i)
        result.insert(result.end(), items.begin(), items.end());
    return result;
}

template <class T>
std::vector<T> joined(std::vector<T> a, const std::vector<T>& b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

template <class T>
bool contains(const std::vector<T>& items, const T& item)
{
    return std::find(items.begin(), items.end(), item) != items.end();
}
inline bool contains(const std::string& text, const std::string& other)
{
    return text.find(other) != std::string::npos;
}

template <class T>
std::int64_t len(const T& items)
{
    return static_cast<std::int64_t>(items.size());
}
inline list range(std::int64_t start, std::int64_t end)
{
    list items(static_cast<std::size_t>(std::max<std::int64_t>(0, end - start)));
    std::iota(items.begin(), items.end(), start);
    return items;
}
inline list range(std::int64_t end) { return range(0, end); }
inline std::int64_t sum(const list& items) { return std::accumulate(items.begin(), items.end(), std::int64_t{0}); }
inline std::int64_t product(const list& items)
{
    std::int64_t result = 1;
    for(const std::int64_t item : items)
        result *= item;
    return result;
}
template <class T>
T min(T a, T b)
{
    return b < a ? b : a;
}
template <class T>
T max(T a, T b)
{
    return a < b ? b : a;
}
inline double sqrt(double x) { return std::sqrt(x); }
inline std::int64_t smallest_index(const list& items)
{
    if(items.empty())
        throw std::out_of_range("smallest_index of an empty list");
    return std::min_element(items.begin(), items.end()) - items.begin();
}
template <class T>
std::vector<T> replaced(std::vector<T> items, std::int64_t index, const T& item)
{
    const auto size = static_cast<std::int64_t>(items.size());
    element(items, index);
    items[static_cast<std::size_t>(index < 0 ? index + size : index)] = item;
    return items;
}
template <class T>
std::vector<T> without(std::vector<T> items, std::int64_t index)
{
    const auto size = static_cast<std::int64_t>(items.size());
    element(items, index);
    items.erase(items.begin() + (index < 0 ? index + size : index));
    return items;
}
inline bool all_equal(const list& items, std::int64_t item)
{
    return std::all_of(items.begin(), items.end(), [&](std::int64_t other) { return other == item; });
}

inline void append_text(std::ostream& os, const std::string& x) { os << x; }
inline void append_text(std::ostream& os, bool x) { os << (x ? "True" : "False"); }
inline void append_text(std::ostream& os, std::int64_t x) { os << x; }
inline void append_text(std::ostream& os, double x) { os << x; }
template <class T>
void append_text(std::ostream& os, const std::vector<T>& items)
{
    os << "{";
    const char* comma = "";
    for(const T& item : items)
    {
        os << comma;
        append_text(os, item);
        comma = ", ";
    }
    os << "}";
}
template <class T>
void append_text(std::ostream& os, const std::optional<T>& x)
{
    if(x.has_value())
        append_text(os, *x);
    else
        os << "None";
}

/// Concatenates the parts.
template <class... Parts>
std::string text(const Parts&... parts)
{
    std::ostringstream os;
    (append_text(os, parts), ...);
    return os.str();
}

} // namespace torchgen_support
