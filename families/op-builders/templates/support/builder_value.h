// torchgen_comment
// Dynamic values for options and attributes, and their conversion from and to structs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace torchgen_support {

/// Thrown if something cannot be built.
struct exception : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Null, a boolean, a number, a string, bytes, a list, or an ordered map. An entry of a map has a key.
class value
{
    public:
    using binary = std::vector<std::uint8_t>;
    using array  = std::vector<value>;
    enum type_t
    {
        null_type,
        bool_type,
        int64_type,
        uint64_type,
        float_type,
        string_type,
        binary_type,
        array_type,
        object_type
    };

    /// Starts an empty map: `value::object{}`.
    struct object
    {
    };

    value() = default;
    value(std::nullptr_t) {}
    value(object) : data(array{}), map(true) {}
    value(const char* text) : data(std::string(text)) {}
    value(std::string text) : data(std::move(text)) {}
    value(binary bytes) : data(std::move(bytes)) {}
    value(array items) : data(std::move(items)) {}
    template <class T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, int> = 0>
    value(T x)
    {
        if constexpr(std::is_same_v<T, bool>)
            data = x;
        else if constexpr(std::is_floating_point_v<T>)
            data = static_cast<double>(x);
        else if constexpr(std::is_enum_v<T> || std::is_signed_v<T>)
            data = static_cast<std::int64_t>(x);
        else
            data = static_cast<std::uint64_t>(x);
    }
    template <class T, std::enable_if_t<!std::is_same_v<T, value> && !std::is_same_v<T, std::uint8_t>, int> = 0>
    value(const std::vector<T>& items) : data(array(items.begin(), items.end()))
    {
    }
    template <class T>
    value(const std::optional<T>& x)
    {
        if(x.has_value())
            *this = value(*x);
    }
    /// An entry of a map.
    value(std::string key, const value& content) : value(content) { own_key = std::move(key); }
    /// `{"key", x}` is an entry, a list of entries is a map, anything else is a list.
    value(std::initializer_list<value> items);

    type_t type() const;
    bool is_null() const { return type() == null_type; }
    bool is_bool() const { return type() == bool_type; }
    bool is_int64() const { return type() == int64_type; }
    bool is_uint64() const { return type() == uint64_type; }
    bool is_float() const { return type() == float_type; }
    bool is_string() const { return type() == string_type; }
    bool is_binary() const { return type() == binary_type; }
    bool is_array() const { return type() == array_type; }
    bool is_object() const { return type() == object_type; }

    bool get_bool() const { return std::get<bool>(data); }
    std::int64_t get_int64() const { return std::get<std::int64_t>(data); }
    std::uint64_t get_uint64() const { return std::get<std::uint64_t>(data); }
    double get_float() const { return std::get<double>(data); }
    const std::string& get_string() const { return std::get<std::string>(data); }
    const binary& get_binary() const { return std::get<binary>(data); }
    const std::string& get_key() const { return own_key; }

    /// The items of a list or map, in order; empty for other values.
    const array& items() const;
    array::const_iterator begin() const { return items().begin(); }
    array::const_iterator end() const { return items().end(); }
    std::size_t size() const { return items().size(); }
    bool empty() const { return items().empty(); }

    /// The keys of a map, in order.
    std::vector<std::string> keys() const;
    /// The entry with that key, or null.
    const value* find(const std::string& key) const;
    bool contains(const std::string& key) const { return find(key) != nullptr; }
    const value& at(const std::string& key) const;
    /// Adds an entry, or replaces the one with that key. Null becomes a map.
    void insert(const value& entry);
    value& operator[](const std::string& key);

    /// Converts to a number, a string and so on; throws an error with both types if the value is of another type.
    template <class T>
    T to() const;

    friend bool operator==(const value& a, const value& b);
    friend bool operator!=(const value& a, const value& b) { return !(a == b); }
    friend std::ostream& operator<<(std::ostream& os, const value& v);

    private:
    std::string own_key;
    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, binary, array> data;
    bool map = false;
};

/// The name of a type, for messages.
std::string to_string(value::type_t type);
std::string to_string(const value& v);

/// A member of a struct, and its key in options.
template <class T>
struct field
{
    T& member;
    const char* key;
};

/// The result of `reflect`: the members in order.
template <class... Ts>
std::tuple<Ts...> pack(Ts... fields)
{
    return std::tuple<Ts...>(fields...);
}

