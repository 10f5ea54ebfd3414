// torchgen_comment
#include "comparer.h"

#include "hash.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace torchgen_support {

ir_comparer::ir_comparer(bool needs_diff, bool cmp_names, bool cmp_var_ref, bool cmp_callee, bool cmp_commutative)
    : cmp_names_(cmp_names)
    , cmp_callee_(cmp_callee)
    , cmp_var_ref_(cmp_var_ref)
    , cmp_commutative_(cmp_commutative) {
    if (needs_diff) diff = std::make_unique<ir_comparer_diff_t>();
}

void ir_comparer::reset() {
    same_ = true;
    if (diff) diff = std::make_unique<ir_comparer_diff_t>();
    left_to_right_.clear();
    right_to_left_.clear();
    matched_.clear();
    path_.clear();
    shapes_.clear();
}

bool ir_comparer::compare(const func_c &left, const func_c &right, bool auto_reset) {
    bool alike = left && right ? left->equals(right, *this) : set_result(left, right, left == right);
    if (auto_reset) reset();
    return alike;
}

bool ir_comparer::compare(const expr_c &left, const expr_c &right, bool auto_reset) {
    bool alike = check_equals_may_null(left, right);
    if (auto_reset) reset();
    return alike;
}

bool ir_comparer::compare(const stmt_c &left, const stmt_c &right, bool auto_reset) {
    bool alike = check_equals_may_null(left, right);
    if (auto_reset) reset();
    return alike;
}

bool ir_comparer::check_or_set_expr_mapping(const expr_c &left, const expr_c &right) {
    auto forth = left_to_right_.find(left.get());
    auto back = right_to_left_.find(right.get());
    if (forth == left_to_right_.end() && back == right_to_left_.end()) {
        set_expr_mapping(left, right);
        return true;
    }
    return forth != left_to_right_.end() && forth->second == right.get();
}

void ir_comparer::set_expr_mapping(const expr_c &left, const expr_c &right) {
    left_to_right_[left.get()] = right.get();
    right_to_left_[right.get()] = left.get();
    matched_.emplace_back(left.get(), right.get());
}

bool ir_comparer::get_expr_mapping(const expr_c &left, const expr_c &right) const {
    auto forth = left_to_right_.find(left.get());
    return forth != left_to_right_.end() && forth->second == right.get();
}

void ir_comparer::forget_since(std::size_t count) {
    while (matched_.size() > count) {
        left_to_right_.erase(matched_.back().first);
        right_to_left_.erase(matched_.back().second);
        matched_.pop_back();
    }
}

std::string ir_comparer::path(const char *field) const {
    std::string text;
    auto add = [&text](const char *name, long at) {
        if (name) {
            if (!text.empty()) text += '.';
            text += name;
        }
        if (at >= 0) text += '[' + std::to_string(at) + ']';
    };
    for (const auto &one : path_)
        add(one.field, one.at);
    if (field) add(field, -1);
    return text;
}

bool ir_comparer::set_result(const func_c &left, const func_c &right, bool alike) {
    if (same_ && !alike) {
        same_ = false;
        if (diff) {
            diff->first_diff_func_ = {left, right};
            diff->path_ = path(nullptr);
        }
    }
    return alike;
}

bool ir_comparer::set_result(const expr_c &left, const expr_c &right, bool alike) {
    if (same_ && !alike) {
        same_ = false;
        if (diff) {
            diff->first_diff_expr_ = {left, right};
            diff->path_ = path(nullptr);
        }
    }
    return alike;
}

bool ir_comparer::set_result(const stmt_c &left, const stmt_c &right, bool alike) {
    if (same_ && !alike) {
        same_ = false;
        if (diff) {
            diff->first_diff_stmt_ = {left, right};
            diff->path_ = path(nullptr);
        }
    }
    return alike;
}

