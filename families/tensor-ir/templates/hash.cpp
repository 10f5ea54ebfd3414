// torchgen_comment
#include "hash.h"

#include <algorithm>

namespace torchgen_support {

bool ir_hasher::identity(const expr_base &e) {
    if (commutative_) return true;
    auto added = numbers_.emplace(&e, numbers_.size());
    value(added.first->second);
    return added.second;
}

void ir_hasher::unordered(const expr_c &l, const expr_c &r) {
    ir_hasher one(callee_, true), other(callee_, true);
    one.add(l);
    other.add(r);
    value(one.result() + other.result());
}

void ir_hasher::scalars(sc_data_type_t dtype, const std::vector<union_val> &values) {
    value(values.size());
    bool floats = get_etype_category_nothrow(dtype) == CATE_FLOAT;
    for (const auto &lane : values) {
        if (floats) {
            add(lane.f32);
        } else {
            value(static_cast<std::size_t>(lane.u64));
        }
    }
}

void ir_hasher::add(const func_t &function) {
    if (!callee_ || !function) {
        value(std::hash<const void *>()(function ? function->declared() : nullptr));
        return;
    }
    if (std::find(open_functions_.begin(), open_functions_.end(), function.get()) != open_functions_.end()) return;
    open_functions_.push_back(function.get());
    add(function->ret_type_);
    add(function->params_);
    add(function->body_);
    open_functions_.pop_back();
}

void ir_hasher::add(const std::shared_ptr<node_base> &callee) {
    if (auto function = std::dynamic_pointer_cast<func_base>(callee)) {
        add(func_t(function));
    } else {
        add(expr_c(std::dynamic_pointer_cast<expr_base>(callee)));
    }
}

std::size_t hash_value(const expr_c &e) {
    ir_hasher hasher;
    hasher.add(e);
    return hasher.result();
}

std::size_t hash_value(const stmt_c &s) {
    ir_hasher hasher;
    hasher.add(s);
    return hasher.result();
}

std::size_t hash_value(const func_c &function) {
    ir_hasher hasher;
    if (function) {
        hasher.add(function->ret_type_);
        hasher.add(function->params_);
        hasher.add(function->body_);
    }
    return hasher.result();
}

} // namespace torchgen_support
