// Fields of types of the program's own are compared, hashed, printed and read by what the YAML
// names.
#include "builder.h"
#include "check.h"
#include "comparer.h"
#include "copier.h"
#include "hash.h"
#include "parser.h"
#include "printer.h"
#include "reflect.h"

using namespace every;
using geometry::angle;
using geometry::point;
using geometry::size;

namespace {

expr single(point p, angle a, size s) {
    return make_expr<singles_node>(expr(1), "word", 2, int64_t(3), 0.5f, true, datatypes::f32, color::blue, flag::high, p, a, s);
}

expr list(std::vector<point> points, std::vector<angle> angles, std::vector<size> sizes, std::vector<range_t> ranges = {}) {
    return make_expr<lists_node>(std::vector<expr> {1, 2}, std::vector<leaf> {make_expr<leaf_node>(7)},
        std::vector<std::string> {"a", "b"}, std::vector<int> {-1, 2}, std::vector<int64_t> {int64_t(1) << 40},
        std::vector<float> {0.5f}, std::vector<sc_data_type_t> {datatypes::s32, datatypes::bf16}, std::move(points),
        std::move(angles), std::move(sizes), std::move(ranges), std::vector<stmt> {});
}

void equal(const expr &one, const expr &other) {
    ir_comparer comparer(true);
    CHECK(one->equals(other, comparer) && other->equals(one, comparer));
    CHECK(hash_value(expr_c(one)) == hash_value(expr_c(other)));
}

void differ(const expr &one, const expr &other, const char *path) {
    ir_comparer comparer(true);
    CHECK(!one->equals(other, comparer));
    CHECK_TEXT(comparer.diff->path_, path);
    CHECK(hash_value(expr_c(one)) != hash_value(expr_c(other)));
}

void comparing() {
    const expr e = single({1, 2}, {90}, {16});
    equal(e, single({1, 2}, {450}, {23}));
    equal(e, e->remake());
    differ(e, single({1, 3}, {90}, {16}), "j");
    differ(e, single({1, 2}, {91}, {16}), "k");
    differ(e, single({1, 2}, {90}, {24}), "l");
    const expr l = list({ {1, 2}, {3, 4} }, { {0}, {90} }, { {8} });
    equal(l, list({ {1, 2}, {3, 4} }, { {360}, {450} }, { {15} }));
    differ(l, list({ {1, 2}, {3, 5} }, { {0}, {90} }, { {8} }), "h[1]");
    differ(l, list({ {1, 2}, {3, 4} }, { {0}, {91} }, { {8} }), "i[1]");
    differ(l, list({ {1, 2}, {3, 4} }, { {0}, {90} }, { {16} }), "j[0]");
    differ(l, list({ {1, 2} }, { {0}, {90} }, { {8} }), "h");
    auto range = [](int degrees) { return range_t(1, expr(), 2, 0.5f, true, "name", color::red, datatypes::s8, point {5, 6}, {angle {degrees}}); };
    equal(list({}, {}, {}, {range(1)}), list({}, {}, {}, {range(361)}));
    differ(list({}, {}, {}, {range(1)}), list({}, {}, {}, {range(2)}), "k[0].turns[0]");
}

void printing() {
    CHECK_TEXT(text_of(single({1, -2}, {90}, {16})), "singles(1, word, 2, 3, 0.5, true, f32, b high, <1/-2>, 90deg, 16B)");
    const range_t range(1, expr(2), 2, 0.5f, true, "name", color::green, datatypes::s8, point {5, 6}, {angle {1}, angle {2}});
    const expr l = list({ {1, 2}, {3, 4} }, { {0}, {90} }, { {8}, {24} }, {range});
    CHECK_TEXT(text_of(l),
        "lists[1, 2 | leaf 7 | a and b | -1, 2 | 1099511627776 | 0.5 | s32, bf16 | <1/2>; <3/4> | 0deg; 90deg | 8B; 24B | "
        "<1..2 by 2 at 0.5 true name g s8 <5/6> 1deg, 2deg> | ]");
    for (const expr &e : {single({1, -2}, {90}, {16}), l, list({}, {}, {})}) {
        const expr read = parse_expr(text_of(e));
        CHECK(read->equals(e) && text_of(read) == text_of(e));
        CHECK(deep_copy(expr_c(e))->equals(e));
    }
    for (const char *wrong : {"singles(1, word, 2, 3, 0.5, true, f32, b high, <1/-2>, 90, 16B)", "singles(1, word, 2, 3, 0.5, true, f32, b high, <1-2>, 90deg, 16B)"}) {
        bool refused = false;
        try {
            parse_expr(wrong);
        } catch (const parse_error &error) {
            refused = std::string(error.what()).find("a value of the type `") != std::string::npos;
        }
        CHECK(refused);
    }
}

void traits() {
    const leaf l = make_expr<leaf_node>(7);
    CHECK_TEXT(l->description(), "kind " + std::to_string(static_cast<int>(leaf_node::type_code_)));
    CHECK(l->bytes() == sizeof(leaf_node) && range_t().bytes() == sizeof(range_t));
    const kind_info_t &info = info_of(expr_c(l));
    CHECK(info.has_trait("described") && info.has_trait("sized") && !info.has_trait("leaf"));
    CHECK(info_of(sc_stmt_type::run).has_trait("described") && !info_of(sc_stmt_type::mark).has_trait("described"));
    CHECK(l->remake().as<leaf>()->description() == l->description());
}

} // namespace

int main() {
    comparing();
    printing();
    traits();
    std::printf("%d failed\n", failures());
    return failures() != 0;
}
