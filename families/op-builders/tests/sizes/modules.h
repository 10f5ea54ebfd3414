// Modules of any size, and what is done with them: the benchmark times it, the tests count its steps.
#pragma once

#include "builder_support.h"

#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <vector>

namespace sizes {

using namespace swishes;

/// What a module looks like: each instruction uses the one before, or all use one, or a bit of both.
enum class Shape
{
    Chain,
    Fan,
    Mixed
};

/// A module, and what was made of it.
struct Modules
{
    Shape looks;
    std::size_t nodes;
    module made{"made"};
    module copy{"copy"};
    /// Instructions that depend on no parameter.
    module constant{"constant"};

    explicit Modules(std::size_t count, Shape shape_of = Shape::Mixed) : looks(shape_of), nodes(count) {}
};

/// Something that is done with a module. The operations follow each other.
struct Operation
{
    const char* name;
    void (*run)(Modules& modules);
};

inline void require(bool holds, const char* what)
{
    if(!holds)
        throw std::logic_error(what);
}

inline std::string parameter(std::size_t number) { return "x" + std::to_string(1000000 + number); }

inline void build(Modules& modules)
{
    module& m = modules.made;
    const shape s(shape::float_type, {4});
    const auto weight = m.add_literal(literal(s, {1.0, 2.0, 3.0, 4.0}));
    auto last         = m.add_parameter("x", s);
    const auto add    = make_op("add");
    for(std::size_t i = 0; i < modules.nodes; ++i)
    {
        if(i % 4 == 0)
            m.add_parameter(parameter(i), s);
        const bool is_chain = modules.looks == Shape::Chain || (modules.looks == Shape::Mixed && i % 2 == 0);
        const auto made     = m.add_instruction(add, {is_chain ? last : weight, weight});
        last                = is_chain ? made : last;
    }
    m.add_return({last});
}

inline void find_all(Modules& modules)
{
    for(std::size_t i = 0; i < modules.nodes; i += 4)
        require(modules.made.has_instruction(modules.made.get_parameter(parameter(i))), "each parameter is found");
}

inline void evaluate(Modules& modules)
{
    // Each uses the one before twice: what is computed once for each way to it never ends.
    module& m = modules.constant;
    auto last = m.add_literal(literal(shape(shape::float_type, {1}), {0.0}));
    const auto add = make_op("add");
    for(std::size_t i = 0; i < modules.nodes / 4; ++i)
    {
        last = m.add_instruction(add, {last, last});
        require(last->can_eval(), "it depends on no parameter");
    }
    require(last->eval().real(0) == 0.0, "nothing is added to nothing");
}

inline void remove_all(Modules& modules)
{
    // From the last to the first, as nothing may use what is removed.
    while(modules.made.size() != 0)
        modules.made.remove_instruction(std::prev(modules.made.end()));
}

/// A text of which only the length counts.
class Length : public std::streambuf
{
    std::size_t total = 0;
    int_type overflow(int_type c) override
    {
        ++total;
        return traits_type::not_eof(c);
    }
    std::streamsize xsputn(const char*, std::streamsize count) override
    {
        total += static_cast<std::size_t>(count);
        return count;
    }

    public:
    std::size_t length() const { return total; }
};

inline void print(Modules& modules)
{
    Length length;
    std::ostream os(&length);
    os << modules.made;
    require(length.length() > modules.nodes, "there is a text");
}

/// Everything that is done with a module, from building it to freeing it.
inline const std::vector<Operation>& operations()
{
    static const std::vector<Operation> all = {
        {"build", build},
        {"validate", [](Modules& modules) { require(modules.made.validate() == modules.made.end(), "the module is valid"); }},
        {"find", find_all},
        {"print", print},
        {"copy", [](Modules& modules) { modules.copy = modules.made; }},
        {"compare", [](Modules& modules) { require(modules.copy == modules.made, "a copy is equal"); }},
        {"evaluate", evaluate},
        {"remove", remove_all},
        {"free",
         [](Modules& modules) {
             modules.copy     = module();
             modules.constant = module();
         }},
    };
    return all;
}

} // namespace sizes
