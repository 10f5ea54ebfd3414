// The rules of the IR: what breaks each, and what keeps it.
#include "check.h"
#include "easy_build.h"
#include "module.h"
#include "suites.h"
#include "validator.h"

using namespace tir;
using namespace tir::builder;

namespace {

/// The first violation has the rule and says this.
template <typename T>
void breaks(const T &tree, const char *rule, const char *says, int line) {
    auto found = validate(tree);
    bool fits = false;
    for (const auto &one : found)
        fits |= one.rule == rule && one.message.find(says) != std::string::npos;
    if (!fits) {
        ++failures();
        std::printf("validating.cpp:%d: wanted [%s] %s, found %zu:\n", line, rule, says, found.size());
        for (const auto &one : found)
            std::printf("  %s\n", one.to_string().c_str());
    }
}
void breaks(const expr &e, const char *rule, const char *says, int line) { breaks(expr_c(e), rule, says, line); }
void breaks(const stmt &s, const char *rule, const char *says, int line) { breaks(stmt_c(s), rule, says, line); }
void breaks(const func_t &f, const char *rule, const char *says, int line) { breaks(func_c(f), rule, says, line); }
#define BREAKS(tree, rule, says) breaks(tree, rule, says, __LINE__)

template <typename T>
void keeps(const T &tree, int line) {
    for (const auto &one : validate(tree)) {
        ++failures();
        std::printf("validating.cpp:%d: %s\n", line, one.to_string().c_str());
    }
}
void keeps(const expr &e, int line) { keeps(expr_c(e), line); }
void keeps(const stmt &s, int line) { keeps(stmt_c(s), line); }
void keeps(const func_t &f, int line) { keeps(func_c(f), line); }
#define KEEPS(tree) keeps(tree, __LINE__)

expr lanes(std::initializer_list<uint64_t> values) {
    std::vector<union_val> list;
    for (uint64_t value : values)
        list.emplace_back(value);
    return make_constant(list, sc_data_type_t::s32(static_cast<uint16_t>(list.size())));
}

void operations() {
    expr v = make_var(datatypes::void_t, "v"), s = make_var(datatypes::s32, "s"), i = make_var(datatypes::index, "i");
    BREAKS(v + v, "valid_dtype", "cannot be of type void");
    BREAKS(v + 0, "valid_dtype", "cannot be of type");
    expr mixed = s + i;
    mixed->dtype_ = datatypes::index;
    BREAKS(mixed, "same_dtype", "the types of l, r differ: s32 and index");
    BREAKS(expr(1.5f) % 2.5f, "dtype_in", "must be index, s32, u8, s8, not f32");
    expr none = make_var(sc_data_type_t::s32(0), "none");
    BREAKS(none + none, "valid_dtype", "without lanes");
    expr p = make_var(datatypes::pointer, "p");
    BREAKS(p + p, "dtype_not_in", "cannot be pointer");
    KEEPS(s % 10);
    expr equal = expr(1) == 2;
    equal->dtype_ = datatypes::s32;
    BREAKS(equal, "etype_in", "must be bool, not s32");
    BREAKS(expr(12) >= UINT64_C(14), "same_dtype", "s32 and index");
    BREAKS(p < p, "category_in", "not of type pointer");
    KEEPS(expr(12) <= 14);
    expr either = expr(true) || false;
    either->dtype_ = datatypes::s32;
    BREAKS(either, "dtype_in", "the type of dtype must be bool");
    BREAKS(expr(true) || 1, "dtype_in", "the type of r must be bool");
    BREAKS(expr(1) || true, "dtype_in", "the type of l must be bool");
    KEEPS(expr(true) || false);
    expr negated = !expr(true);
    negated.as<logic_not>()->in_ = expr(1);
    BREAKS(negated, "dtype_in", "the type of in must be bool");
    KEEPS(!expr(true));
    expr counted = !expr(true);
    counted->dtype_ = datatypes::s32;
    BREAKS(counted, "dtype_in", "the type of dtype must be bool");
    expr wide = make_tensor("wide", {16}, datatypes::f32);
    BREAKS(make_select(true, make_indexing(wide, {0}, 16), 1), "same_dtype", "f32x16 and s32");
    BREAKS(make_select(16, make_indexing(wide, {0}, 16), make_indexing(wide, {0}, 16)), "mask_bits", "16 lanes");
    expr choice = make_indexing(make_tensor("choice", {16}, datatypes::boolean), {0}, 16);
    KEEPS(make_select(choice, make_indexing(wide, {0}, 16), make_indexing(wide, {0}, 16)));
    BREAKS(make_add(expr(), 1), "required", "`l` is missing");
    BREAKS(make_phi({}), "min_size", "values needs 1");
    BREAKS(make_phi({1, 2.5f}), "each_same_dtype", "number 2 is of type f32");
    BREAKS(make_cast(datatypes::void_t, 1), "valid_dtype", "void");
    BREAKS(v, "valid_dtype", "void");
}

void intrinsics() {
    expr least = make_min(1, 2.5f);
    BREAKS(least, "valid_dtype", "undef");
    least->dtype_ = datatypes::bf16;
    BREAKS(least, "same_dtype", "s32 and f32");
    for (auto make : {make_abs, make_round, make_floor, make_ceil, make_exp, make_sqrt, make_rsqrt}) {
        KEEPS(make(1.5f));
        expr wrong = make(1.5f);
        wrong->dtype_ = datatypes::s32;
        BREAKS(wrong, "follows_rule", "the type is s32, but follows as f32");
    }
    BREAKS(expr(1.5f) & 2.5f, "category_in", "l must be a number (int, uint)");
    BREAKS(expr(1.5f) | 2.5f, "category_in", "l must be a number (int, uint)");
    KEEPS(lanes({1, 2, 3, 4}) | lanes({1, 2, 3, 4}));
    KEEPS(lanes({1, 2, 3, 4}) & lanes({1, 2, 3, 4}));
    KEEPS(lanes({1, 2, 3, 4}) ^ lanes({1, 2, 3, 4}));
    BREAKS(expr(123) >> 1.5f, "category_in", "bits must be a number");
    BREAKS(expr(1.5f) << 1, "category_in", "l must be a number");
    BREAKS(expr(123) << 1.5f, "category_in", "bits must be a number");
    BREAKS(expr(1.5f) >> 1, "category_in", "l must be a number");
    BREAKS(lanes({1, 2, 3, 4}) >> lanes({1, 2}), "lanes_fit", "s32x2 for s32x4");
    BREAKS(expr(12) >> lanes({1, 2, 3, 4}), "lanes_fit", "s32x4 for s32");
    KEEPS(lanes({1, 2, 3, 4}) << lanes({1, 2, 3, 4}));
    KEEPS(lanes({1, 2, 3, 4}) << 3);
    BREAKS(expr(make_expr<intrin_call_node>(intrin_type::max, std::vector<expr> {1}, any_map_t())), "arity", "`max` takes 2 arguments, not 1");
    BREAKS(expr(make_expr<intrin_call_node>(intrin_type::reinterpret, std::vector<expr> {1}, any_map_t())), "attribute", "needs the attribute `out_dtype`");
    BREAKS(make_fmadd(1, 2, 3.5f), "same_dtype", "s32 and f32");
    BREAKS(make_round_and_cast(1, datatypes::s32), "etype_in", "the elements of v must be f32");
    KEEPS(make_round_and_cast(1.5f, datatypes::s32));
    KEEPS(make_isnan(1.5f));
    BREAKS(make_isnan(1), "etype_in", "f32, bf16, f16");
    BREAKS(make_prefetch(make_var(datatypes::pointer, "p"), 7), "attribute_range", "between 0 and 3, not 7");
    BREAKS(make_prefetch(1, 2), "pointer", "must be a pointer");
    KEEPS(make_broadcast(1, 16));
    CHECK(make_broadcast(1, 16)->dtype_ == sc_data_type_t::s32(16) && make_reduce_add(lanes({1, 2}))->dtype_ == datatypes::s32);
    CHECK(make_read_struct(make_var(datatypes::pointer, "d"), "dyn_tsr", 2)->dtype_ == datatypes::s32);
    std::vector<expr> args(28, expr(1));
    BREAKS(expr(make_expr<intrin_call_node>(intrin_type::brgemm, args, any_map_t())), "argument_dtypes", "argument 1 must be a pointer, not s32");
}

void memory() {
    expr t = make_tensor("t", {100}, datatypes::f32), t2 = make_tensor("t2", {100, 200}, datatypes::f32);
    BREAKS(tensor_ptr(t, {100, 200}), "accesses", "has 1 dimensions, but 2 are given");
    BREAKS(tensor_ptr(t, {1.5f}), "each_category_in", "number 1 of idx must be a number");
    KEEPS(tensor_ptr(t, {100}));
    KEEPS(tensor_ptr(t, {UINT64_C(100)}));
    expr element = t[12];
    element.as<indexing>()->ptr_ = expr(10);
    BREAKS(element, "kind_in", "ptr must be one of tensor, tensorptr, not constant");
    element = t[10];
    element->dtype_ = datatypes::bf16;
    BREAKS(element, "accesses", "of type f32 is read as bf16");
    BREAKS(expr(t[{10, 20}]), "accesses", "has 1 dimensions, but 2 are given");
    BREAKS(expr(t[true]), "each_category_in", "not of type bool");
    BREAKS(expr(t2[{10, UINT64_C(20)}]), "each_same_dtype", "number 2 is of type index");
    BREAKS(make_indexing(t, std::vector<expr>()), "min_size", "idx needs 1 or more");
    BREAKS(make_indexing(tensor_ptr(t, {1}), 1), "accesses", "a pointer needs a shape to be indexed");
    BREAKS(make_indexing(tensor_ptr(t, {1}, {4, 4}), 1), "accesses", "the pointer has 2 dimensions");
    KEEPS(make_indexing(tensor_ptr(t, {1}, {4, 4}), {1, 2}));
    KEEPS(expr(t[10]));
    KEEPS(expr(t[UINT64_C(10)]));
    KEEPS(expr(t2[{10, 20}]));
    KEEPS(expr(t2[{UINT64_C(10), UINT64_C(20)}]));
    BREAKS(make_tensor("a", {10}, sc_data_type_t::s32(10)), "scalar", "the vector type s32x10");
    expr wrong = make_tensor("a", {10}, datatypes::f32);
    wrong->dtype_ = datatypes::f16;
    BREAKS(wrong, "pointer", "not of type f16");
    BREAKS(make_tensor("a", {10}, datatypes::void_t), "valid_dtype", "void");
    BREAKS(make_tensor("a", {10}, sc_data_type_t::s32(0)), "valid_dtype", "without lanes");
    BREAKS(make_tensor("a", std::vector<expr>(), datatypes::s32), "min_size", "dims needs 1");
    BREAKS(make_tensor("a", {1.5f}, datatypes::s32), "each_dtype_in", "number 1 of dims must be index, s32, not f32");
    BREAKS(make_tensor("a", {1, UINT64_C(2)}, datatypes::s32), "each_same_dtype", "number 2 is of type index");
    BREAKS(make_stensor("a", std::vector<expr> {1, 2}, std::vector<expr> {1}, datatypes::s32), "same_size", "2 dims, but 1 strides");
}

void calls() {
    _decl_func_(datatypes::undef, f, _arg_("a", datatypes::s32), _arg_("b", datatypes::f32));
    BREAKS(f(1, 2.5f), "dtype_not_in", "cannot be undef");
    f->ret_type_ = datatypes::index;
    BREAKS(f(12), "matches_prototype", "`f` takes 2 arguments, not 1");
    BREAKS(f(), "matches_prototype", "not 0");
    BREAKS(f(1, 2, 3), "matches_prototype", "`f` takes 2 arguments, not 3");
    BREAKS(f(1, UINT64_C(2)), "matches_prototype", "argument 2 of `f` is of type f32, not index");
    expr called = f(1, 2.5f);
    KEEPS(called);
    called->dtype_ = datatypes::f16;
    BREAKS(called, "matches_prototype", "`f` returns index, not f16");
    expr p = make_var(datatypes::pointer, "p");
    BREAKS(expr(make_expr<call_node>(p, std::vector<expr> {1})), "matches_prototype", "needs the attribute `prototype`");
    p->attr()["prototype"] = f;
    KEEPS(expr(make_expr<call_node>(p, std::vector<expr> {1, 2.5f})));
    p->dtype_ = datatypes::s32;
    BREAKS(expr(make_expr<call_node>(p, std::vector<expr> {1, 2.5f})), "matches_prototype", "must be a pointer, not of type s32");
}

void statements() {
    BREAKS(make_assign_unattached(1, 1), "kind_in", "var must be one of var, indexing, not constant");
    BREAKS(make_assign_unattached(make_var(datatypes::bf16, "a"), 1), "same_dtype", "bf16 and s32");
    BREAKS(make_var_tensor_def_unattached(1), "kind_in", "var must be one of var, tensor");
    BREAKS(make_var_tensor_def_unattached(make_var(datatypes::bf16, "a"), linkage::local, 1), "initializes", "is of type bf16, its first value of type s32");
    BREAKS(make_var_tensor_def_unattached(make_tensor("a", {1}, datatypes::f32), linkage::local, 1), "initializes", "begins with memory");
    BREAKS(make_var_tensor_def_unattached(make_var(datatypes::s32, "a"), linkage::public_global), "local_linkage", "not global");
    stmt zeros = make_var_tensor_def_unattached(make_tensor("a", {1}, datatypes::f32, address_space::automatic, tensor_node::get_zero_tensor_initializer()));
    KEEPS(zeros);
    BREAKS(make_var_tensor_def_unattached(make_tensor("a", {1}, datatypes::f32, address_space::automatic, tensor_node::make_tensor_initializer(uint64_t(1)))), "initializes", "cannot begin with bytes");
    ir_builder_t bld;
    bld.push_scope();
    _if_(expr(1)) {}
    BREAKS(bld.pop_scope(), "dtype_in", "the type of condition must be bool, not s32");
    auto loop = [](expr begin, expr end, expr step, int threads = 0) {
        return make_for_loop_unattached(make_var(datatypes::index, "i"), begin, end, step, make_stmts_unattached({}), true, for_type::NORMAL, threads);
    };
    const uint64_t one = 1;
    KEEPS(loop(one, one, one));
    BREAKS(loop(0, one, one), "same_dtype", "var, iter_begin differ: index and s32");
    BREAKS(loop(one, 0, one), "same_dtype", "var, iter_end differ");
    BREAKS(loop(one, one, 1), "same_dtype", "var, step differ");
    BREAKS(loop(one, one, one, 4), "equals", "a loop that is not parallel has no number of threads");
    stmt other = loop(one, one, one);
    other.as<for_loop>()->var_ = make_var(datatypes::bf16, "i");
    BREAKS(other, "dtype_in", "must be index, s32, not bf16");
    other.as<for_loop>()->var_ = expr();
    BREAKS(other, "required", "`var` is missing");
    CHECK(!other.as<for_loop>()->isvalid());
}

void functions() {
    ir_builder_t bld;
    {
        _function_(datatypes::void_t, f) { _return_(1); }
        BREAKS(f, "returns", "`f` returns void, not s32");
    }
    {
        _function_(datatypes::f16, f) { _return_(1); }
        BREAKS(f, "returns", "`f` returns f16, not s32");
    }
    {
        _function_(datatypes::void_t, f) { _return_(); }
        KEEPS(f);
        KEEPS(make_returns_unattached());
    }
    {
        _function_(datatypes::f16, f) { _return_(); }
        BREAKS(f, "returns", "`f` returns f16, but no value is given");
    }
    {
        _function_(datatypes::s32, f) {
            _for_(i, UINT64_C(0), UINT64_C(10), UINT64_C(1)) { _return_(1); }
        }
        BREAKS(f, "outside_of", "cannot be within for_loop");
        f->attr()[function_attrs::low_level] = true;
        KEEPS(f);
    }
    {
        _function_(datatypes::s32, f) { _return_(1); }
        KEEPS(f);
        KEEPS(make_returns_unattached(1));
    }
    {
        expr unknown = make_var(datatypes::f32, "unknown");
        _function_(datatypes::void_t, f) { bld.push_assign(unknown, 2.5f); }
        BREAKS(f, "declared_first", "`unknown` is used, but not declared before");
    }
    {
        _function_(datatypes::void_t, f) {
            _var_(v, datatypes::f32);
            bld.push_var_tensor_def(v);
        }
        BREAKS(f, "declared_once", "`v` is declared already");
    }
    {
        _function_(datatypes::void_t, f) {
            _var_(v, datatypes::s32);
            bld.push_for_loop(v, 0, 1, 1, make_stmts_unattached({}), true, for_type::NORMAL);
        }
        BREAKS(f, "declared_once", "`v` is declared already");
    }
    {
        // A block's variables are not known after it, nor a loop's; a first value does not see its
        // variable.
        _function_(datatypes::void_t, f) {
            bld.push_scope();
            _var_(inner, datatypes::s32);
            bld.emit(bld.pop_scope());
            inner = 1;
        }
        BREAKS(f, "declared_first", "`inner`");
        expr self = make_var(datatypes::s32, "self");
        func_t g = make_func("g", std::vector<expr>(), make_stmts_unattached({make_var_tensor_def_unattached(self, linkage::local, self + 1)}), datatypes::void_t);
        BREAKS(g, "declared_first", "`self`");
    }
    {
        _function_(datatypes::void_t, f, _arg_("len", datatypes::s32)) {
            _bind_(len);
            _var_(v, datatypes::s32);
            len = 1;
            v = len;
            _return_();
        }
        KEEPS(f);
        auto violations = validate(func_c(make_func("g", std::vector<expr>(), f->body_, datatypes::void_t)));
        CHECK(!violations.empty() && violations[0].path == "body.seq[1].var");
    }
    {
        auto module = std::make_shared<ir_module_t>();
        _global_tensor_(module, t, datatypes::f32, 100);
        _function_(datatypes::void_t, f, _arg_("len", datatypes::s32)) {
            _bind_(len);
            t[len] = 1.5f;
            _return_();
        }
        module->add_func({f});
        keeps(*module, __LINE__);
        module->get_module_vars()[0]->linkage_ = linkage::local;
        breaks(*module, "global_linkage", "private or public", __LINE__);
    }
    // What a program writes: throws in every build.
    validator_t validator;
    CHECK(validator(expr_c(expr(1) + 2)).isa<add>());
    bool thrown = false;
    try {
        validator(expr_c(expr(1) + 2.5f));
    } catch (const validation_error &error) {
        thrown = error.violations().size() >= 2 && std::string(error.what()).find("(1 + 2.5)") != std::string::npos;
    }
    CHECK(thrown);
}

} // namespace

void validating_suite() {
    operations();
    intrinsics();
    memory();
    calls();
    statements();
    functions();
}
