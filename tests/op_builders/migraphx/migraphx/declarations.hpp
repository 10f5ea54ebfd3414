// The part of MIGraphX's interface that generated builders use, with its names and parameters (ROCm/AMDMIGraphX @f729a52). These
// are declarations only, to compile against.
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
#define MIGRAPHX_THROW(text) throw migraphx::exception(text)

namespace migraphx {
inline namespace MIGRAPHX_INLINE_NS {

struct exception : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

struct value
{
    struct object
    {
        object() = default;
    };
    value() = default;
    value(std::nullptr_t) {}
    value(const object&) {}
    value(const char*) {}
    value(const std::string&) {}
    template <class T, std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>, int> = 0>
    value(T)
    {
    }
    template <class T, std::enable_if_t<!std::is_same_v<T, value>, int> = 0>
    value(const std::vector<T>&)
    {
    }
    value(std::initializer_list<value>) {}
    bool is_null() const { return true; }
    value& operator[](const std::string&) { return *this; }
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
                    const std::vector<module_ref>& mods) -> decltype(T{}.insert(m, ins, args, mods))
{
    return T{}.insert(m, ins, args, mods);
}
template <class T>
auto invoke_builder(const std::string&, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>&) -> decltype(T{}.insert(m, ins, args))
{
    return T{}.insert(m, ins, args);
}
template <class T>
auto invoke_builder(const std::string& name, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>& mods) -> decltype(T{}.insert(name, m, ins, args, mods))
{
    return T{}.insert(name, m, ins, args, mods);
}
template <class T>
auto invoke_builder(const std::string& name, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>&) -> decltype(T{}.insert(name, m, ins, args))
{
    return T{}.insert(name, m, ins, args);
}

using builder_func = std::function<std::vector<instruction_ref>(const std::string&, module&, instruction_ref)>;
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
        registered().push_back([](const std::string& name, module& m, instruction_ref ins) {
            return invoke_builder<T>(name, m, ins, {}, {});
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
