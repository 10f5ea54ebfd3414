// Reads cases from a file, builds each in the middle of a module, and compares the evaluated results.
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "check.h"

using namespace check;

namespace {

argument read_tensor(std::istringstream& line)
{
    std::string type;
    std::size_t rank = 0;
    line >> type >> rank;
    std::vector<std::size_t> lens(rank);
    for(std::size_t& len : lens)
        line >> len;
    argument result(shape(value(type).to<shape::type_t>(), lens));
    for(std::size_t i = 0; i < result.elements(); ++i)
    {
        std::string word;
        line >> word;
        if(result.integral())
            result.set(i, static_cast<std::int64_t>(std::stoll(word)));
        else
            result.set(i, std::stod(word));
    }
    return result;
}

value read_option(std::istringstream& line)
{
    std::string key, kind, text;
    line >> key >> kind;
    if(kind == "s")
    {
        std::getline(line >> std::ws, text);
        return value(key, value(text));
    }
    if(kind == "l")
    {
        std::size_t count = 0;
        line >> count;
        std::vector<std::int64_t> items(count);
        for(std::int64_t& item : items)
            line >> item;
        return value(key, value(items));
    }
    line >> text;
    if(kind == "b")
        return value(key, value(text == "1"));
    return kind == "i" ? value(key, value(std::stoll(text))) : value(key, value(std::stod(text)));
}

struct test_case
{
    std::string name;
    double tolerance = 0;
    value options    = value::object{};
    std::vector<std::optional<argument>> inputs;
    std::vector<argument> expected;
};

std::string run(const test_case& test)
{
    module m;
    std::vector<instruction_ref> args;
    std::unordered_map<std::string, argument> parameters;
    for(const auto& input : test.inputs)
    {
        if(!input.has_value())
        {
            args.push_back(m.add_instruction(make_op("undefined"), std::vector<instruction_ref>()));
            continue;
        }
        const std::string name = "p" + std::to_string(args.size());
        args.push_back(m.add_parameter(name, input->get_shape()));
        parameters.emplace(name, *input);
    }
    const auto seed  = m.add_parameter("seed", shape(shape::float_type, {1}));
    const auto place = m.add_instruction(make_op("relu"), seed);
    m.add_return({place});
    parameters.emplace("seed", argument(shape(shape::float_type, {1})));
    const auto results = op::builder::insert(test.name, m, place, args, test.options);
    if(m.validate() != m.end())
        return "an instruction uses a later one\n" + to_string(m);
    if(m.get_returns().at(0) != place)
        return "the return moved";
    m.remove_instruction(std::prev(m.end()));
    m.add_return(results);
    const auto values = m.eval(parameters);
    if(values.size() != test.expected.size())
        return std::to_string(values.size()) + " results";
    for(std::size_t i = 0; i < values.size(); ++i)
    {
        const argument& want = test.expected[i];
        if(values[i].get_shape().lens() != want.get_shape().lens())
            return "the shape is " + to_string(values[i].get_shape()) + ", not " + to_string(want.get_shape());
        if(results[i]->get_shape().lens() != values[i].get_shape().lens() ||
           results[i]->get_shape().type() != values[i].get_shape().type())
            return "the inferred shape is " + to_string(results[i]->get_shape());
        for(std::size_t k = 0; k < want.elements(); ++k)
        {
            const double x = values[i].real(k), y = want.real(k);
            const bool same = x == y || (std::isnan(x) && std::isnan(y));
            if(!same && !(std::fabs(x - y) <= test.tolerance * (1.0 + std::fabs(y))))
            {
                std::ostringstream text;
                text << "element " << k << " is " << x << ", not " << y;
                return text.str();
            }
        }
    }
    return "";
}

} // namespace

int check::cases(const char* path)
{
    std::ifstream file(path);
    std::string text;
    test_case test;
    std::map<std::string, int> done;
    int wrong = 0;
    while(std::getline(file, text))
    {
        std::istringstream line(text);
        std::string word;
        line >> word;
        if(word == "case")
        {
            test = test_case();
            line >> test.name >> test.tolerance;
        }
        else if(word == "option")
            test.options.insert(read_option(line));
        else if(word == "input" && text == "input undefined")
            test.inputs.emplace_back();
        else if(word == "input")
            test.inputs.emplace_back(read_tensor(line));
        else if(word == "expect")
            test.expected.push_back(read_tensor(line));
        else if(word == "end")
        {
            std::string problem;
            try
            {
                problem = run(test);
            }
            catch(const std::exception& error)
            {
                problem = error.what();
            }
            ++done[test.name];
            if(!problem.empty())
            {
                ++wrong;
                std::ostringstream options;
                options << test.options;
                std::cerr << test.name << " " << options.str();
                for(const auto& input : test.inputs)
                    std::cerr << " " << (input.has_value() ? to_string(input->get_shape()) : "undefined");
                std::cerr << ": " << problem << "\n";
            }
        }
    }
    for(const auto& entry : done)
        std::cout << entry.first << " " << entry.second << "\n";
    return wrong == 0 ? 0 : 1;
}
