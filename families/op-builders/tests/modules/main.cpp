// Builders with modules and with several results, called as MIGraphX's documentation calls them: in our support library, which also
// computes them, and with `--target migraphx`.
#include <functional>
#include <iostream>
#include <string>
#include <vector>

#if __has_include("builder_support.h")
#include "builder_support.h"
#define IS_STANDALONE 1
#else
#include <migraphx/op/builder/insert.hpp>
#define IS_STANDALONE 0
#endif
#include "op_builders_typed.h"

using namespace migraphx;
namespace builder = migraphx::op::builder;
using modules     = std::vector<module_ref>;

static int failures = 0;

static void expect(bool holds, const std::string& what)
{
    if(holds)
        return;
    ++failures;
    std::cerr << "failed: " << what << "\n";
}

/// The action must throw migraphx::exception with this text.
static void refused(const std::string& text, const std::function<void()>& action)
{
    std::string said = "nothing is thrown";
    try
    {
        action();
    }
    catch(const migraphx::exception& error)
    {
        said = error.what();
    }
    expect(said.find(text) != std::string::npos, said + "\nis not: " + text);
}

#if IS_STANDALONE
/// The operator that has one of two modules' results.
static void register_if()
{
    operation_signature signature;
    signature.attributes              = value::object{};
    signature.least_inputs            = 1;
    signature.most_inputs             = 1;
    signature.rule.shape_with_modules = [](const operation&, const std::vector<shape>&, const modules& branches) {
        return branches.at(0)->get_returns().at(0)->get_shape();
    };
    signature.rule.value_with_modules =
        [](const operation&, const shape&, const std::vector<argument>& inputs, const modules& branches) {
            return branches.at(inputs[0].real(0) != 0.0 ? 0 : 1)->eval({}).at(0);
        };
    register_op("if", signature);
}

#endif

int main()
{
#if IS_STANDALONE
    register_if();
#endif
    module then("then"), otherwise("otherwise");
    then.add_return({then.add_literal(literal(shape(shape::float_type, {2}), std::vector<double>{1, 2}))});
    otherwise.add_return({otherwise.add_literal(literal(shape(shape::float_type, {2}), std::vector<double>{3, 4}))});
    module m;
    const auto x     = m.add_parameter("x", {shape::float_type, {2}});
    const auto cond  = m.add_parameter("cond", {shape::float_type, {1}});
    const auto place = m.insert_instruction(m.end(), make_op("neg"), {x});

    // One result, at the end.
    const auto one = builder::add("chosen", m, {cond}, modules{&then, &otherwise});
    expect(one.size() == 1 && one[0]->name() == "if" && one[0] == std::prev(m.end()), "`chosen` adds the operator `if`");
    expect(one[0]->module_inputs() == modules{&then, &otherwise}, "which has both modules");
    expect(one[0]->inputs() == std::vector<instruction_ref>{cond}, "and one input");

    // Two results, before a place, from a builder in a builder.
    value options;
    options.insert({"scale", 5.0});
    const auto two = builder::insert("guarded", m, place, {x, cond}, modules{&then, &otherwise}, options);
    expect(two.size() == 2 && two[0]->name() == "mul" && two[1]->name() == "if", "`guarded` has two results");
    expect(two[1]->module_inputs() == modules{&then, &otherwise} && std::next(two[1]) == place, "before the place");
    const auto both = builder::add("if", m, {x, cond}, modules{&then, &otherwise});
    expect(both.size() == 2 && both[0]->name() == "neg" && both[1]->name() == "if", "a builder with the name of a statement");
    expect(builder::add("twice_if", m, {x, cond}, modules{&then, &otherwise}).size() == 1, "another calls it");

    // The same with types.
    const std::size_t before = m.size();
    const auto typed         = builder::insert_guarded(m, m.end(), x, cond, {&then, &otherwise}, 5.0);
    expect(typed.size() == 2 && typed[1]->module_inputs().size() == 2 && m.size() > before, "with types");
    expect(builder::add_chosen(m, cond, &otherwise, &then)->module_inputs() == modules{&otherwise, &then}, "in their order");

    // Names without an object.
    expect(builder::chosen::name() == "chosen" && builder::chosen::names().size() == 1, "a builder's name is static");

    const std::size_t size = m.size();
    refused("chosen op_builder: takes 2 modules, but 1 are given", [&] { builder::add("chosen", m, {cond}, modules{&then}); });
    refused("chosen op_builder: takes 2 modules, but 0 are given", [&] { builder::add("chosen", m, {cond}); });
    refused("guarded op_builder: needs two branches, not 3",
            [&] { builder::add("guarded", m, {x, cond}, modules{&then, &then, &then}); });
    expect(m.size() == size, "an error leaves the module unchanged");

#if IS_STANDALONE
    expect(m.validate() == m.end(), "instructions use earlier ones");
    const argument two_and_four(shape(shape::float_type, {2}), {2.0, 4.0});
    m.add_return({two[0], both[0], two[1], both[1]});
    for(const double c : {1.0, 0.0})
    {
        const auto values = m.eval({ {"x", two_and_four}, {"cond", argument(shape(shape::float_type, {1}), {c})} });
        expect(values.at(0).real(1) == 20.0 && values.at(1).real(1) == -12.0, "the first results");
        const double picked = c != 0.0 ? 2.0 : 4.0;
        expect(values.at(2).real(1) == picked && values.at(3).real(1) == picked, "the module's result");
    }
#endif
    return failures == 0 ? 0 : 1;
}
