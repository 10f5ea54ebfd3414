// Builds a graph with the builder of builders/swish.yaml and prints how many instructions it added.
#include <iostream>

#include "builder_support.h"
#include "op_builders_typed.h"

int main() {
    acme::module m;
    auto x = m.add_parameter("x", {acme::shape::float_type, {2, 3}});
    auto before = m.size();
    acme::op::builder::add("swish", m, {x});
    std::cout << m.size() - before << "\n";
}
