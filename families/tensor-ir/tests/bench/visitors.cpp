// How long generated visitors take beside visitors that are written by hand against the generated
// classes, over a function of a million nodes.
//
// What is written by hand has methods that can be overridden, as visitors of the original have, but
// only for the kinds that the function has: it is what a program would have without the generator.
// Each pair does the same work and gives the same result. The program prints a line for each pair:
// its name, and the generated visitor's time as a multiple of the other's. Without arguments a tree
// of some thousand nodes is visited once, to see that both agree.
#include "by_hand.h"
#include "comparer.h"
#include "easy_build.h"
#include "viewer.h"
#include "visitor.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace tir;
using namespace tir::builder;

namespace {

/// A tree of operations with so many levels, with variables and literals below them.
expr tree(int levels, const expr &x, int &number) {
    if (levels == 0) {
        number++;
        if (number % 2 == 0) return x;
        return expr(number % 7);
    }
    expr l = tree(levels - 1, x, number), r = tree(levels - 1, x, number);
    switch (number % 5) {
        case 0: return l + r;
        case 1: return l - r;
        case 2: return l * r;
        case 3: return make_select(l < r, l, x);
        default: return make_cast(datatypes::s32, l + r);
    }
}

/// A function of so many assignments, each of some thousand nodes.
func_t function(int assignments) {
    ir_builder_t bld;
    _function_(datatypes::s32, made, _arg_("x", datatypes::s32)) {
        _bind_(x);
        _for_(i, 0, 8) {
            static_cast<void>(i);
            int number = 0;
            for (int at = 0; at < assignments; at++)
                bld.push_assign(x.get(), tree(11, x, number));
        }
        _return_(x);
    }
    return made;
}

// The same visitors twice: over the generated bases, and over those that are written by hand.

/// How many literals there are.
template <typename Base>
class literal_counter : public Base {
public:
    using Base::view;
    std::size_t literals = 0;
    void view(constant_c) override { literals++; }
};

/// Literals that are greater than a bound become greater by one. With a bound that none reaches the
/// whole tree comes back as it was.
template <typename Base>
class literal_changer : public Base {
public:
    using Base::visit;
    int64_t bound = 0;
    expr_c visit(constant_c v) override {
        if (v->value_[0].s64 <= bound) return v;
        return make_expr<constant_node>(v->value_[0].s64 + 1, v->dtype_);
    }
};

/// All literals become greater by one, in the tree itself.
template <typename Base>
class literal_increaser : public Base {
public:
    using Base::visit_impl;
    std::size_t literals = 0;
    expr visit_impl(constant v) override {
        this->changed_ = false;
        literals++;
        v->value_[0].s64++;
        return v;
    }
};

class counter : public ir_viewer_t {
public:
    using ir_viewer_t::dispatch;
    std::size_t nodes = 0;
    expr_c dispatch(expr_c e) override {
        nodes++;
        return ir_viewer_t::dispatch(std::move(e));
    }
    stmt_c dispatch(stmt_c s) override {
        nodes++;
        return ir_viewer_t::dispatch(std::move(s));
    }
};

void check(bool holds, const char *what) {
    if (holds) return;
    std::printf("the two do not agree: %s\n", what);
    std::exit(1);
}

template <typename Work>
double seconds(Work work) {
    const auto started = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
}

/// The median of the ratios of alternating runs; the first of each is not counted.
template <typename Generated, typename ByHand>
void compare(const char *name, int runs, Generated generated, ByHand by_hand) {
    generated();
    by_hand();
    std::vector<double> ratios;
    for (int run = 0; run < runs; run++) {
        double first, other;
        if (run % 2 == 0) {
            first = seconds(generated);
            other = seconds(by_hand);
        } else {
            other = seconds(by_hand);
            first = seconds(generated);
        }
        ratios.push_back(first / other);
    }
    std::sort(ratios.begin(), ratios.end());
    std::printf("%s %.2f\n", name, ratios[ratios.size() / 2]);
}

} // namespace

int main(int argc, char **) {
    const int runs = argc > 1 ? 9 : 1;
    func_t made = function(argc > 1 ? 83 : 1);
    counter counted;
    counted.dispatch(func_c(made));
    std::printf("nodes %zu\n", counted.nodes);
    const stmt_c body = made->body_;

    literal_counter<ir_viewer_t> viewer;
    literal_counter<viewer_by_hand> other_viewer;
    viewer.dispatch(body);
    other_viewer.dispatch(body);
    check(viewer.literals == other_viewer.literals && viewer.literals > 0, "view");
    for (int64_t bound : {3, 100}) {
        literal_changer<ir_visitor_t> visitor;
        literal_changer<visitor_by_hand> other_visitor;
        visitor.bound = other_visitor.bound = bound;
        stmt_c one = visitor.dispatch(body), other = other_visitor.dispatch(body);
        check(ir_comparer().compare(one, other), "visit");
        check(one.ptr_same(body) == (bound == 100) && other.ptr_same(body) == (bound == 100), "visit");
    }
    literal_increaser<ir_inplace_visitor_t> inplace;
    literal_increaser<inplace_visitor_by_hand> other_inplace;
    check(inplace.dispatch_impl(made->body_).ptr_same(other_inplace.dispatch_impl(made->body_)), "change in place");
    check(inplace.literals == other_inplace.literals && inplace.literals > 0, "change in place");

    compare("view", runs, [&] { viewer.dispatch(body); }, [&] { other_viewer.dispatch(body); });
    literal_changer<ir_visitor_t> visitor;
    literal_changer<visitor_by_hand> other_visitor;
    visitor.bound = other_visitor.bound = int64_t(1) << 40;
    compare("visit_same", runs, [&] { visitor.dispatch(body); }, [&] { other_visitor.dispatch(body); });
    visitor.bound = other_visitor.bound = -1;
    compare("visit_changed", runs, [&] { visitor.dispatch(body); }, [&] { other_visitor.dispatch(body); });
    compare("in_place", runs, [&] { inplace.dispatch_impl(made->body_); }, [&] { other_inplace.dispatch_impl(made->body_); });
}