bool ir_comparer::verdict(const char *field, bool alike) {
    if (same_ && !alike) {
        same_ = false;
        if (diff) {
            const node_base *left = owners_.first, *right = owners_.second;
            if (auto e = dynamic_cast<const expr_base *>(left)) {
                diff->first_diff_expr_
                    = {e->node_ptr_from_this(), static_cast<const expr_base *>(right)->node_ptr_from_this()};
            } else if (auto s = dynamic_cast<const stmt_base_t *>(left)) {
                diff->first_diff_stmt_
                    = {s->node_ptr_from_this(), static_cast<const stmt_base_t *>(right)->node_ptr_from_this()};
            } else if (auto f = dynamic_cast<const func_base *>(left)) {
                diff->first_diff_func_
                    = {f->shared_from_this(), static_cast<const func_base *>(right)->shared_from_this()};
            }
            diff->path_ = path(field);
        }
    }
    return alike;
}

ir_comparer::outcome ir_comparer::identity(const expr_base &left, const expr_base &right) {
    auto forth = left_to_right_.find(&left);
    if (forth != left_to_right_.end() && forth->second == &right) return same;
    bool taken = forth != left_to_right_.end() || right_to_left_.count(&right) != 0;
    if (cmp_var_ref_ && !taken && &left == &right) return same;
    if (!taken && !cmp_var_ref_) return unknown;
    set_result(left.node_ptr_from_this(), right.node_ptr_from_this(), false);
    return different;
}

void ir_comparer::map_identity(const expr_base &left, const expr_base &right) {
    left_to_right_[&left] = &right;
    right_to_left_[&right] = &left;
    matched_.emplace_back(&left, &right);
}

bool ir_comparer::trees(const expr_base &left, const expr_base *right) { return child(pending_t::exprs, &left, right, nullptr); }
bool ir_comparer::trees(const stmt_base_t &left, const stmt_base_t *right) { return child(pending_t::stmts, &left, right, nullptr); }
bool ir_comparer::trees(const func_base &left, const func_base *right) { return child(pending_t::functions, &left, right, nullptr); }

/// Compares two nodes now or later. Operands that may change places need the stack, to go back to.
bool ir_comparer::child(pending_t::kind_t kind, const void *left, const void *right, const char *field) {
    if (running_) {
        wait(kind, left, right, field);
        return true;
    }
    const auto owners = owners_;
    const std::size_t depth = owners_depth_, steps = path_.size();
    if (field) path_.push_back({field, -1});
    owners_depth_ = path_.size();
    bool alike;
    if (cmp_commutative_ || level_ == detail::most_levels) {
        const std::size_t base = pending_.size();
        wait(kind, left, right, nullptr);
        alike = settle(base);
    } else {
        level_++;
        alike = nodes(kind, left, right);
        level_--;
    }
    path_.resize(steps);
    owners_ = owners;
    owners_depth_ = depth;
    return alike;
}

void ir_comparer::wait(pending_t::kind_t kind, const void *left, const void *right, const char *field) {
    pending_t one {kind, left, right, owners_depth_, 0, {}, nullptr};
    // A list of records has one step, a field of a record another one.
    for (std::size_t at = owners_depth_; at < path_.size(); at++)
        one.steps[one.count++] = path_[at];
    if (field) one.steps[one.count++] = {field, -1};
    pending_.push_back(std::move(one));
}

/// Compares all that waits above the base, in the order of fields.
bool ir_comparer::settle(std::size_t base) {
    const std::vector<step> path = path_;
    const auto owners = owners_;
    const std::size_t owners_depth = owners_depth_;
    const bool before = std::exchange(running_, true);
    bool alike = true;
    while (alike && pending_.size() > base) {
        const pending_t one = std::move(pending_.back());
        pending_.pop_back();
        if (one.kind == pending_t::choice) continue;
        if (one.kind == pending_t::end_of_function) {
            open_functions_.erase({static_cast<const func_base *>(one.left), static_cast<const func_base *>(one.right)});
            continue;
        }
        path_.resize(one.depth);
        path_.insert(path_.end(), one.steps, one.steps + one.count);
        owners_depth_ = path_.size();
        const std::size_t count = pending_.size();
        if (nodes(one.kind, one.left, one.right)) {
            // What was added first is next.
            std::reverse(pending_.begin() + static_cast<std::ptrdiff_t>(count), pending_.end());
        } else {
            pending_.resize(count);
            alike = change_places(base);
        }
    }
    path_ = path;
    owners_ = owners;
    owners_depth_ = owners_depth;
    running_ = before;
    return alike;
}

