// Random functions: comparing is symmetric and transitive and agrees with hashes, copies and
// printed texts that are read again are equal.
#include "check.h"
#include "comparer.h"
#include "copier.h"
#include "easy_build.h"
#include "hash.h"
#include "parser.h"
#include "save.h"
#include "suites.h"
#include "validator.h"

#include <random>

using namespace tir;
using namespace tir::builder;

namespace {

class maker {
    std::mt19937 random_;
    std::vector<expr> ints_, floats_, truths_, tensors_;

public:
    explicit maker(unsigned seed) : random_(seed) {}
    int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
    const expr &one_of(const std::vector<expr> &list) { return list[static_cast<std::size_t>(pick(static_cast<int>(list.size())))]; }

    expr whole(int depth) {
        if (depth == 0 || pick(4) == 0) {
            if (pick(2) == 0) return expr(pick(20) - 10);
            return one_of(ints_);
        }
        switch (pick(8)) {
            case 0: return whole(depth - 1) + whole(depth - 1);
            case 1: return whole(depth - 1) - whole(depth - 1);
            case 2: return whole(depth - 1) * whole(depth - 1);
            case 3: return whole(depth - 1) % whole(depth - 1);
            case 4: return make_max(whole(depth - 1), whole(depth - 1));
            case 5: return whole(depth - 1) << whole(depth - 1);
            case 6: return make_select(truth(depth - 1), whole(depth - 1), whole(depth - 1));
            default: return make_cast(datatypes::s32, number(depth - 1));
        }
    }
    expr number(int depth) {
        if (depth == 0 || pick(4) == 0) {
            static const float values[] = {1.0f, -2.5f, 0.1f, 3e10f, -0.0f, 1e-7f};
            if (pick(2) == 0) return expr(values[pick(6)]);
            return one_of(floats_);
        }
        switch (pick(5)) {
            case 0: return number(depth - 1) + number(depth - 1);
            case 1: return number(depth - 1) / number(depth - 1);
            case 2: return make_fmadd(number(depth - 1), number(depth - 1), number(depth - 1));
            case 3: return one_of(tensors_)[{whole(depth - 1), whole(depth - 1)}];
            default: return make_cast(datatypes::f32, whole(depth - 1));
        }
    }
    expr truth(int depth) {
        if (depth == 0 || pick(4) == 0) {
            if (pick(2) == 0) return expr(pick(2) == 0);
            return one_of(truths_);
        }
        switch (pick(5)) {
            case 0: return whole(depth - 1) < whole(depth - 1);
            case 1: return number(depth - 1) >= number(depth - 1);
            case 2: return truth(depth - 1) && truth(depth - 1);
            case 3: return truth(depth - 1) || truth(depth - 1);
            default: return !truth(depth - 1);
        }
    }
    void statements(ir_builder_t &bld, int count, int depth) {
        for (int at = 0; at < count; at++) {
            switch (pick(depth == 0 ? 4 : 6)) {
                case 0: bld.push_assign(one_of(ints_), whole(3)); break;
                case 1: bld.push_assign(one_of(tensors_)[{whole(1), whole(1)}].get(), number(3)); break;
                case 2: bld.push_evaluate(truth(3)); break;
                case 3: {
                    expr fresh = make_var(datatypes::f32, "x" + std::to_string(floats_.size()));
                    bld.push_var_tensor_def(fresh, linkage::local, pick(2) == 0 ? number(2) : expr());
                    floats_.push_back(fresh);
                    break;
                }
                case 4: {
                    bld.push_scope();
                    auto floats = floats_;
                    statements(bld, 1 + pick(2), depth - 1);
                    stmt then_block = bld.pop_scope();
                    floats_ = floats;
                    bld.push_scope();
                    statements(bld, 1, depth - 1);
                    stmt else_block = bld.pop_scope();
                    floats_ = floats;
                    bld.push_if_else(truth(2), then_block, pick(2) == 0 ? else_block : stmt());
                    break;
                }
                default: {
                    expr i = make_var(datatypes::s32, "i" + std::to_string(ints_.size()));
                    bld.push_scope();
                    auto ints = ints_, floats = floats_;
                    ints_.push_back(i);
                    statements(bld, 1 + pick(2), depth - 1);
                    stmt body = bld.pop_scope();
                    ints_ = ints;
                    floats_ = floats;
                    // A bound that is no literal says of which type the variable is.
                    bld.push_for_loop(i, pick(4), one_of(ints_), 1, body, true, pick(2) == 0 ? for_type::NORMAL : for_type::PARALLEL);
                    break;
                }
            }
        }
    }
    func_t function() {
        ints_ = {make_var(datatypes::s32, "a"), make_var(datatypes::s32, "b")};
        floats_ = {make_var(datatypes::f32, "f")};
        truths_ = {make_var(datatypes::boolean, "p")};
        tensors_ = {make_tensor("T", {4, 8}, datatypes::f32), make_tensor("U", {2, 2}, datatypes::f32)};
        std::vector<expr> params = {ints_[0], ints_[1], floats_[0], truths_[0], tensors_[0], tensors_[1]};
        ir_builder_t bld;
        bld.push_scope();
        statements(bld, 1 + pick(2), 2);
        bld.push_returns(whole(2));
        stmt body = bld.pop_scope();
        return make_func("f", params, body, datatypes::s32);
    }
};

} // namespace

void random_suite() {
    constexpr int count = 10000;
    ir_comparer comparer;
    auto alike = [&](const func_t &one, const func_t &other) { return comparer.compare(func_c(one), func_c(other)); };
    func_t before, before_that;
    int equal_pairs = 0;
    for (int at = 0; at < count; at++) {
        // Every third tree is one that was before, so that equal ones are met too.
        maker make(static_cast<unsigned>(at % 3 == 0 ? at / 2 : at));
        func_t f = make.function();
        CHECK(alike(f, f));
        if (before) {
            const bool forth = alike(f, before);
            CHECK(forth == alike(before, f));
            if (forth) CHECK(hash_value(func_c(f)) == hash_value(func_c(before)));
            if (before_that && forth && alike(before, before_that)) CHECK(alike(f, before_that));
            equal_pairs += forth;
        }
        func_t again = maker(static_cast<unsigned>(at % 3 == 0 ? at / 2 : at)).function();
        CHECK(alike(f, again) && alike(again, f) && hash_value(func_c(f)) == hash_value(func_c(again)));
        func_t copy = deep_copy(func_c(f));
        CHECK(alike(copy, f) && alike(copy, again));
        const std::string text = text_of(f);
        try {
            func_t read = parse_func(text);
            const bool same = alike(read, f) && hash_value(func_c(read)) == hash_value(func_c(f));
            CHECK(same);
            if (!same && failures() < 5) std::printf("%s\n%s\n", text.c_str(), text_of(read).c_str());
        } catch (const parse_error &error) {
            CHECK(!"a printed form is read");
            if (failures() < 5) std::printf("%s\n%s\n", text.c_str(), error.what());
        }
        if (at % 10 == 0) {
            const std::string saved = save_tree(func_c(f));
            func_t loaded = load_tree(saved).f;
            CHECK(alike(loaded, f) && save_tree(func_c(loaded)) == saved);
            CHECK(save_tree(func_c(load_tree(save_tree_as_bytes(func_c(f))).f)) == saved);
        }
        if (at % 100 == 0) CHECK(validate(func_c(f)).empty());
        before_that = before;
        before = f;
    }
    static_cast<void>(equal_pairs);
}
