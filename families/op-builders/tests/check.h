// Shared by the test programs: cases by name, and modules as text.
#pragma once

#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "builder_support.h"
#include "op_builders.h"
#include "op_builders_typed.h"

namespace check {

using namespace migraphx;
namespace builder = op::builder;
using refs        = std::vector<instruction_ref>;

inline int failures = 0;

// The test programs.
int contract();
int behaviours();
int reflecting();
int cases(const char* path);

inline void expect(bool holds, const std::string& what)
{
    if(!holds)
    {
        ++failures;
        std::cerr << "failed: " << what << "\n";
    }
}

/// The message that an action throws, or that it throws nothing.
inline std::string thrown(const std::function<void()>& action)
{
    try
    {
        action();
    }
    catch(const std::exception& error)
    {
        return error.what();
    }
    return "nothing is thrown";
}

inline void expect_error(const std::string& part, const std::function<void()>& action)
{
    const std::string what = thrown(action);
    expect(what.find(part) != std::string::npos, "\"" + what + "\" has \"" + part + "\"");
}

/// A map of one or more options.
inline value options(std::initializer_list<value> entries)
{
    value result = value::object{};
    for(const value& entry : entries)
        result.insert(entry);
    return result;
}

/// A module whose parameters have these shapes.
struct scene
{
    explicit scene(const std::vector<shape>& shapes)
    {
        for(const shape& s : shapes)
            x.push_back(m.add_parameter("p" + std::to_string(x.size()), s));
    }
    /// An operator on inputs as they are.
    instruction_ref op(const std::string& name, const refs& inputs, const value& attributes = value::object{})
    {
        return m.add_instruction(make_op(name, attributes), inputs);
    }
    /// An operator on inputs with a common shape and type.
    instruction_ref common(const std::string& name, const refs& inputs)
    {
        return add_common_op(m, make_op(name), inputs);
    }
    instruction_ref number(double x, shape::type_t type) { return m.add_literal(literal(shape(type), {x})); }
    module m;
    refs x;
};

/// A module with parameters of these shapes, and a builder's result in it.
inline module built(const std::string& name, const std::vector<shape>& shapes, const value& opts = value::object{})
{
    scene s(shapes);
    builder::add(name, s.m, s.x, opts);
    return s.m;
}

/// Checks that a builder inserts what the calls by hand insert.
inline void expect_same(const module& by_hand,
                        const std::string& name,
                        const std::vector<shape>& shapes,
                        const value& opts = value::object{})
{
    const module made = built(name, shapes, opts);
    expect(by_hand == made, name + " makes\n" + to_string(made) + "and by hand it is\n" + to_string(by_hand));
}

/// The operators of a module with the first list among their attributes: `transpose{1, 0} dot`.
inline std::string outline(const module& m)
{
    std::string text;
    for(const instruction& ins : m)
    {
        if(ins.name()[0] == '@')
            continue;
        text += (text.empty() ? "" : " ") + ins.name();
        for(const value& entry : ins.get_operator().to_value())
        {
            if(!entry.is_array())
                continue;
            std::string items;
            for(const value& item : entry)
                items += (items.empty() ? "" : ",") + to_string(item);
            text += "{" + items + "}";
            break;
        }
    }
    return text;
}

} // namespace check
