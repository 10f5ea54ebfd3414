// The part of MIGraphX's interface that generated builders use, with its names and parameters (ROCm/AMDMIGraphX @f729a52). It
// does no more than the tests need: an instruction has the shape of its first input, and operators on inputs with a common shape
// take them as they are.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <list>
#include <numeric>

#include <migraphx/values.hpp>

namespace migraphx {
inline namespace MIGRAPHX_INLINE_NS {

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
    shape(type_t t) : own_type(t), own_lens(1, 1) {}
    shape(type_t t, std::vector<std::size_t> lens) : own_type(t), own_lens(std::move(lens)) {}
    type_t type() const { return own_type; }
    const std::vector<std::size_t>& lens() const { return own_lens; }
    std::vector<std::size_t> strides() const
    {
        std::vector<std::size_t> all(own_lens.size(), 1);
        for(std::size_t i = all.size(); i-- > 1;)
            all[i - 1] = all[i] * own_lens[i];
        return all;
    }
    std::vector<std::size_t> max_lens() const { return own_lens; }
    std::vector<dynamic_dimension> dyn_dims() const
    {
        std::vector<dynamic_dimension> all;
        for(const std::size_t n : own_lens)
            all.push_back({n, n});
        return all;
    }
    shape to_dynamic() const { return *this; }
    std::size_t elements() const
    {
        return std::accumulate(own_lens.begin(), own_lens.end(), std::size_t(1), std::multiplies<>());
    }
    std::size_t ndim() const { return own_lens.size(); }
    bool dynamic() const { return false; }
    static std::string cpp_type(type_t) { return ""; }

    private:
    type_t own_type = float_type;
    std::vector<std::size_t> own_lens;
};

template <class Range>
std::string to_string_range(const Range& items)
{
    std::string text;
    for(const auto& item : items)
        text += (text.empty() ? "" : ", ") + std::to_string(item);
    return text;
}

struct literal
{
    literal() = default;
    template <class T>
    literal(const shape& s, const std::vector<T>& items) : own_shape(s), numbers(items.begin(), items.end())
    {
    }

    shape own_shape;
    std::vector<double> numbers;
};

struct argument
{
    template <class Visitor>
    void visit(Visitor v) const
    {
        v(numbers);
    }
    std::vector<double> numbers;
};

struct operation
{
    const std::string& name() const { return own_name; }

    std::string own_name;
    value attributes;
};
inline operation make_op(const std::string& name) { return {name, value::object{}}; }
inline operation make_op(const std::string& name, const value& attributes) { return {name, attributes}; }

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
    const operation& get_operator() const { return op; }
    const std::string& name() const { return op.name(); }
    const shape& get_shape() const { return result; }
    const std::vector<instruction_ref>& inputs() const { return arguments; }
    const std::vector<module_ref>& module_inputs() const { return modules; }
    bool can_eval() const { return name() == "@literal"; }
    argument eval(bool = true) const { return {constant.numbers}; }
    bool is_undefined() const { return name() == "undefined"; }

    operation op;
    shape result;
    std::vector<instruction_ref> arguments;
    std::vector<module_ref> modules;
    literal constant;
};

struct module
{
    module(const std::string& = "main") {}

    /// Parameters and literals are inserted at the start.
    instruction_ref add_parameter(const std::string& name, const shape& s)
    {
        value attributes;
        attributes["parameter"] = name;
        return put(begin(), {make_op("@param", attributes), s, {}, {}, {}});
    }
    instruction_ref add_literal(const literal& l) { return insert_literal(begin(), l); }
    instruction_ref insert_literal(instruction_ref ins, const literal& l)
    {
        return put(ins, {make_op("@literal"), l.own_shape, {}, {}, l});
    }
    instruction_ref insert_instruction(instruction_ref ins, const operation& op, std::vector<instruction_ref> inputs)
    {
        return insert_instruction(ins, op, std::move(inputs), {});
    }
    instruction_ref insert_instruction(instruction_ref ins,
                                       const operation& op,
                                       std::vector<instruction_ref> inputs,
                                       std::vector<module_ref> modules)
    {
        const shape s = inputs.empty() ? shape() : inputs.front()->get_shape();
        return put(ins, {op, s, std::move(inputs), std::move(modules), {}});
    }
    instruction_ref add_instruction(const operation& op, std::vector<instruction_ref> inputs)
    {
        return insert_instruction(end(), op, std::move(inputs));
    }
    instruction_ref add_return(std::vector<instruction_ref> inputs) { return add_instruction(make_op("@return"), std::move(inputs)); }
    instruction_ref remove_instruction(instruction_ref ins) { return instructions.erase(ins); }
    std::size_t size() const { return instructions.size(); }
    instruction_ref begin() const { return instructions.begin(); }
    instruction_ref end() const { return instructions.end(); }

    private:
    instruction_ref put(instruction_ref ins, instruction made) { return instructions.insert(ins, std::move(made)); }

    mutable std::list<instruction> instructions;
};

struct common_options
{
    bool common_type = true;
    bool common_lens = true;
};
inline instruction_ref insert_common_op(
    module& m, instruction_ref ins, const operation& op, std::vector<instruction_ref> inputs, common_options = {})
{
    return m.insert_instruction(ins, op, std::move(inputs));
}
inline shape common_shape(const std::vector<shape>& shapes) { return shapes.front(); }
inline std::vector<std::size_t> compute_broadcasted_lens(std::vector<std::size_t>, std::vector<std::size_t> b) { return b; }

} // namespace MIGRAPHX_INLINE_NS
} // namespace migraphx