/// Goes back to the last operands that may change places, and lets them. Says whether there are any.
bool ir_comparer::change_places(std::size_t base) {
    while (pending_.size() > base) {
        pending_t one = std::move(pending_.back());
        pending_.pop_back();
        if (one.kind == pending_t::end_of_function)
            open_functions_.erase({static_cast<const func_base *>(one.left), static_cast<const func_base *>(one.right)});
        if (one.kind != pending_t::choice) continue;
        choice_t &operands = *one.operands;
        if (operands.changed_places) {
            if (operands.was_same) diff = std::move(operands.first);
            continue;
        }
        if (shape(operands.l) != shape(operands.other_r) || shape(operands.r) != shape(operands.other_l)) continue;
        // What the first attempt recorded and matched is taken back before the second one.
        operands.changed_places = true;
        if (operands.was_same) {
            operands.first = std::move(diff);
            if (operands.first) diff = std::make_unique<ir_comparer_diff_t>();
        }
        same_ = operands.was_same;
        forget_since(operands.matched);
        const std::size_t depth = one.depth;
        pending_.push_back(std::move(one));
        // The first is next.
        pending_.push_back(pending_t {pending_t::exprs, operands.r, operands.other_l, depth, 1, {{operands.r_name, -1}}, nullptr});
        pending_.push_back(pending_t {pending_t::exprs, operands.l, operands.other_r, depth, 1, {{operands.l_name, -1}}, nullptr});
        return true;
    }
    return false;
}

/// Compares the fields of two nodes.
bool ir_comparer::nodes(pending_t::kind_t kind, const void *one, const void *other) {
    if (kind == pending_t::functions)
        return functions(static_cast<const func_base *>(one), static_cast<const func_base *>(other));
    auto pointer = [](const auto *node) { return node ? node->node_ptr_from_this() : decltype(node->node_ptr_from_this())(); };
    if (kind == pending_t::stmts) {
        auto left = static_cast<const stmt_base_t *>(one), right = static_cast<const stmt_base_t *>(other);
        if (!left || !right || left->node_type_ != right->node_type_)
            return left == right || !same_ ? left == right : set_result(pointer(left), pointer(right), false);
        owners_ = {left, right};
        return left->fields_equal(*right, *this);
    }
    auto left = static_cast<const expr_base *>(one), right = static_cast<const expr_base *>(other);
    if (!left || !right || left->node_type_ != right->node_type_ || left->dtype_ != right->dtype_) {
        auto forth = left && right ? left_to_right_.find(left) : left_to_right_.end();
        if (left == right || (forth != left_to_right_.end() && forth->second == right)) return true;
        return same_ ? set_result(pointer(left), pointer(right), false) : false;
    }
    owners_ = {left, right};
    return left->fields_equal(*right, *this);
}

bool ir_comparer::functions(const func_base *left, const func_base *right) {
    auto pointer = [](const func_base *function) { return function ? function->shared_from_this() : func_c(); };
    if (!left || !right) return set_result(pointer(left), pointer(right), left == right);
    if (open_functions_.count({left, right}) != 0) return true;
    owners_ = {left, right};
    open_functions_.insert({left, right});
    const bool alike = verdict("ret_type", left->ret_type_ == right->ret_type_)
        && (!cmp_names_ || verdict("name", left->name_ == right->name_)) && field("params", left->params_, right->params_)
        && field("body", left->body_, right->body_);
    if (alike && running_) {
        wait(pending_t::end_of_function, left, right, nullptr);
    } else {
        open_functions_.erase({left, right});
    }
    return alike;
}

