// The part of MIGraphX's interface that generated builders use, with its names and parameters (ROCm/AMDMIGraphX @f729a52). It
// does no more than the tests need.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <list>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
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
    value(std::initializer_list<value> all) : items(all) {}

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

struct shape
{
    enum type_t
    {
        bool_type, half_type, float_type, double_type, uint8_type, int8_type, uint16_type, int16_type, int32_type, int64_type,
        uint32_type, uint64_type, fp8e4m3fnuz_type, fp8e4m3fn_type, fp8e5m2_type, bf16_type, fp8e5m2fnuz_type, fp4x2_type
    };
    struct dynamic_dimension
    {
        std::size_t min = 0;
        std::size_t max = 0;
        bool is_fixed() const { return min == max; }
        friend bool operator==(const dynamic_dimension& a, const dynamic_dimension& b)
        {
            return a.min == b.min && a.max == b.max;
        }
    };
    shape() = default;
    shape(type_t) {}
    shape(type_t, std::vector<std::size_t>) {}
    type_t type() const { return float_type; }
    const std::vector<std::size_t>& lens() const { return own; }
    const std::vector<std::size_t>& strides() const { return own; }
    std::vector<std::size_t> max_lens() const { return own; }
    const std::vector<dynamic_dimension>& dyn_dims() const { return ranges; }
    shape to_dynamic() const { return *this; }
    std::size_t elements() const { return 0; }
    std::size_t ndim() const { return 0; }
    bool dynamic() const { return false; }
    static std::string cpp_type(type_t) { return ""; }

    private:
    std::vector<std::size_t> own;
    std::vector<dynamic_dimension> ranges;
};

struct argument
{
    template <class Visitor>
    void visit(Visitor v) const
    {
        v(std::vector<float>());
    }
};

struct literal
{
    literal() = default;
    template <class T>
    literal(const shape&, const std::vector<T>&)
    {
    }
};

struct operation
{
};
inline operation make_op(const std::string&) { return {}; }
inline operation make_op(const std::string&, const value&) { return {}; }

struct instruction;
struct instruction_ref : std::list<instruction>::iterator
{
    using base = std::list<instruction>::iterator;
    instruction_ref() = default;
    instruction_ref(const base& other) : base(other) {}
};
struct module;
using module_ref = module*;

struct instruction
{
    const shape& get_shape() const { return own; }
    bool can_eval() const { return false; }
    argument eval(bool = true) const { return {}; }
    bool is_undefined() const { return false; }

    private:
    shape own;
};

struct module
{
    instruction_ref add_literal(literal) { return {}; }
    instruction_ref insert_instruction(instruction_ref, const operation&, std::vector<instruction_ref>) { return {}; }
    instruction_ref
    insert_instruction(instruction_ref, const operation&, std::vector<instruction_ref>, std::vector<module_ref>)
    {
        return {};
    }
    instruction_ref remove_instruction(instruction_ref ins) { return ins; }
    std::size_t size() const { return 0; }
    instruction_ref begin() const { return {}; }
    instruction_ref end() const { return {}; }
};

struct common_options
{
    bool common_type = true;
    bool common_lens = true;
};
inline instruction_ref
insert_common_op(module&, instruction_ref, const operation&, std::vector<instruction_ref>, common_options = {})
{
    return {};
}
inline shape common_shape(const std::vector<shape>&) { return {}; }
inline std::vector<std::size_t> compute_broadcasted_lens(std::vector<std::size_t>, std::vector<std::size_t> b) { return b; }

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
T from_value(const value& v)
{
    T x{};
    read(v, x, 0);
    return x;
}

namespace op {
namespace builder {

inline std::vector<instruction_ref> insert(const std::string&,
                                           module&,
                                           instruction_ref,
                                           const std::vector<instruction_ref>&,
                                           const std::vector<module_ref>&,
                                           const value&)
{
    return {};
}

/// As upstream: a builder has one of four forms of `insert`.
template <class T>
auto invoke_builder(const std::string&, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>& mods, const value& options) -> decltype(T{}.insert(m, ins, args, mods))
{
    return from_value<T>(options).insert(m, ins, args, mods);
}
template <class T>
auto invoke_builder(const std::string&, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>&, const value& options) -> decltype(T{}.insert(m, ins, args))
{
    return from_value<T>(options).insert(m, ins, args);
}
template <class T>
auto invoke_builder(const std::string& name, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>& mods, const value& options) -> decltype(T{}.insert(name, m, ins, args, mods))
{
    return from_value<T>(options).insert(name, m, ins, args, mods);
}
template <class T>
auto invoke_builder(const std::string& name, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>&, const value& options) -> decltype(T{}.insert(name, m, ins, args))
{
    return from_value<T>(options).insert(name, m, ins, args);
}

using builder_func = std::function<std::vector<instruction_ref>(const std::string&, module&, instruction_ref, const value&)>;
inline std::vector<builder_func>& registered()
{
    static std::vector<builder_func> all;
    return all;
}

template <class T>
struct op_builder
{
    static std::vector<std::string> names() { return {}; }
    std::string name() const { return T::names().at(0); }

    private:
    static bool register_once()
    {
        int members = 0;
        T builder{};
        T::reflect(builder, [&](auto&, const std::string&) { return ++members; });
        registered().push_back([](const std::string& name, module& m, instruction_ref ins, const value& options) {
            return invoke_builder<T>(name, m, ins, {}, {}, options);
        });
        return true;
    }
    inline static const bool static_register = register_once();
    using forced = std::integral_constant<const bool*, &static_register>;

    public:
    template <class Self, class F>
    static auto reflect(Self&, F)
    {
        return pack();
    }
};

} // namespace builder
} // namespace op
} // namespace MIGRAPHX_INLINE_NS
} // namespace migraphx
