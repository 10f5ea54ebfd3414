// torchgen_comment
//
// Whether two trees are alike. Variables are matched one to one: what is `a` on the left is one
// variable on the right, and the other way round, so that comparing is symmetric. Trees of any
// depth are compared: below some levels, children wait on a stack of the comparer's until the fields
// beside them are compared.
#pragma once

#include "function.h"
#include "nodes.h"

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace torchgen_support {

/// The first difference: the innermost nodes that differ, and the way to them.
struct ir_comparer_diff_t {
    std::pair<func_c, func_c> first_diff_func_;
    std::pair<expr_c, expr_c> first_diff_expr_;
    std::pair<stmt_c, stmt_c> first_diff_stmt_;
    /// The fields from the root to the difference: `body.seq[1].value.r`. Empty if the roots differ
    /// in kind.
    std::string path_;
};

class ir_comparer {
public:
    enum outcome { same, different, unknown };

    /// The first difference since the last reset, if it was asked for.
    std::unique_ptr<ir_comparer_diff_t> diff;
    /// Whether names of variables and functions count.
    bool cmp_names_;
    /// Whether functions that are called are compared, rather than pointers to them.
    bool cmp_callee_;
    /// Whether a variable equals only itself, and what it was mapped to.
    bool cmp_var_ref_;
    /// Whether operands of commutative operations may change places.
    bool cmp_commutative_;
    /// Whether all was alike since the last reset.
    bool same_ = true;

    explicit ir_comparer(bool needs_diff = false, bool cmp_names = false, bool cmp_var_ref = false,
        bool cmp_callee = false, bool cmp_commutative = false);
    /// Forgets differences and variables.
    void reset();

    bool compare(const func_c &left, const func_c &right, bool auto_reset = true);
    bool compare(const expr_c &left, const expr_c &right, bool auto_reset = true);
    bool compare(const stmt_c &left, const stmt_c &right, bool auto_reset = true);

    /// Matches two variables, unless one of them is matched with another. Says whether they are
    /// matched now.
    bool check_or_set_expr_mapping(const expr_c &left, const expr_c &right);
    void set_expr_mapping(const expr_c &left, const expr_c &right);
    /// Whether the two are matched.
    bool get_expr_mapping(const expr_c &left, const expr_c &right) const;

    /// Records a difference of two nodes, unless there is none or one was recorded.
    bool set_result(const func_c &left, const func_c &right, bool alike);
    bool set_result(const expr_c &left, const expr_c &right, bool alike);
    bool set_result(const stmt_c &left, const stmt_c &right, bool alike);
    bool expr_arr_equals(const std::vector<expr> &left, const std::vector<expr> &right);
    template <typename T>
    bool check_equals_may_null(const T &left, const T &right) {
        if (!left.defined() || !right.defined()) return set_result(left, right, left.defined() == right.defined());
        return left->equals(right, *this);
    }

    // What the nodes call: each says whether a difference is known already.

    /// Compares two nodes now, with all that is in them. They must not be null.
    bool trees(const expr_base &left, const expr_base *right);
    bool trees(const stmt_base_t &left, const stmt_base_t *right);
    bool trees(const func_base &left, const func_base *right);
    /// What is known of two variables without a look at their fields.
    outcome identity(const expr_base &left, const expr_base &right);
    void map_identity(const expr_base &left, const expr_base &right);
    /// Records that a field differs, unless it does not.
    bool verdict(const char *field, bool alike);

    bool field(const char *name, const expr_c &left, const expr_c &right);
    bool field(const char *name, const stmt_c &left, const stmt_c &right);
    bool field(const char *name, const func_t &left, const func_t &right);
    bool field(const char *name, const std::shared_ptr<node_base> &left, const std::shared_ptr<node_base> &right);
    template <typename T>
    bool field(const char *name, const std::shared_ptr<T> &left, const std::shared_ptr<T> &right) {
        return verdict(name, left == right || (left && right && *left == *right));
    }
    template <typename T>
    bool field(const char *name, const std::unique_ptr<T> &left, const std::unique_ptr<T> &right) {
        static const T nothing {};
        return verdict(name, (left ? *left : nothing) == (right ? *right : nothing));
    }
    template <typename T, typename Base>
    bool field(const char *name, const node_ptr<T, Base> &left, const node_ptr<T, Base> &right) {
        return field(name, node_ptr<const Base, Base>(left), node_ptr<const Base, Base>(right));
    }
    bool field(const char *name, float left, float right) { return verdict(name, std::memcmp(&left, &right, sizeof left) == 0); }
    template <typename T>
    bool field(const char *name, const std::vector<T> &left, const std::vector<T> &right) {
        if (!verdict(name, left.size() == right.size())) return false;
        for (std::size_t at = 0; at < left.size(); at++) {
            step_scope step(*this, name, at);
            if (!field(nullptr, left[at], right[at])) return false;
        }
        return true;
    }
    template <typename T>
    bool field(const char *name, const T &left, const T &right) {
        return verdict(name, left == right);
    }
    /// A list whose elements are compared by a function.
    template <typename T, typename Equal>
    bool list_by(const char *name, const std::vector<T> &left, const std::vector<T> &right, Equal equal) {
        if (!verdict(name, left.size() == right.size())) return false;
        for (std::size_t at = 0; at < left.size(); at++) {
            step_scope step(*this, name, at);
            if (!verdict(nullptr, equal(left[at], right[at]))) return false;
        }
        return true;
    }
    /// Literals of a type: floats by their bits, so that each equals itself.
    bool scalars(const char *name, sc_data_type_t dtype, const std::vector<union_val> &left, const std::vector<union_val> &right);
    /// The operands of a commutative operation, as they are or the other way round.
    bool either_order(const expr_c &l, const expr_c &r, const expr_c &other_l, const expr_c &other_r, const char *l_name,
        const char *r_name);

    /// A step of the way while it lives.
    class step_scope {
        ir_comparer &comparer_;

    public:
        step_scope(ir_comparer &comparer, const char *field, std::size_t at) : comparer_(comparer) {
            comparer.path_.push_back({field, static_cast<long>(at)});
        }
        ~step_scope() { comparer_.path_.pop_back(); }
        step_scope(const step_scope &) = delete;
    };

private:
    struct step {
        const char *field;
        /// The place in a list; -1 for what is not in a list.
        long at;
    };
    /// Operands that may change places: what is known again if they do.
    struct choice_t {
        const expr_base *l, *r, *other_l, *other_r;
        const char *l_name, *r_name;
        std::size_t matched;
        bool was_same, changed_places;
        std::unique_ptr<ir_comparer_diff_t> first;
    };
    /// What is compared later.
    struct pending_t {
        enum kind_t { exprs, stmts, functions, end_of_function, choice } kind;
        /// Two nodes or functions of the kind; the first of them is null where that of both is.
        const void *left, *right;
        /// The steps to what has them, and from there.
        std::size_t depth;
        std::size_t count;
        step steps[2];
        std::unique_ptr<choice_t> operands;
    };
    using functions_t = std::pair<const func_base *, const func_base *>;
    struct functions_hash_t {
        std::size_t operator()(const functions_t &pair) const {
            return combine_hash(std::hash<const void *>()(pair.first), std::hash<const void *>()(pair.second));
        }
    };
    std::unordered_map<const expr_base *, const expr_base *> left_to_right_, right_to_left_;
    /// What was matched, in order, so that it can be taken back.
    std::vector<std::pair<const expr_base *, const expr_base *>> matched_;
    std::vector<step> path_;
    /// The nodes whose fields are compared, and the steps to them.
    std::pair<const node_base *, const node_base *> owners_ {nullptr, nullptr};
    std::size_t owners_depth_ = 0;
    /// Whether what is on the stack is compared, and how many nodes are around one that is not.
    bool running_ = false;
    int level_ = 0;
    std::vector<pending_t> pending_;
    /// Pairs of functions whose comparison is under way; a call back to them is alike if they are.
    std::unordered_set<functions_t, functions_hash_t> open_functions_;
    /// Hashes of operands that ignore variables and order, by node.
    std::unordered_map<const expr_base *, std::size_t> shapes_;

    std::string path(const char *field) const;
    void forget_since(std::size_t count);
    std::size_t shape(const expr_base *e);
    void wait(pending_t::kind_t kind, const void *left, const void *right, const char *field);
    bool child(pending_t::kind_t kind, const void *left, const void *right, const char *field);
    bool nodes(pending_t::kind_t kind, const void *left, const void *right);
    bool settle(std::size_t base);
    bool change_places(std::size_t base);
    bool functions(const func_base *left, const func_base *right);
};

/// Prints `same`, or `not same: diff expr = A v.s. B at path`, and a line break.
std::ostream &operator<<(std::ostream &os, const ir_comparer &comparer);

} // namespace torchgen_support