bool ir_comparer::field(const char *name, const expr_c &left, const expr_c &right) {
    return (!left.defined() && !right.defined()) || child(pending_t::exprs, left.get(), right.get(), name);
}

bool ir_comparer::field(const char *name, const stmt_c &left, const stmt_c &right) {
    return (!left.defined() && !right.defined()) || child(pending_t::stmts, left.get(), right.get(), name);
}

bool ir_comparer::field(const char *name, const func_t &left, const func_t &right) {
    if (!left || !right) return verdict(name, left.ptr_same(right));
    // A call of a function and one of its declaration call the same.
    if (!cmp_callee_) return verdict(name, left->declared() == right->declared());
    return child(pending_t::functions, left.get(), right.get(), name);
}

bool ir_comparer::field(
    const char *name, const std::shared_ptr<node_base> &left, const std::shared_ptr<node_base> &right) {
    auto left_function = std::dynamic_pointer_cast<func_base>(left);
    auto right_function = std::dynamic_pointer_cast<func_base>(right);
    if (left_function && right_function) return field(name, func_t(left_function), func_t(right_function));
    auto left_expr = std::dynamic_pointer_cast<expr_base>(left);
    auto right_expr = std::dynamic_pointer_cast<expr_base>(right);
    if (left_expr && right_expr) return field(name, expr_c(left_expr), expr_c(right_expr));
    return verdict(name, left == right);
}

bool ir_comparer::expr_arr_equals(const std::vector<expr> &left, const std::vector<expr> &right) {
    if (!verdict(nullptr, left.size() == right.size())) return false;
    for (std::size_t at = 0; at < left.size(); at++) {
        step_scope step(*this, nullptr, at);
        if (!check_equals_may_null(expr_c(left[at]), expr_c(right[at]))) return false;
    }
    return true;
}

bool ir_comparer::scalars(
    const char *name, sc_data_type_t dtype, const std::vector<union_val> &left, const std::vector<union_val> &right) {
    bool alike = left.size() == right.size();
    bool floats = get_etype_category_nothrow(dtype) == CATE_FLOAT;
    for (std::size_t at = 0; alike && at < left.size(); at++) {
        alike = floats ? std::memcmp(&left[at].f32, &right[at].f32, sizeof(float)) == 0 : left[at].u64 == right[at].u64;
    }
    return verdict(name, alike);
}

std::size_t ir_comparer::shape(const expr_base *e) {
    return ir_hasher(false, true, &shapes_).operand(e);
}

bool ir_comparer::either_order(const expr_c &l, const expr_c &r, const expr_c &other_l, const expr_c &other_r,
    const char *l_name, const char *r_name) {
    wait(pending_t::exprs, l.get(), other_l.get(), l_name);
    wait(pending_t::exprs, r.get(), other_r.get(), r_name);
    // Below the operands on the stack, to be found if one of them differs.
    wait(pending_t::choice, nullptr, nullptr, nullptr);
    pending_.back().operands = std::make_unique<choice_t>(choice_t {
        l.get(), r.get(), other_l.get(), other_r.get(), l_name, r_name, matched_.size(), same_, false, nullptr});
    return true;
}

std::ostream &operator<<(std::ostream &os, const ir_comparer &comparer) {
    if (comparer.same_) return os << "same\n";
    os << "not same: ";
    if (comparer.diff) {
        const auto &diff = *comparer.diff;
        if (diff.first_diff_expr_.first.defined() || diff.first_diff_expr_.second.defined()) {
            os << "diff expr = " << diff.first_diff_expr_.first << " v.s. " << diff.first_diff_expr_.second;
        } else if (diff.first_diff_func_.first || diff.first_diff_func_.second) {
            os << "diff func = " << diff.first_diff_func_.first << " v.s. " << diff.first_diff_func_.second;
        } else {
            os << "diff stmt = " << diff.first_diff_stmt_.first << " v.s. " << diff.first_diff_stmt_.second;
        }
        if (!diff.path_.empty()) os << " at " << diff.path_;
    }
    return os << '\n';
}

} // namespace torchgen_support
