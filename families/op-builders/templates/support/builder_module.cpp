// torchgen_comment
#include "builder_module.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <unordered_set>
#include <utility>

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

shape shape_of(const operation_rule& rule,
               const operation& op,
               const std::vector<shape>& shapes,
               const std::vector<module_ref>& modules)
{
    return rule.shape_with_modules ? rule.shape_with_modules(op, shapes, modules) : rule.shape_of(op, shapes);
}

argument compute(const instruction& ins, const std::vector<argument>& inputs)
{
    const operation_rule& rule = get_op(ins.name()).rule;
    if(!rule.value_of && !rule.value_with_modules)
        throw exception(ins.name() + ": the reference evaluator has no rule for this operator");
    std::vector<shape> shapes;
    for(const argument& input : inputs)
        shapes.push_back(input.get_shape());
    const shape result = shape_of(rule, ins.op, shapes, ins.modules);
    return rule.value_with_modules ? rule.value_with_modules(ins.op, result, inputs, ins.modules)
                                   : rule.value_of(ins.op, result, inputs);
}

} // namespace

/// Whether there are inputs, and none depends on parameters.
static bool all_constant(const std::vector<instruction_ref>& inputs)
{
    return !inputs.empty() &&
           std::all_of(inputs.begin(), inputs.end(), [](instruction_ref input) { return input->can_eval(); });
}

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
            throw exception("No key '" + entry.get_key() + "' in " + name + did_you_mean(entry.get_key(), all.keys()));
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

argument instruction::eval() const
{
    if(!can_eval())
        throw exception(name() + ": its value depends on parameters");
    // Each instruction is computed once, with a stack of its own: a chain may have any length.
    std::unordered_map<const instruction*, argument> values;
    std::vector<const instruction*> open{this};
    while(!open.empty())
    {
        const instruction& last = *open.back();
        std::vector<argument> inputs;
        for(const instruction_ref input : last.arguments)
        {
            const auto found = values.find(&*input);
            if(found != values.end())
                inputs.push_back(found->second);
            else
                open.push_back(&*input);
        }
        if(&last != open.back())
            continue;
        open.pop_back();
        if(values.count(&last) == 0)
            values.emplace(&last, last.name() == "@literal" ? argument(last.constant) : compute(last, inputs));
    }
    return values.at(this);
}

module::module(const module& other) : own_name(other.own_name)
{
    std::unordered_map<const instruction*, instruction_ref> copies;
    copies.reserve(other.size());
    for(const instruction& ins : other)
    {
        instruction copy = ins;
        for(instruction_ref& input : copy.arguments)
        {
            const auto found = copies.find(&*input);
            if(found != copies.end())
                input = found->second;
        }
        copies.emplace(&ins, put(end(), std::move(copy)));
    }
    for(const instruction_ref parameter : other.parameters)
        know_parameter(copies.at(&*parameter));
}

instruction_ref module::put(instruction_ref ins, instruction made)
{
    const auto placed    = instructions.insert(ins, std::move(made));
    known[&*placed].is_own = true;
    for(const instruction_ref input : placed->arguments)
        ++known[&*input].uses;
    return placed;
}

module& module::operator=(module other)
{
    own_name.swap(other.own_name);
    instructions.swap(other.instructions);
    known.swap(other.known);
    parameters.swap(other.parameters);
    parameter_places.swap(other.parameter_places);
    named_parameters.swap(other.named_parameters);
    return *this;
}

instruction_ref module::insert_parameter(instruction_ref place, const std::string& name, const shape& s)
{
    instruction ins;
    ins.op     = operation("@param", value({value("parameter", name)}));
    ins.result = s;
    const auto made = put(place, std::move(ins));
    know_parameter(made);
    return made;
}

void module::know_parameter(instruction_ref parameter)
{
    parameter_places[&*parameter] = parameters.insert(parameters.end(), parameter);
    named_parameters.emplace(parameter->op.get<std::string>("parameter"), parameter);
}

void module::forget_parameter(instruction_ref parameter)
{
    const auto place = parameter_places.find(&*parameter);
    if(place == parameter_places.end())
        return;
    const auto name  = parameter->op.get<std::string>("parameter");
    const auto named = named_parameters.find(name);
    auto next        = parameters.erase(place->second);
    parameter_places.erase(place);
    if(named == named_parameters.end() || named->second != parameter)
        return;
    named_parameters.erase(named);
    for(; next != parameters.end(); ++next)
    {
        if((*next)->op.get<std::string>("parameter") == name)
        {
            named_parameters.emplace(name, *next);
            return;
        }
    }
}

