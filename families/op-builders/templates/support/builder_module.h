// torchgen_comment
// Operations, instructions, and modules, which hold instructions in order.
#pragma once

#include <functional>
#include <iosfwd>
#include <iterator>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "builder_argument.h"

namespace torchgen_support {

class module;
struct instruction;
using instruction_ref = std::list<instruction>::iterator;
using module_ref      = module*;

/// A primitive operator with its attributes.
struct operation
{
    operation() = default;
    operation(std::string op_name, value attributes) : own_name(std::move(op_name)), own_attributes(std::move(attributes))
    {
    }

    const std::string& name() const { return own_name; }
    /// All attributes, defaults included.
    const value& to_value() const { return own_attributes; }
    /// An attribute.
    template <class T>
    T get(const std::string& key) const
    {
        return own_attributes.at(key).to<T>();
    }

    friend bool operator==(const operation& a, const operation& b)
    {
        return a.own_name == b.own_name && a.own_attributes == b.own_attributes;
    }
    friend bool operator!=(const operation& a, const operation& b) { return !(a == b); }
    friend std::ostream& operator<<(std::ostream& os, const operation& op);

    private:
    std::string own_name;
    value own_attributes = value::object{};
};

/// Where the text is that an instruction was made of; lines and columns count from 1.
struct source_location
{
    std::string file;
    unsigned line   = 0;
    unsigned column = 0;
};

/// An operation with its inputs and the resulting shape.
struct instruction
{
    const operation& get_operator() const { return op; }
    const std::string& name() const { return op.name(); }
    const shape& get_shape() const { return result; }
    const std::vector<instruction_ref>& inputs() const { return arguments; }
    const std::vector<module_ref>& module_inputs() const { return modules; }
    const literal& get_literal() const { return constant; }
    /// Whether it represents a missing input.
    bool is_undefined() const { return op.name() == "undefined"; }
    /// Whether its value does not depend on parameters.
    bool can_eval() const { return is_constant; }
    /// Its value, if it does not depend on parameters.
    argument eval() const;

    operation op;
    shape result;
    std::vector<instruction_ref> arguments;
    std::vector<module_ref> modules;
    literal constant;
    /// Whether its value does not depend on parameters; set when it is inserted.
    bool is_constant = false;
    /// Null if nobody said where it comes from.
    std::shared_ptr<const source_location> location;
};

/// The result of an operation: its shape, and its value. Kernels get static shapes only.
struct operation_rule
{
    std::function<shape(const operation&, const std::vector<shape>&)> shape_of;
    std::function<argument(const operation&, const shape&, const std::vector<argument>&)> value_of;
    /// The same for an operator with modules, in place of those above.
    std::function<shape(const operation&, const std::vector<shape>&, const std::vector<module_ref>&)> shape_with_modules = {};
    std::function<argument(const operation&, const shape&, const std::vector<argument>&, const std::vector<module_ref>&)>
        value_with_modules = {};
};

/// The definition of a primitive operator.
struct operation_signature
{
    /// Attributes with their defaults; null if there is none.
    value attributes = value::object{};
    std::size_t least_inputs = 0;
    std::size_t most_inputs  = 0;
    operation_rule rule;
};

/// Adds a primitive operator, or replaces it.
void register_op(const std::string& name, operation_signature signature);
bool has_op(const std::string& name);
const operation_signature& get_op(const std::string& name);

/// The shape of the result of an operation; a scalar if the operator has no rule. Throws if the inputs do not fit.
shape result_shape(const operation& op,
                   const std::vector<instruction_ref>& inputs,
                   const std::vector<module_ref>& modules = {});

/// An operation with attributes; missing ones get their defaults. Throws for a key that the operator does not have.
operation make_op(const std::string& name, const value& attributes = value::object{});

/// Instructions in order; each uses only earlier ones. To insert, remove and find one takes the same time in a module of any size.
class module
{
    public:
    explicit module(std::string name = "main") : own_name(std::move(name)) {}
    module(const module& other);
    module(module&&) = default;
    module& operator=(module other);

