// The three ways to build IR, as the article on Tensor IR shows them: by class, by function, by
// macro.
#include "easy_build.h"

#include <iostream>

using namespace tir;

static void by_class() {
    auto block = make_stmt<stmts_node_t>(std::vector<stmt>());
    auto a = make_expr<var_node>(datatypes::s32, "a");
    block->seq_.emplace_back(make_stmt<define_node_t>(a, linkage::local, expr()));
    auto sum = make_expr<add_node>(make_expr<constant_node>(int64_t(1)), make_expr<constant_node>(int64_t(2)));
    block->seq_.emplace_back(make_stmt<assign_node_t>(a, sum));
    std::cout << block << std::endl;
}

static void by_function() {
    using namespace tir::builder;
    auto block = make_stmts_unattached({}).checked_as<stmts>();
    auto a = make_var(datatypes::s32, "a");
    block->seq_.emplace_back(make_var_tensor_def_unattached(a, linkage::local, expr()));
    auto sum = make_add(make_expr<constant_node>(int64_t(1)), make_expr<constant_node>(int64_t(2)));
    block->seq_.emplace_back(make_assign_unattached(a, sum));
    std::cout << block << std::endl;
}

static void by_macro() {
    builder::ir_builder_t bld;
    _function_(datatypes::f32, some_func, _arg_("idx", datatypes::s32), _arg_("A", datatypes::f32, {100, 200})) {
        _bind_(idx, A);
        _var_(b, datatypes::f32);
        b = 0;
        _for_(i, 0, 200) {
            b = b + A[{idx, i}];
        }
        _return_(b);
    }
    std::cout << some_func << std::endl;
}

int main() {
    by_class();
    by_function();
    by_macro();
}
