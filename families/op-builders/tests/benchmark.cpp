// Measures generated builders: the time for a module of a thousand instructions, as a ratio to the same calls written by hand; the
// median of nine runs each, in turn. Without an argument it runs the generated self-test, whose `main` is renamed.
#undef main

#include <algorithm>
#include <chrono>
#include <iostream>

#include "builder_support.h"
#include "op_builders_typed.h"

int self_test_main();

namespace {

using namespace migraphx;

constexpr int layers = 250;

instruction_ref by_hand(module& m, instruction_ref x)
{
    const auto alpha  = m.add_literal(literal(shape(x->get_shape().type()), {1.702}));
    const auto scaled = insert_common_op(m, m.end(), make_op("mul"), {alpha, x});
    const auto gate   = m.insert_instruction(m.end(), make_op("sigmoid"), scaled);
    return insert_common_op(m, m.end(), make_op("mul"), {x, gate});
}

instruction_ref typed(module& m, instruction_ref x) { return op::builder::add_gelu_quick(m, x, 1.702); }

instruction_ref by_name(module& m, instruction_ref x)
{
    return op::builder::add("gelu_quick", m, {x}, value({value("alpha", 1.702)})).at(0);
}

template <class F>
double seconds(F layer)
{
    const auto begin = std::chrono::steady_clock::now();
    std::size_t size = 0;
    for(int round = 0; round < 20; ++round)
    {
        module m;
        auto x = m.add_parameter("x", {shape::float_type, {8, 16}});
        for(int i = 0; i < layers; ++i)
            x = layer(m, x);
        size += m.size();
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    return size > 20 * 1000 ? time.count() : -1.0;
}

double median(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

} // namespace

int main(int count, char**)
{
    if(count < 2)
        return self_test_main();
    module hand, built;
    const shape s(shape::float_type, {8, 16});
    by_hand(hand, hand.add_parameter("x", s));
    typed(built, built.add_parameter("x", s));
    if(hand != built)
        return 1;
    std::vector<double> first, second, third;
    for(int i = 0; i < 9; ++i)
    {
        first.push_back(seconds(by_hand));
        second.push_back(seconds(typed));
        third.push_back(seconds(by_name));
    }
    std::cout << "typed " << median(second) / median(first) << "\nname " << median(third) / median(first) << "\n";
    return 0;
}