    const std::string& name() const { return own_name; }
    instruction_ref begin() { return instructions.begin(); }
    instruction_ref end() { return instructions.end(); }
    std::list<instruction>::const_iterator begin() const { return instructions.begin(); }
    std::list<instruction>::const_iterator end() const { return instructions.end(); }
    std::size_t size() const { return instructions.size(); }

    /// Parameters are inserted after the others, or at the start of the module.
    instruction_ref add_parameter(const std::string& name, const shape& s)
    {
        return insert_parameter(parameters.empty() ? begin() : std::next(parameters.back()), name, s);
    }
    instruction_ref insert_parameter(instruction_ref ins, const std::string& name, const shape& s);
    /// Literals are inserted at the start of the module.
    instruction_ref add_literal(literal l) { return insert_literal(begin(), std::move(l)); }
    instruction_ref insert_literal(instruction_ref ins, literal l);
    instruction_ref add_instruction(const operation& op,
                                    std::vector<instruction_ref> inputs,
                                    std::vector<module_ref> modules = {})
    {
        return insert_instruction(end(), op, std::move(inputs), std::move(modules));
    }
    /// Inserts before `ins`.
    instruction_ref insert_instruction(instruction_ref ins,
                                       const operation& op,
                                       std::vector<instruction_ref> inputs,
                                       std::vector<module_ref> modules = {});
    template <class... Inputs,
              std::enable_if_t<std::conjunction_v<std::is_same<std::remove_cv_t<std::remove_reference_t<Inputs>>, instruction_ref>...>, int> = 0>
    instruction_ref add_instruction(const operation& op, Inputs... inputs)
    {
        return add_instruction(op, std::vector<instruction_ref>{inputs...});
    }
    template <class... Inputs,
              std::enable_if_t<std::conjunction_v<std::is_same<std::remove_cv_t<std::remove_reference_t<Inputs>>, instruction_ref>...>, int> = 0>
    instruction_ref insert_instruction(instruction_ref ins, const operation& op, Inputs... inputs)
    {
        return insert_instruction(ins, op, std::vector<instruction_ref>{inputs...});
    }
    instruction_ref add_return(std::vector<instruction_ref> inputs);
    /// Removes an instruction that nothing uses.
    instruction_ref remove_instruction(instruction_ref ins);

    /// The parameters, in the order in which they were added.
    std::vector<instruction_ref> get_parameters();
    instruction_ref get_parameter(const std::string& name);
    bool has_instruction(instruction_ref ins);
    /// The inputs of `@return`, or the last instruction.
    std::vector<instruction_ref> get_returns();

    /// The first instruction that uses a later one, or one of another module; the end if there is none.
    instruction_ref validate();

    /// The values that the module returns.
    std::vector<argument> eval(const std::unordered_map<std::string, argument>& parameters);

    /// Whether both have equal instructions in the same order.
    friend bool operator==(const module& a, const module& b);
    friend bool operator!=(const module& a, const module& b) { return !(a == b); }
    friend std::ostream& operator<<(std::ostream& os, const module& m);

    private:
    /// What is known of an instruction that is in the module, or used in it.
    struct facts
    {
        bool is_own      = false;
        std::size_t uses = 0;
    };

    instruction_ref put(instruction_ref ins, instruction made);
    void know_parameter(instruction_ref parameter);
    void forget_parameter(instruction_ref parameter);

    std::string own_name;
    std::list<instruction> instructions;
    std::unordered_map<const instruction*, facts> known;
    std::list<instruction_ref> parameters;
    std::unordered_map<const instruction*, std::list<instruction_ref>::iterator> parameter_places;
    /// The first parameter of each name.
    std::unordered_map<std::string, instruction_ref> named_parameters;
};

std::string to_string(const module& m);

} // namespace torchgen_support
