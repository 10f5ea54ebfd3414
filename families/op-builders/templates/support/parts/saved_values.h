// How values, shapes and literals are written and read, each as one word.
#pragma once

#include "builder_save.h"

#include "../../../../../templates/kit/cpp/float_bits.h"
#include "../../../../../templates/kit/cpp/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace torchgen_support {
namespace {

/// How many lists and maps are in each other: reading and writing them calls itself.
constexpr unsigned deepest_value = 200;

[[noreturn]] void bad_word(const std::string& what, std::string_view word)
{
    throw bad_saved_module("'" + std::string(word) + "' is not " + what);
}

template <class T>
std::string number_text(T x)
{
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, x).ptr;
    return std::string(text, end);
}

template <class T>
T to_number(std::string_view word)
{
    T x{};
    const auto read = std::from_chars(word.data(), word.data() + word.size(), x);
    if(word.empty() || read.ec != std::errc() || read.ptr != word.data() + word.size())
        bad_word("a number", word);
    return x;
}

/// The bits of a number, the highest first.
void add_bits(std::string& bytes, std::uint64_t bits)
{
    for(int shift = 56; shift >= 0; shift -= 8)
        bytes += static_cast<char>(bits >> shift);
}

std::uint64_t bits_at(const std::string& bytes, std::size_t at)
{
    std::uint64_t bits = 0;
    for(std::size_t i = 0; i < 8; ++i)
        bits = bits << 8 | static_cast<unsigned char>(bytes[at + i]);
    return bits;
}

