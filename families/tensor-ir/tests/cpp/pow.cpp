// The node that the test adds: makes it, prints it, reads it, compares it, visits it.
#include "builder.h"
#include "comparer.h"
#include "parser.h"
#include "visitor.h"

#include <iostream>
#include <sstream>

using namespace tir;

class folder : public ir_visitor_t {
public:
    using ir_visitor_t::visit;
    int visited = 0;
    expr_c visit(pow_c v) override {
        visited++;
        auto folded = ir_visitor_t::visit(binary_c(v)).checked_as<pow_c>();
        if (!folded->l_.isa<constant>() || !folded->r_.isa<constant>()) return folded;
        int64_t result = 1;
        for (int64_t at = 0; at < get_expr_as_int(folded->r_); at++)
            result *= get_expr_as_int(folded->l_);
        return expr(static_cast<int32_t>(result));
    }
};

int main() {
    expr x = builder::make_var(datatypes::s32, "x");
    expr e = builder::make_pow(x, builder::make_pow(2, 3));
    std::ostringstream text;
    text << e;
    std::cout << text.str() << '\n';
    ir_comparer comparer(true);
    e->equals(parser_t().declare(x).parse_expr(text.str()), comparer);
    std::cout << "read again: " << comparer;
    folder visitor;
    expr_c folded = visitor.dispatch(e);
    std::cout << "visited " << visitor.visited << ", folded to " << folded << '\n';
}
