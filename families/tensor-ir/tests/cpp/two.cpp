// Two IRs in one program, the macros of one after those of the other.
#include "calc/builder.h"
#include "calc/easy_build.h"
#include "calc/easy_build_undef.h"
#include "logic/comparer.h"
#include "logic/easy_build.h"

#include <iostream>

int main() {
    calc::expr x = calc::builder::make_var(calc::datatypes::s32, "x");
    std::cout << (x + 2) * x << '\n';
    using namespace other::logic;
    auto symbol_of = [](const char *name) { return builder::make_symbol(datatypes::boolean, name); };
    expr one = symbol_of("a") >> !symbol_of("b"), two = symbol_of("c") >> !symbol_of("d");
    std::cout << one << " is " << two << ": " << one->equals(two) << '\n';
}