namespace detail {

struct make_field
{
    template <class T>
    field<T> operator()(T& member, const char* key) const
    {
        return {member, key};
    }
};

template <class T, class = void>
struct reflects : std::false_type
{
};
template <class T>
struct reflects<T, std::void_t<decltype(T::reflect(std::declval<T&>(), make_field{}))>> : std::true_type
{
};

template <class T>
struct is_vector : std::false_type
{
};
template <class T>
struct is_vector<std::vector<T>> : std::true_type
{
};
template <class T>
struct is_optional : std::false_type
{
};
template <class T>
struct is_optional<std::optional<T>> : std::true_type
{
};

[[noreturn]] void wrong_type(const value& v, const char* wanted);
std::int64_t to_integer(const value& v);
double to_double(const value& v);
bool to_bool(const value& v);

/// Calls `f` with each member and its key, in order. A struct without `reflect` has no members.
template <class T, class F>
void reflect_each(T& x, F f)
{
    using plain = std::remove_const_t<T>;
    if constexpr(reflects<plain>::value)
        std::apply([&](auto&&... fields) { (f(fields.member, std::string(fields.key)), ...); },
                   plain::reflect(x, make_field{}));
    else
        static_cast<void>(f);
}

template <class T>
void assign(T& member, const value& v)
{
    if constexpr(std::is_same_v<T, bool>)
        member = to_bool(v);
    else if constexpr(std::is_enum_v<T>)
        member = enum_from_value(v, T{});
    else if constexpr(std::is_integral_v<T>)
    {
        const std::int64_t x = to_integer(v);
        if constexpr(std::is_unsigned_v<T>)
        {
            if(x < 0)
                throw exception("must not be negative, but is " + std::to_string(x));
        }
        else if constexpr(sizeof(T) < sizeof(std::int64_t))
        {
            if(x < std::numeric_limits<T>::min() || x > std::numeric_limits<T>::max())
                throw exception("is out of range: " + std::to_string(x));
        }
        member = static_cast<T>(x);
    }
    else if constexpr(std::is_floating_point_v<T>)
        member = static_cast<T>(to_double(v));
    else if constexpr(std::is_same_v<T, std::string>)
    {
        if(!v.is_string())
            wrong_type(v, "a string");
        member = v.get_string();
    }
    else if constexpr(std::is_same_v<T, value>)
        member = v;
    else if constexpr(is_optional<T>::value)
    {
        if(v.is_null())
            member.reset();
        else
        {
            member.emplace();
            assign(*member, v);
        }
    }
    else if constexpr(is_vector<T>::value)
    {
        if(!v.is_array())
            wrong_type(v, "a list");
        member.clear();
        for(const value& item : v)
        {
            typename T::value_type x{};
            assign(x, item);
            member.push_back(std::move(x));
        }
    }
    else
    {
        if(!v.is_object())
            wrong_type(v, "a map");
        reflect_each(member, [&](auto& inner, const std::string& key) {
            if(const value* found = v.find(key))
                assign(inner, *found);
        });
    }
}

} // namespace detail

template <class T>
T value::to() const
{
    T result{};
    detail::assign(result, *this);
    return result;
}

/// The members of a struct as an ordered map; another type's value itself.
template <class T>
value to_value(const T& x)
{
    if constexpr(detail::reflects<T>::value)
    {
        value result = value::object{};
        detail::reflect_each(x, [&](const auto& member, const std::string& key) {
            result.insert(value(key, to_value(member)));
        });
        return result;
    }
    else if constexpr(std::is_class_v<T> && std::is_empty_v<T>)
        return value(value::object{});
    else
        return value(x);
}

/// Creates a struct from an ordered map; members without an entry keep their defaults. Throws an error with the key if an entry has
/// the wrong type.
template <class T>
T from_value(const value& v)
{
    T result{};
    if(!v.is_null() && !v.is_object())
        detail::wrong_type(v, "a map of options");
    detail::reflect_each(result, [&](auto& member, const std::string& key) {
        const value* found = v.find(key);
        if(found == nullptr)
            return;
        try
        {
            detail::assign(member, *found);
        }
        catch(const exception& error)
        {
            throw exception("option '" + key + "' " + error.what());
        }
    });
    return result;
}

/// The nearest of the names, as the end of a sentence: `, did you mean 'x'?`, or an empty string.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& names);

} // namespace torchgen_support