double from_bits(std::uint64_t bits)
{
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

/// A letter for the type, then the value: `i-5`, `sword`, `[i1;i2]`, `{axis=i1}`.
void write_value(std::string& out, const value& v, unsigned depth = 0)
{
    if(depth > deepest_value)
        throw bad_saved_module("a value has more than " + std::to_string(deepest_value) + " lists in each other");
    switch(v.type())
    {
    case value::null_type: out += "n"; return;
    case value::bool_type: out += v.get_bool() ? "t" : "f"; return;
    case value::int64_type: out += "i" + number_text(v.get_int64()); return;
    case value::uint64_type: out += "u" + number_text(v.get_uint64()); return;
    case value::float_type: {
        if(!std::isnan(v.get_float()))
        {
            out += "d" + number_text(v.get_float());
            return;
        }
        // A number that is none has bits that text does not show.
        std::string bytes;
        add_bits(bytes, bitsOf(v.get_float()));
        out += bytesWord(bytes);
        return;
    }
    case value::string_type: out += "s" + escapedWord(v.get_string()); return;
    case value::binary_type: {
        const value::binary& bytes = v.get_binary();
        out += "b" + escapedWord(std::string(bytes.begin(), bytes.end()));
        return;
    }
    case value::array_type:
    case value::object_type: break;
    }
    out += v.is_object() ? "{" : "[";
    const char* separator = "";
    for(const value& item : v)
    {
        out += separator;
        if(v.is_object())
            out += escapedWord(item.get_key()) + "=";
        write_value(out, item, depth + 1);
        separator = ";";
    }
    out += v.is_object() ? "}" : "]";
}

/// Reads a value from the left of a word.
class value_reader
{
    public:
    explicit value_reader(std::string_view word) : text(word) {}

    value whole()
    {
        value v = next(0);
        if(at != text.size())
            bad_word("a value", text);
        return v;
    }

    private:
    bool take(char c)
    {
        const bool is_next = at < text.size() && text[at] == c;
        at += is_next ? 1 : 0;
        return is_next;
    }
    /// What is before the next mark.
    std::string_view plain()
    {
        const std::size_t end        = std::min(text.find_first_of("[]{};=", at), text.size());
        const std::string_view found = text.substr(at, end - at);
        at                           = end;
        return found;
    }
    std::string word(std::string_view from)
    {
        std::string out;
        if(!unescapeWord(from, out))
            bad_word("text", from);
        return out;
    }
    value items(bool is_map, unsigned depth)
    {
        value::array all;
        value map  = value::object{};
        const char end = is_map ? '}' : ']';
        while(!take(end))
        {
            if(!(all.empty() && map.empty()) && !take(';'))
                bad_word("a value", text);
            if(!is_map)
            {
                all.push_back(next(depth));
                continue;
            }
            const std::string key = word(plain());
            if(!take('=') || map.contains(key))
                bad_word("a map", text);
            map.insert(value(key, next(depth)));
        }
        return is_map ? map : value(std::move(all));
    }
    value next(unsigned depth)
    {
        if(depth > deepest_value)
            bad_word("a value of so few lists in each other", text.substr(0, 40));
        const char type = at < text.size() ? text[at++] : ' ';
        if(type == '[' || type == '{')
            return items(type == '{', depth + 1);
        const std::string_view rest = plain();
        if(!rest.empty() && (type == 'n' || type == 't' || type == 'f'))
            bad_word("a value", text);
        switch(type)
        {
        case 'n': return value();
        case 't': return value(true);
        case 'f': return value(false);
        case 'i': return value(to_number<std::int64_t>(rest));
        case 'u': return value(to_number<std::uint64_t>(rest));
        case 'd': return value(to_number<double>(rest));
        case 'x': {
            std::string bytes;
            if(!bytesOf("x" + std::string(rest), bytes) || bytes.size() != 8)
                bad_word("a number", rest);
            return value(from_bits(bits_at(bytes, 0)));
        }
        case 's': return value(word(rest));
        case 'b': {
            const std::string bytes = word(rest);
            return value(value::binary(bytes.begin(), bytes.end()));
        }
        default: bad_word("a value", text);
        }
    }

    std::string_view text;
    std::size_t at = 0;
};

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while(!text.empty())
    {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::string numbers_text(const std::vector<std::size_t>& numbers)
{
    std::string text;
    for(const std::size_t number : numbers)
        text += (text.empty() ? "" : ",") + number_text(number);
    return text;
}

std::vector<std::size_t> to_numbers(std::string_view text)
{
    std::vector<std::size_t> numbers;
    for(const std::string_view part : split(text, ','))
        numbers.push_back(to_number<std::size_t>(part));
    return numbers;
}

/// `float_type:2,3/3,1`, with lengths and strides, or `float_type:1-4,3-3`, with ranges of lengths.
std::string shape_text(const shape& s)
{
    std::string text = shape::name(s.type()) + ":";
    if(!s.dynamic())
        return text + numbers_text(s.lens()) + "/" + numbers_text(s.strides());
    const char* separator = "~";
    for(const shape::dynamic_dimension& dim : s.dyn_dims())
    {
        text += separator + number_text(dim.min) + "-" + number_text(dim.max);
        separator = ",";
    }
    return separator[0] == '~' ? text + "~" : text;
}

shape to_shape(std::string_view word)
{
    const std::size_t colon = std::min(word.find(':'), word.size());
    const auto type         = enum_from_value(value(std::string(word.substr(0, colon))), shape::type_t{});
    const std::string_view rest = word.substr(std::min(colon + 1, word.size()));
    if(rest.substr(0, 1) == "~")
    {
        std::vector<shape::dynamic_dimension> dims;
        for(const std::string_view part : split(rest.substr(1), ','))
        {
            const std::size_t dash = std::min(part.find('-'), part.size());
            dims.push_back({to_number<std::size_t>(part.substr(0, dash)),
                            to_number<std::size_t>(part.substr(std::min(dash + 1, part.size())))});
        }
        return {type, dims};
    }
    const std::size_t slash = rest.find('/');
    if(slash == std::string_view::npos)
        bad_word("a shape", word);
    const auto lens    = to_numbers(rest.substr(0, slash));
    const auto strides = to_numbers(rest.substr(slash + 1));
    if(lens.size() != strides.size())
        bad_word("a shape", word);
    return {type, lens, strides};
}

/// The elements as they are stored, 8 bytes each.
std::string elements_text(const argument& x)
{
    std::string bytes;
    for(std::size_t i = 0; i < x.elements(); ++i)
        add_bits(bytes, x.integral() ? static_cast<std::uint64_t>(x.integer(i)) : bitsOf(x.real(i)));
    return bytesWord(bytes);
}

literal to_literal(const shape& s, std::string_view word)
{
    std::string bytes;
    // The size is known before a tensor of any size is made.
    if(!bytesOf(word, bytes) || s.dynamic() || bytes.size() % 8 != 0 || s.elements() != bytes.size() / 8)
        bad_word("the elements of the literal", word.substr(0, 40));
    literal x{argument(s)};
    for(std::size_t i = 0; i < x.elements(); ++i)
    {
        const std::uint64_t bits = bits_at(bytes, 8 * i);
        x.integral() ? x.set(i, static_cast<std::int64_t>(bits)) : x.set(i, from_bits(bits));
    }
    return x;
}

} // namespace
} // namespace torchgen_support
