// torchgen_comment
#include "comparer.h"

#include "hash.h"

#include <algorithm>
#include <ostream>

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

bool ir_comparer::same_kind(const expr_base &left, const expr_c &right) {
    if (right.defined() && left.node_type_ == right->node_type_ && left.dtype_ == right->dtype_) return true;
    return same_ ? set_result(left.node_ptr_from_this(), right, false) : false;
}

bool ir_comparer::same_kind(const stmt_base_t &left, const stmt_c &right) {
    if (right.defined() && left.node_type_ == right->node_type_) return true;
    return same_ ? set_result(left.node_ptr_from_this(), right, false) : false;
}

ir_comparer::outcome ir_comparer::identity(const expr_base &left, const expr_c &right) {
    auto forth = left_to_right_.find(&left);
    if (forth != left_to_right_.end() && forth->second == right.get()) return same;
    bool taken = forth != left_to_right_.end() || right_to_left_.count(right.get()) != 0;
    if (cmp_var_ref_ && !taken && &left == right.get()) return same;
    if (!taken && !cmp_var_ref_) return unknown;
    set_result(left.node_ptr_from_this(), right, false);
    return different;
}

void ir_comparer::map_identity(const expr_base &left, const expr_base &right) {
    left_to_right_[&left] = &right;
    right_to_left_[&right] = &left;
    matched_.emplace_back(&left, &right);
}

bool ir_comparer::pair(const expr_c &left, const expr_c &right, const char *field) {
    step_scope step(*this, field, static_cast<std::size_t>(-1));
    return check_equals_may_null(left, right);
}

bool ir_comparer::field(const char *name, const expr_c &left, const expr_c &right) {
    if (!name) return check_equals_may_null(left, right);
    return pair(left, right, name);
}

bool ir_comparer::field(const char *name, const stmt_c &left, const stmt_c &right) {
    if (!name) return check_equals_may_null(left, right);
    step_scope step(*this, name, static_cast<std::size_t>(-1));
    return check_equals_may_null(left, right);
}

bool ir_comparer::field(const char *name, const func_t &left, const func_t &right) {
    if (!left || !right) return verdict(name, left.ptr_same(right));
    // A call of a function and one of its declaration call the same.
    if (!cmp_callee_) return verdict(name, left->declared() == right->declared());
    step_scope step(*this, name, static_cast<std::size_t>(-1));
    return left->equals(right, *this);
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
    return field(nullptr, left, right);
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

std::size_t ir_comparer::shape(const expr_c &e) {
    if (!e.defined()) return 0;
    auto known = shapes_.find(e.get());
    if (known != shapes_.end()) return known->second;
    ir_hasher hasher(false, true);
    hasher.add(e);
    return shapes_[e.get()] = hasher.result();
}

bool ir_comparer::either_order(const expr_c &l, const expr_c &r, const expr_c &other_l, const expr_c &other_r,
    const char *l_name, const char *r_name) {
    // What the first attempt records and matches is taken back before the second one.
    const std::size_t count = matched_.size();
    const bool was_same = same_;
    std::unique_ptr<ir_comparer_diff_t> before = diff ? std::make_unique<ir_comparer_diff_t>(*diff) : nullptr;
    if (pair(l, other_l, l_name) && pair(r, other_r, r_name)) return true;
    if (shape(l) != shape(other_r) || shape(r) != shape(other_l)) return false;
    std::unique_ptr<ir_comparer_diff_t> first = std::move(diff);
    diff = before ? std::make_unique<ir_comparer_diff_t>(*before) : nullptr;
    same_ = was_same;
    forget_since(count);
    if (pair(l, other_r, l_name) && pair(r, other_l, r_name)) return true;
    if (was_same) diff = std::move(first);
    return false;
}

bool ir_comparer::functions(const func_base &left, const func_c &right) {
    if (!right) return set_result(left.shared_from_this(), right, false);
    const std::pair<const func_base *, const func_base *> both(&left, right.get());
    if (std::find(open_functions_.begin(), open_functions_.end(), both) != open_functions_.end()) return true;
    open_functions_.push_back(both);
    owner_scope owner(*this, left, *right);
    bool alike = verdict("ret_type", left.ret_type_ == right->ret_type_)
        && (!cmp_names_ || verdict("name", left.name_ == right->name_)) && field("params", left.params_, right->params_)
        && field("body", left.body_, right->body_);
    open_functions_.pop_back();
    return alike;
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
