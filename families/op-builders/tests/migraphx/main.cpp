// What generated builders do beyond MIGraphX's registry: options are checked, and every error names the builder. Errors,
// refusals and constants of einsum are MIGraphX's.
#include <functional>
#include <iostream>
#include <stdexcept>

#include <migraphx/op/builder/insert.hpp>

#include "op_builders.h"

using namespace migraphx;

static int failures = 0;

/// The action must throw migraphx::exception with this text.
static void refused(const std::string& text, const std::function<void()>& action)
{
    try
    {
        action();
        std::cerr << "no error: " << text << "\n";
    }
    catch(const migraphx::exception& error)
    {
        if(std::string(error.what()).find(text) != std::string::npos)
            return;
        std::cerr << error.what() << "\nis not: " << text << "\n";
    }
    ++failures;
}

template <class Builder>
static void run(const value& options)
{
    module m;
    op::builder::invoke_builder<Builder>("name", m, m.end(), {}, {}, options);
}

/// What a builder adds to parameters of these lengths.
static module built(const std::string& name, const std::vector<std::vector<std::size_t>>& lens, const value& options = value::object{})
{
    module m;
    std::vector<instruction_ref> inputs;
    for(const auto& l : lens)
        inputs.push_back(m.add_parameter("x", {shape::float_type, l}));
    op::builder::add(name, m, inputs, options);
    return m;
}

static value equation(const std::string& text)
{
    value options;
    options["equation"] = text;
    return options;
}

static void errors_of_bodies()
{
    refused("file:line: dequantizelinear: x(shape: 4, 6) and y_scale(shape: 5, 3) shapes may only differ along provided axis(1)",
            [] { built("dequantizelinear", {{4, 6}, {5, 3}}); });
    refused("file:line: quantizelinear: For per axis granularity", [] { built("quantizelinear", {{4, 6}, {5}}); });
    refused("file:line: rotary_embedding: expected input of rank 4", [] { built("rotary_embedding", {{4}, {1}, {1}, {1}}); });
    refused("einsum op_builder: Output term contains label 107, which is not present",
            [] { built("einsum", {{3, 3}}, equation("ii->k")); });
    refused("einsum op_builder: Parsing of equations with more than one duplicated labels per input term is not implemented",
            [] { built("einsum", {{3, 3, 3, 3}}, equation("jjii->ij")); });
    refused("einsum op_builder: Parsing of equations with duplicated labels and batch axes that are not the outer-most axes, is not "
            "implemented",
            [] { built("einsum", {{3, 3, 3}}, equation("ii...->i...")); });
}

/// A constant of integers is converted by MIGraphX.
static void constants()
{
    module m;
    op::builder::add("gelu_erf", m, {m.add_parameter("x", {shape::int8_type, {2}})});
    std::vector<double> numbers;
    for(auto ins = m.begin(); ins->name() == "@literal"; ++ins)
        numbers.push_back(ins->constant.numbers.at(0));
    if(numbers.size() != 3 || numbers.back() != 0.5)
    {
        std::cerr << "a constant is not as it is written\n";
        ++failures;
    }
}

/// The places of a diagonal are a constant after the parameter; other constants are before it.
static void diagonals()
{
    const module diagonal = built("einsum", {{3, 3}}, equation("ii->i"));
    const module scaled   = built("gelu_quick", {{3}});
    const auto second     = std::next(diagonal.begin());
    if(second->name() != "@literal" || second->constant.numbers != std::vector<double>{0, 0, 1, 1, 2, 2} ||
       std::next(second)->name() != "gathernd" || scaled.begin()->name() != "@literal")
    {
        std::cerr << "a constant is in another place\n";
        ++failures;
    }
}

int main()
{
    value misspelt;
    misspelt["alhpa"] = 2.0;
    refused("gemm op_builder: there is no option 'alhpa': the options are alpha, beta, transA, transB",
            [&] { run<op::builder::gemm>(misspelt); });
    refused("gelu_erf op_builder: there is no option 'alhpa': it takes no options", [&] { run<op::builder::gelu_erf>(misspelt); });
    refused("tile op-builder: the option 'repeats' is required", [] { run<op::builder::tile>(value::object{}); });
    refused("gemm op_builder: options must be a map", [] { run<op::builder::gemm>(value(std::vector<int>{1})); });
    value wrong;
    wrong["alpha"] = std::string("two");
    refused("gemm op_builder: option 'alpha': ", [&] { run<op::builder::gemm>(wrong); });

    value right;
    right["alpha"] = 2.0;
    right["transB"] = true;
    const auto gemm = from_value<op::builder::gemm>(right);
    if(gemm.alpha != 2.0 || !gemm.transB || gemm.beta != 1.0)
    {
        std::cerr << "options are not read\n";
        ++failures;
    }

    // Errors of the language itself, which are not MIGraphX's.
    module m;
    const auto body = [](op::builder::inserter&) -> std::vector<instruction_ref> { throw std::out_of_range("index 2"); };
    refused("gemm op_builder: index 2", [&] { op::builder::run_builder("gemm", m, m.end(), body); });
    const auto named = [](op::builder::inserter& at) -> std::vector<instruction_ref> { at.fail("once"); };
    refused("file:line: gemm op_builder: once", [&] { op::builder::run_builder("gemm", m, m.end(), named); });
    refused("file:line: mvn op_builder: once",
            [&] { op::builder::run_builder("mean_variance_normalization", m, m.end(), named); });
    errors_of_bodies();
    constants();
    diagonals();
    return failures == 0 ? 0 : 1;
}
