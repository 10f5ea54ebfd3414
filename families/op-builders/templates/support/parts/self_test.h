// How the self-test checks a builder.
#pragma once

#include <cmath>
#include <iostream>
#include <sstream>

#include "builder_support.h"
#include "op_builders.h"

using namespace torchgen_support;
namespace builders = torchgen_support::torchgen_builders;

namespace torchgen_self_test {
namespace {

int failures = 0;
int checks   = 0;

void expect(bool holds, const std::string& what)
{
    ++checks;
    if(!holds)
    {
        ++failures;
        std::cerr << "failed: " << what << "\n";
    }
}

template <class F>
std::string thrown(F f)
{
    try
    {
        f();
    }
    catch(const std::exception& error)
    {
        return error.what();
    }
    return "nothing was thrown";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

template <class... Lens>
std::vector<std::size_t> example_lens(Lens... lens)
{
    return {static_cast<std::size_t>(lens)...};
}
[[maybe_unused]] shape example_shape(shape::type_t type, const std::vector<std::size_t>& lens) { return {type, lens}; }
template <class... Items>
value example_list(const Items&... items)
{
    value::array list;
    (list.push_back(items), ...);
    return value(list);
}
template <class... Entries>
value example_options(const Entries&... entries)
{
    value options = value::object{};
    (options.insert(entries), ...);
    return options;
}

/// An input of an example; an undefined one has no shape.
struct input
{
    bool given;
    shape s;
    std::vector<double> values;
};

/// The expected results of an example.
struct expected
{
    std::vector<std::vector<std::size_t>> lens;
    std::vector<std::vector<double>> values;
    std::vector<std::string> ops;
    std::string error;
};

/// The names of the instructions inserted before a place, without constants.
[[maybe_unused]] std::vector<std::string> made_between(instruction_ref first, instruction_ref last)
{
    std::vector<std::string> names;
    for(; first != last; ++first)
        names.push_back(first->name());
    return names;
}

/// Builds an example in the middle of a module: its instructions must precede a place that does not use them.
[[maybe_unused]] void run_example(const std::string& name, const std::vector<input>& inputs, const value& options, const expected& wanted)
{
    module m;
    std::vector<instruction_ref> args;
    std::unordered_map<std::string, argument> parameters;
    for(std::size_t i = 0; i < inputs.size(); ++i)
    {
        if(!inputs[i].given)
        {
            args.push_back(m.add_instruction(make_op("undefined"), std::vector<instruction_ref>()));
            continue;
        }
        const std::string parameter = "p" + std::to_string(i);
        args.push_back(m.add_parameter(parameter, inputs[i].s));
        argument values(inputs[i].s);
        for(std::size_t k = 0; k < values.elements(); ++k)
            values.set(k, inputs[i].values.empty() ? 0.25 * static_cast<double>(k % 7) + 0.5
                                                   : inputs[i].values[k % inputs[i].values.size()]);
        parameters.emplace(parameter, values);
    }
    const auto seed  = m.add_parameter("seed", shape(shape::float_type, {1}));
    const auto place = m.add_instruction(make_op("relu"), seed);
    m.add_return({place});
    parameters.emplace("seed", argument(shape(shape::float_type, {1})));
    const module before(m);
    const auto last = std::prev(place);
    if(!wanted.error.empty())
    {
        const std::string what = thrown([&] { builders::insert(name, m, place, args, options); });
        expect(has(what, name + " op_builder: ") && has(what, wanted.error), name + ": the error is " + what);
        expect(m == before, name + ": an error leaves the module as it was");
        return;
    }
    std::vector<instruction_ref> results;
    const std::string what = thrown([&] { results = builders::insert(name, m, place, args, options); });
    expect(!results.empty(), name + ": " + what);
    if(results.empty())
        return;
    expect(m.validate() == m.end(), name + ": every instruction uses earlier ones\n" + to_string(m));
    expect(m.get_returns().size() == 1 && m.get_returns()[0] == place, name + ": the return is unchanged");
    if(!wanted.ops.empty())
    {
        const auto names = made_between(std::next(last), place);
        std::string text;
        for(const std::string& op : names)
            text += " " + op;
        expect(names == wanted.ops, name + ": the instructions are" + text);
    }
    for(std::size_t i = 0; i < wanted.lens.size(); ++i)
        expect(i < results.size() && results[i]->get_shape().lens() == wanted.lens[i],
               name + ": result " + std::to_string(i) + " has the shape " + to_string(results[i]->get_shape()));
    m.remove_instruction(std::prev(m.end()));
    m.add_return(results);
    const auto values = m.eval(parameters);
    for(std::size_t i = 0; i < wanted.values.size() && i < values.size(); ++i)
    {
        const auto found = values[i].to_vector<double>();
        bool close       = found.size() == wanted.values[i].size();
        for(std::size_t k = 0; close && k < found.size(); ++k)
            close = std::fabs(found[k] - wanted.values[i][k]) <= 1e-4 * (1.0 + std::fabs(wanted.values[i][k]));
        std::ostringstream text;
        text << values[i];
        expect(close, name + ": result " + std::to_string(i) + " is " + text.str());
    }
}

/// The contract of every builder.
[[maybe_unused]] void check_contract(const std::string& name, const std::vector<std::string>& keys, std::size_t least, bool modules)
{
    expect(builders::has_op_builder(name), name + " is registered");
    const value defaults = builders::get_op_builder_value(name);
    expect(defaults.is_object() && defaults.size() == keys.size(), name + " has its options");
    for(const std::string& key : keys)
        expect(defaults.contains(key), name + " has the option " + key);
    module m;
    value options = value::object{};
    options.insert(value("no_such_option", 1));
    expect(has(thrown([&] { builders::add(name, m, std::vector<instruction_ref>(), options); }), "there is no option 'no_such_option'"),
           name + " refuses unknown options");
    if(least > 0)
        expect(has(thrown([&] { builders::add(name, m, std::vector<instruction_ref>(), defaults); }), "is missing") ||
                   has(thrown([&] { builders::add(name, m, std::vector<instruction_ref>(), defaults); }), "are missing"),
               name + " names the inputs that are missing");
    if(!modules)
        expect(has(thrown([&] { builders::add(name, m, std::vector<instruction_ref>(), std::vector<module_ref>{&m}, defaults); }),
                   "Module args should be empty"),
               name + " refuses modules");
    expect(m.size() == 0, name + " inserts nothing if it fails");
}

} // namespace
} // namespace torchgen_self_test
