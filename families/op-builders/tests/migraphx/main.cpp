// What generated builders do beyond MIGraphX's registry: options are checked, and every error names
// the builder.
#include <functional>
#include <iostream>
#include <stdexcept>

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

int main()
{
    value misspelt;
    misspelt["alhpa"] = 2.0;
    refused("gemm op_builder: there is no option 'alhpa': the options are alpha, beta, transA, transB",
            [&] { run<op::builder::gemm>(misspelt); });
    refused("gelu_erf op_builder: there is no option 'alhpa': it takes no options", [&] { run<op::builder::gelu_erf>(misspelt); });
    refused("tile op_builder: the option 'repeats' is required", [] { run<op::builder::tile>(value::object{}); });
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
    refused("tile op_builder: index 2", [&] { op::builder::run_builder("tile", m, m.end(), body); });
    const auto named = [](op::builder::inserter& at) -> std::vector<instruction_ref> { at.fail("once"); };
    refused("file:line: tile op_builder: once", [&] { op::builder::run_builder("tile", m, m.end(), named); });
    return failures == 0 ? 0 : 1;
}
