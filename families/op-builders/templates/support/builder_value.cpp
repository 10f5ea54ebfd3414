// torchgen_comment
#include "builder_value.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iomanip>
#include <numeric>
#include <ostream>
#include <sstream>

namespace torchgen_support {

value::value(std::initializer_list<value> items)
{
    if(items.size() == 2 && items.begin()->is_string() && items.begin()->get_key().empty())
    {
        *this   = items.begin()[1];
        own_key = items.begin()[0].get_string();
        return;
    }
    map  = std::all_of(items.begin(), items.end(), [](const value& item) { return !item.get_key().empty(); });
    data = array(items);
}

value::type_t value::type() const
{
    const auto kind = static_cast<type_t>(data.index());
    return kind == array_type && map ? object_type : kind;
}

const value::array& value::items() const
{
    static const array none;
    const auto* list = std::get_if<array>(&data);
    return list == nullptr ? none : *list;
}

std::vector<std::string> value::keys() const
{
    std::vector<std::string> all;
    for(const value& item : items())
        all.push_back(item.own_key);
    return all;
}

const value* value::find(const std::string& key) const
{
    for(const value& item : items())
    {
        if(item.own_key == key && map)
            return &item;
    }
    return nullptr;
}

const value& value::at(const std::string& key) const
{
    const value* found = find(key);
    if(found == nullptr)
        throw exception("No key '" + key + "' in " + to_string(*this));
    return *found;
}

void value::insert(const value& entry)
{
    if(entry.own_key.empty())
        throw exception("an entry of a map needs a key");
    (*this)[entry.own_key] = entry;
}

value& value::operator[](const std::string& key)
{
    if(is_null())
    {
        data = array{};
        map  = true;
    }
    if(!map)
        throw exception("only a map has keys, and this is " + to_string(type()));
    auto& list = std::get<array>(data);
    for(value& item : list)
    {
        if(item.own_key == key)
            return item;
    }
    list.emplace_back();
    list.back().own_key = key;
    return list.back();
}

bool operator==(const value& a, const value& b)
{
    const auto number = [](const value& v) { return v.is_int64() || v.is_uint64() || v.is_float(); };
    if(a.own_key != b.own_key)
        return false;
    if(number(a) && number(b) && a.type() != b.type())
    {
        if(a.is_float() || b.is_float())
            return detail::to_double(a) == detail::to_double(b);
        const value& wide  = a.is_uint64() ? a : b;
        const value& other = a.is_uint64() ? b : a;
        return other.get_int64() >= 0 && wide.get_uint64() == static_cast<std::uint64_t>(other.get_int64());
    }
    return a.type() == b.type() && a.data == b.data;
}

std::ostream& operator<<(std::ostream& os, const value& v)
{
    const auto list = [&](char open, char close) {
        os << open;
        const char* comma = "";
        for(const value& item : v)
        {
            os << comma;
            if(v.is_object())
                os << item.get_key() << ": ";
            os << item;
            comma = ", ";
        }
        os << close;
    };
    switch(v.type())
    {
    case value::null_type: return os << "null";
    case value::bool_type: return os << (v.get_bool() ? "true" : "false");
    case value::int64_type: return os << v.get_int64();
    case value::uint64_type: return os << v.get_uint64();
    case value::float_type: {
        std::ostringstream text;
        text << std::setprecision(9) << v.get_float();
        return os << text.str();
    }
    case value::string_type: return os << std::quoted(v.get_string());
    case value::binary_type: return os << "<" << v.get_binary().size() << " bytes>";
    case value::array_type: list('[', ']'); return os;
    case value::object_type: list('{', '}'); return os;
    }
    return os;
}

std::string to_string(value::type_t type)
{
    static const char* const names[] = {"null", "bool", "int", "uint", "float", "string", "bytes", "list", "map"};
    return names[type];
}

std::string to_string(const value& v)
{
    std::ostringstream text;
    text << v;
    return text.str();
}

namespace detail {

void wrong_type(const value& v, const char* wanted)
{
    throw exception("must be " + std::string(wanted) + ", not " + to_string(v) + " (" + to_string(v.type()) + ")");
}

std::int64_t to_integer(const value& v)
{
    if(v.is_int64())
        return v.get_int64();
    if(v.is_uint64() && v.get_uint64() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return static_cast<std::int64_t>(v.get_uint64());
    if(v.is_float() && std::nearbyint(v.get_float()) == v.get_float() && std::fabs(v.get_float()) < 9.0e15)
        return static_cast<std::int64_t>(v.get_float());
    wrong_type(v, "an int");
}

double to_double(const value& v)
{
    if(v.is_float())
        return v.get_float();
    if(v.is_int64())
        return static_cast<double>(v.get_int64());
    if(v.is_uint64())
        return static_cast<double>(v.get_uint64());
    wrong_type(v, "a float");
}

bool to_bool(const value& v)
{
    if(v.is_bool())
        return v.get_bool();
    if((v.is_int64() || v.is_uint64()) && (to_integer(v) == 0 || to_integer(v) == 1))
        return to_integer(v) == 1;
    wrong_type(v, "a bool");
}

} // namespace detail

std::string did_you_mean(const std::string& name, const std::vector<std::string>& names)
{
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    std::string best;
    std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
    for(const std::string& other : names)
    {
        std::vector<std::size_t> row(other.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for(std::size_t i = 0; i < name.size(); ++i)
        {
            std::size_t diagonal = row[0];
            row[0]               = i + 1;
            for(std::size_t j = 0; j < other.size(); ++j)
            {
                const std::size_t changed = diagonal + (same(name[i], other[j]) ? 0 : 1);
                diagonal                  = row[j + 1];
                row[j + 1]                = std::min({row[j] + 1, row[j + 1] + 1, changed});
            }
        }
        if(row.back() < least)
        {
            least = row.back();
            best  = other;
        }
    }
    return best.empty() ? best : ", did you mean '" + best + "'?";
}

} // namespace torchgen_support
