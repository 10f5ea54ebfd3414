// torchgen_comment
#include "builder_module.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>
#include <unordered_set>

namespace torchgen_support {

void register_builtin_ops(std::map<std::string, operation_signature>& table);

namespace {

std::map<std::string, operation_signature>& op_table()
{
    static std::map<std::string, operation_signature> table = [] {
        std::map<std::string, operation_signature> ops;
        register_builtin_ops(ops);
        return ops;
    }();
    return table;
}

using numbering = std::unordered_map<const instruction*, std::size_t>;

numbering numbers(const module& m)
{
    numbering result;
    for(const instruction& ins : m)
        result.emplace(&ins, result.size());
    return result;
}

argument compute(const instruction& ins, const std::vector<argument>& inputs)
{
    const operation_rule& rule = get_op(ins.name()).rule;
    if(!rule.value_of)
        throw exception(ins.name() + ": the reference evaluator has no rule for this operator");
    std::vector<shape> shapes;
    for(const argument& input : inputs)
        shapes.push_back(input.get_shape());
    return rule.value_of(ins.op, rule.shape_of(ins.op, shapes), inputs);
}

} // namespace

void register_op(const std::string& name, operation_signature signature) { op_table()[name] = std::move(signature); }

bool has_op(const std::string& name) { return op_table().count(name) == 1; }

const operation_signature& get_op(const std::string& name)
{
    const auto found = op_table().find(name);
    if(found != op_table().end())
        return found->second;
    std::vector<std::string> names;
    for(const auto& entry : op_table())
        names.push_back(entry.first);
    throw exception("there is no operator '" + name + "'" + did_you_mean(name, names));
}

operation make_op(const std::string& name, const value& attributes)
{
    const operation_signature& signature = get_op(name);
    if(attributes.empty())
        return {name, signature.attributes};
    value all = signature.attributes;
    if(!attributes.is_object())
        throw exception("the attributes of " + name + " must be a map, not " + to_string(attributes));
    for(const value& entry : attributes)
    {
        if(!all.contains(entry.get_key()))
        {
            std::vector<std::string> keys;
            for(const value& known : all)
                keys.push_back(known.get_key());
            throw exception("No key '" + entry.get_key() + "' in " + name + did_you_mean(entry.get_key(), keys));
        }
        all.insert(entry);
    }
    return {name, all};
}

std::ostream& operator<<(std::ostream& os, const operation& op)
{
    os << op.name();
    const char* comma = "[";
    for(const value& entry : op.to_value())
    {
        if(entry.is_null())
            continue;
        os << comma << entry.get_key() << "=";
        os << to_string(entry);
        comma = ", ";
    }
    return std::string(comma) == "[" ? os : os << "]";
}

bool instruction::can_eval() const
{
    if(name() == "@literal")
        return true;
    return name() != "@param" && !arguments.empty() &&
           std::all_of(arguments.begin(), arguments.end(), [](instruction_ref input) { return input->can_eval(); });
}

argument instruction::eval() const
{
    if(name() == "@literal")
        return constant;
    if(!can_eval())
        throw exception(name() + ": its value depends on parameters");
    std::vector<argument> inputs;
    for(const instruction_ref input : arguments)
        inputs.push_back(input->eval());
    return compute(*this, inputs);
}

module::module(const module& other) : own_name(other.own_name)
{
    std::unordered_map<const instruction*, instruction_ref> copies;
    for(const instruction& ins : other)
    {
        instruction copy = ins;
        for(instruction_ref& input : copy.arguments)
        {
            const auto found = copies.find(&*input);
            if(found != copies.end())
                input = found->second;
        }
        instructions.push_back(std::move(copy));
        copies.emplace(&ins, std::prev(instructions.end()));
    }
}

module& module::operator=(module other)
{
    own_name = std::move(other.own_name);
    instructions.swap(other.instructions);
    return *this;
}

instruction_ref module::add_parameter(const std::string& name, const shape& s)
{
    instruction ins;
    ins.op     = operation("@param", value({value("parameter", name)}));
    ins.result = s;
    auto place = begin();
    for(auto other = begin(); other != end(); ++other)
    {
        if(other->name() == "@param")
            place = std::next(other);
    }
    return instructions.insert(place, std::move(ins));
}

instruction_ref module::insert_literal(instruction_ref ins, literal l)
{
    instruction made;
    made.op       = operation("@literal", value::object{});
    made.result   = l.get_shape();
    made.constant = std::move(l);
    return instructions.insert(ins, std::move(made));
}

instruction_ref module::insert_instruction(instruction_ref ins,
                                           const operation& op,
                                           std::vector<instruction_ref> inputs,
                                           std::vector<module_ref> modules)
{
    const operation_signature& signature = get_op(op.name());
    if(inputs.size() < signature.least_inputs || inputs.size() > signature.most_inputs)
        throw exception(op.name() + ": takes " + std::to_string(signature.least_inputs) +
                        (signature.most_inputs == signature.least_inputs ? "" : " or more") + " inputs, not " +
                        std::to_string(inputs.size()));
    instruction made;
    made.op = op;
    if(signature.rule.shape_of)
    {
        std::vector<shape> shapes;
        shapes.reserve(inputs.size());
        for(const instruction_ref input : inputs)
            shapes.push_back(input->get_shape());
        try
        {
            made.result = signature.rule.shape_of(op, shapes);
        }
        catch(const exception& error)
        {
            std::string text;
            for(const shape& s : shapes)
                text += (text.empty() ? "" : ", ") + to_string(s);
            throw exception(op.name() + ": " + error.what() + " (inputs: " + text + ")");
        }
    }
    made.arguments = std::move(inputs);
    made.modules   = std::move(modules);
    return instructions.insert(ins, std::move(made));
}

instruction_ref module::add_return(std::vector<instruction_ref> inputs)
{
    instruction made;
    made.op        = operation("@return", value::object{});
    made.arguments = std::move(inputs);
    return instructions.insert(end(), std::move(made));
}

instruction_ref module::remove_instruction(instruction_ref ins)
{
    for(const instruction& other : instructions)
    {
        if(std::find(other.arguments.begin(), other.arguments.end(), ins) != other.arguments.end())
            throw exception(ins->name() + " cannot be removed: " + other.name() + " uses it");
    }
    return instructions.erase(ins);
}

std::vector<instruction_ref> module::get_parameters()
{
    std::vector<instruction_ref> result;
    for(auto ins = begin(); ins != end(); ++ins)
    {
        if(ins->name() == "@param")
            result.push_back(ins);
    }
    return result;
}

instruction_ref module::get_parameter(const std::string& name)
{
    for(const instruction_ref ins : get_parameters())
    {
        if(ins->op.get<std::string>("parameter") == name)
            return ins;
    }
    throw exception("there is no parameter '" + name + "'");
}

bool module::has_instruction(instruction_ref ins)
{
    for(auto other = begin(); other != end(); ++other)
    {
        if(other == ins)
            return true;
    }
    return false;
}

std::vector<instruction_ref> module::get_returns()
{
    if(instructions.empty())
        return {};
    const auto last = std::prev(end());
    return last->name() == "@return" ? last->arguments : std::vector<instruction_ref>{last};
}

instruction_ref module::validate()
{
    std::unordered_set<const instruction*> seen;
    for(auto ins = begin(); ins != end(); ++ins)
    {
        for(const instruction_ref input : ins->arguments)
        {
            if(seen.count(&*input) == 0)
                return ins;
        }
        seen.insert(&*ins);
    }
    return end();
}

std::vector<argument> module::eval(const std::unordered_map<std::string, argument>& parameters)
{
    std::unordered_map<const instruction*, argument> values;
    const auto value_of = [&](instruction_ref ins) -> const argument& {
        const auto found = values.find(&*ins);
        if(found == values.end())
            throw exception(ins->name() + " is used before it is made");
        return found->second;
    };
    for(auto ins = begin(); ins != end(); ++ins)
    {
        if(ins->name() == "@literal")
            values[&*ins] = ins->constant;
        else if(ins->name() == "@param")
        {
            const std::string name = ins->op.get<std::string>("parameter");
            const auto given       = parameters.find(name);
            if(given == parameters.end())
                throw exception("the parameter '" + name + "' has no value");
            values[&*ins] = given->second;
        }
        else if(ins->name() != "@return" && !ins->is_undefined())
        {
            std::vector<argument> inputs;
            for(const instruction_ref input : ins->arguments)
                inputs.push_back(value_of(input));
            values[&*ins] = compute(*ins, inputs);
        }
    }
    std::vector<argument> results;
    for(const instruction_ref ins : get_returns())
        results.push_back(value_of(ins));
    return results;
}

bool operator==(const module& a, const module& b)
{
    if(a.size() != b.size())
        return false;
    const numbering left = numbers(a), right = numbers(b);
    const auto same_input = [&](instruction_ref x, instruction_ref y) {
        const auto i = left.find(&*x), j = right.find(&*y);
        return i != left.end() && j != right.end() && i->second == j->second;
    };
    const auto same_module = [](module_ref x, module_ref y) { return x == y || (x != nullptr && y != nullptr && *x == *y); };
    return std::equal(a.begin(), a.end(), b.begin(), [&](const instruction& x, const instruction& y) {
        return x.op == y.op && x.result == y.result && x.constant == y.constant &&
               std::equal(x.arguments.begin(), x.arguments.end(), y.arguments.begin(), y.arguments.end(), same_input) &&
               std::equal(x.modules.begin(), x.modules.end(), y.modules.begin(), y.modules.end(), same_module);
    });
}

std::ostream& operator<<(std::ostream& os, const module& m)
{
    const numbering names = numbers(m);
    for(const instruction& ins : m)
    {
        os << "%" << names.at(&ins) << " = " << ins.op;
        if(ins.name() == "@literal")
            os << ins.constant;
        os << "(";
        const char* comma = "";
        for(const instruction_ref input : ins.arguments)
        {
            const auto found = names.find(&*input);
            os << comma;
            found == names.end() ? os << "%?" : os << "%" << found->second;
            comma = ", ";
        }
        os << ")";
        for(const module_ref inner : ins.modules)
            os << ", module " << (inner == nullptr ? "?" : inner->name());
        os << " -> " << ins.result << "\n";
    }
    return os;
}

std::string to_string(const module& m)
{
    std::ostringstream text;
    text << m;
    return text.str();
}

} // namespace torchgen_support
