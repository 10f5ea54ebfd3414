// torchgen_comment
#include "hash.h"

#include <cstddef>

namespace torchgen_support {

bool ir_hasher::identity(const expr_base &e) {
    if (commutative_) return true;
    auto added = numbers_.emplace(&e, numbers_.size());
    value(added.first->second);
    return added.second;
}

void ir_hasher::unordered(const expr_c &l, const expr_c &r) {
    later([&] {
        wait(pending_t::end_of_operands, nullptr);
        wait(pending_t::operand, l.get());
        wait(pending_t::operand, r.get());
    });
}

std::size_t ir_hasher::operand(const expr_base *e) {
    later([&] { wait(pending_t::operand, e); });
    const std::size_t hash = operands_.back();
    operands_.pop_back();
    return hash;
}

void ir_hasher::wait(pending_t::kind_t kind, const void *what, std::size_t before) {
    pending_.push_back(pending_t {kind, what, before});
    if (!running_) settle();
}

/// Adds all that waits. Nodes that wait were added in the order of their fields, and the last of
/// them is next: any order is as good, if it is always the same.
void ir_hasher::settle() {
    running_ = true;
    while (!pending_.empty()) {
        const pending_t one = pending_.back();
        pending_.pop_back();
        look_at(one);
    }
    running_ = false;
}

void ir_hasher::look_at(const pending_t &one) {
    switch (one.kind) {
        case pending_t::an_expr: static_cast<const expr_base *>(one.what)->hash_into(*this); break;
        case pending_t::a_stmt: static_cast<const stmt_base_t *>(one.what)->hash_into(*this); break;
        case pending_t::end_of_function: open_functions_.erase(static_cast<const func_base *>(one.what)); break;
        case pending_t::operand: {
            const auto *e = static_cast<const expr_base *>(one.what);
            if (e && known_) {
                auto known = known_->find(e);
                if (known != known_->end()) {
                    operands_.push_back(known->second);
                    break;
                }
            }
            wait(pending_t::end_of_operand, e, hash_);
            hash_ = 0;
            if (e) {
                wait(pending_t::an_expr, e);
            } else {
                value(0x0eU);
            }
            break;
        }
        case pending_t::end_of_operand:
            operands_.push_back(hash_);
            if (one.what && known_) (*known_)[static_cast<const expr_base *>(one.what)] = hash_;
            hash_ = one.before;
            break;
        case pending_t::end_of_operands: {
            const std::size_t count = operands_.size();
            const std::size_t sum = operands_[count - 2] + operands_[count - 1];
            operands_.resize(count - 2);
            value(sum);
            break;
        }
    }
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
    if (!open_functions_.insert(function.get()).second) return;
    // What waits goes before the end of the function.
    if (running_) wait(pending_t::end_of_function, function.get());
    add(function->ret_type_);
    add(function->params_);
    add(function->body_);
    if (!running_) open_functions_.erase(function.get());
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