instruction_ref module::insert_literal(instruction_ref ins, literal l)
{
    instruction made;
    made.op       = operation("@literal", value::object{});
    made.result   = l.get_shape();
    made.constant    = std::move(l);
    made.is_constant = true;
    return put(ins, std::move(made));
}

shape result_shape(const operation& op,
                   const std::vector<instruction_ref>& inputs,
                   const std::vector<module_ref>& modules)
{
    const operation_rule& rule = get_op(op.name()).rule;
    if(!rule.shape_of && !rule.shape_with_modules)
        return {};
    std::vector<shape> shapes;
    shapes.reserve(inputs.size());
    for(const instruction_ref input : inputs)
        shapes.push_back(input->get_shape());
    try
    {
        return shape_of(rule, op, shapes, modules);
    }
    catch(const exception& error)
    {
        std::string text;
        for(const shape& s : shapes)
            text += (text.empty() ? "" : ", ") + to_string(s);
        throw exception(op.name() + ": " + error.what() + " (inputs: " + text + ")");
    }
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
    made.op     = op;
    made.result = result_shape(op, inputs, modules);
    made.is_constant = all_constant(inputs);
    made.arguments   = std::move(inputs);
    made.modules     = std::move(modules);
    return put(ins, std::move(made));
}

instruction_ref module::add_return(std::vector<instruction_ref> inputs)
{
    instruction made;
    made.op        = operation("@return", value::object{});
    made.is_constant = all_constant(inputs);
    made.arguments   = std::move(inputs);
    return put(end(), std::move(made));
}

instruction_ref module::remove_instruction(instruction_ref ins)
{
    const auto own = known.find(&*ins);
    if(own != known.end() && own->second.uses != 0)
    {
        for(const instruction& other : instructions)
        {
            if(std::find(other.arguments.begin(), other.arguments.end(), ins) != other.arguments.end())
                throw exception(ins->name() + " cannot be removed: " + other.name() + " uses it");
        }
    }
    for(const instruction_ref input : ins->arguments)
    {
        const auto used = known.find(&*input);
        if(used != known.end() && used->second.uses != 0 && --used->second.uses == 0 && !used->second.is_own)
            known.erase(used);
    }
    forget_parameter(ins);
    known.erase(&*ins);
    return instructions.erase(ins);
}

std::vector<instruction_ref> module::get_parameters() { return {parameters.begin(), parameters.end()}; }

instruction_ref module::get_parameter(const std::string& name)
{
    const auto found = named_parameters.find(name);
    if(found == named_parameters.end())
        throw exception("there is no parameter '" + name + "'");
    return found->second;
}

bool module::has_instruction(instruction_ref ins)
{
    const auto found = known.find(&*ins);
    return found != known.end() && found->second.is_own;
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

namespace {

/// Whether two modules are equal but for the modules that they have; these are added to `pairs`.
bool equal_outside(const module& a, const module& b, std::vector<std::pair<module_ref, module_ref>>& pairs)
{
    if(a.size() != b.size())
        return false;
    const numbering left = numbers(a), right = numbers(b);
    const auto same_input = [&](instruction_ref x, instruction_ref y) {
        const auto i = left.find(&*x), j = right.find(&*y);
        return i != left.end() && j != right.end() && i->second == j->second;
    };
    return std::equal(a.begin(), a.end(), b.begin(), [&](const instruction& x, const instruction& y) {
        if(x.op != y.op || x.result != y.result || x.constant != y.constant || x.modules.size() != y.modules.size())
            return false;
        for(std::size_t i = 0; i < x.modules.size(); ++i)
            pairs.emplace_back(x.modules[i], y.modules[i]);
        return std::equal(x.arguments.begin(), x.arguments.end(), y.arguments.begin(), y.arguments.end(), same_input);
    });
}

} // namespace

bool operator==(const module& a, const module& b)
{
    // Each pair of modules within modules is compared once.
    std::vector<std::pair<module_ref, module_ref>> pairs;
    std::map<module_ref, std::set<module_ref>> seen;
    if(!equal_outside(a, b, pairs))
        return false;
    while(!pairs.empty())
    {
        const auto [x, y] = pairs.back();
        pairs.pop_back();
        if(x == y || !seen[x].insert(y).second)
            continue;
        if(x == nullptr || y == nullptr || !equal_outside(*x, *y, pairs))
            return false;
    }
    return true;
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
