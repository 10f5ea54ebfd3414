// Values of MIGraphX's interface as generated builders use them, with its names and parameters (ROCm/AMDMIGraphX @f729a52). They do
// no more than the tests need.
#pragma once

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define MIGRAPHX_INLINE_NS version_1
#define MIGRAPHX_THROW(text) throw migraphx::exception(0, std::string("file:line: ") + (text))

namespace migraphx {
inline namespace MIGRAPHX_INLINE_NS {

struct exception : std::runtime_error
{
    unsigned int error;
    exception(unsigned int e = 0, const std::string& msg = "") : std::runtime_error(msg), error(e) {}
};

/// Null, a number, a text, or a map.
struct value
{
    struct object
    {
        object() = default;
    };
    value() = default;
    value(std::nullptr_t) {}
    value(const object&) : map(true) {}
    value(const char* x) : text(x) {}
    value(const std::string& x) : text(x) {}
    template <class T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, int> = 0>
    value(T x) : number(static_cast<double>(x))
    {
    }
    template <class T, std::enable_if_t<!std::is_same_v<T, value>, int> = 0>
    value(const std::vector<T>& all) : items(all.begin(), all.end())
    {
    }
    /// As upstream: a text and another value are an entry of a map.
    value(std::initializer_list<value> all)
    {
        if(all.size() != 2 || !all.begin()->text.has_value())
        {
            items = all;
            return;
        }
        *this = all.begin()[1];
        key   = *all.begin()->text;
    }

    bool is_null() const { return !map && !number && !text && items.empty(); }
    bool is_object() const { return map; }
    bool empty() const { return items.empty(); }
    const value* begin() const { return items.data(); }
    const value* end() const { return items.data() + items.size(); }
    const std::string& get_key() const { return key; }
    value without_key() const
    {
        value other = *this;
        other.key.clear();
        return other;
    }
    bool contains(const std::string& name) const { return find(name) != nullptr; }
    const value& at(const std::string& name) const
    {
        if(!contains(name))
            throw exception(0, "Key not found: " + name);
        return *find(name);
    }
    value& operator[](const std::string& name)
    {
        map = true;
        if(!contains(name))
        {
            items.emplace_back();
            items.back().key = name;
        }
        return const_cast<value&>(*find(name));
    }
    void insert(const value& entry) { (*this)[entry.key] = entry; }
    value(const value&) = default;
    /// As upstream: an entry keeps its key.
    value& operator=(const value& other)
    {
        const std::string own = key;
        number                = other.number;
        text                  = other.text;
        map                   = other.map;
        items                 = std::vector<value>(other.items);
        key                   = own.empty() ? other.key : own;
        return *this;
    }
    template <class T>
    T to() const
    {
        if(!number)
            throw exception(0, "cannot be converted to a number");
        return static_cast<T>(*number);
    }

    std::string key;
    std::optional<double> number;
    std::optional<std::string> text;
    std::vector<value> items;
    bool map = false;

    private:
    const value* find(const std::string& name) const
    {
        for(const value& item : items)
        {
            if(item.key == name)
                return &item;
        }
        return nullptr;
    }
};

template <class... Ts>
auto pack(Ts...)
{
    return 0;
}

template <class T>
T from_value(const value& v);

/// As upstream: a type with a member `from_value` reads itself.
template <class T>
auto read(const value& v, T& x, int) -> decltype(x.from_value(v), void())
{
    x.from_value(v);
}
template <class T>
void read(const value& v, T& x, long)
{
    if constexpr(std::is_arithmetic_v<T> || std::is_enum_v<T>)
        x = v.to<T>();
    else if constexpr(std::is_same_v<T, std::string>)
        x = v.text.value();
}
template <class T>
void read(const value& v, std::vector<T>& all, long)
{
    for(const value& item : v)
        all.push_back(item.to<T>());
}
template <class T>
void read(const value& v, std::optional<T>& x, long)
{
    x = v.to<T>();
}
template <class T>
T from_value(const value& v)
{
    T x{};
    read(v, x, 0);
    return x;
}

} // namespace MIGRAPHX_INLINE_NS
} // namespace migraphx
