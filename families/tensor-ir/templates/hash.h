// torchgen_comment
//
// Hashes of trees that agree with comparing them: what ir_comparer finds alike has one hash. Trees
// of any depth are hashed: below some levels, children wait on a stack of the hasher's until their
// node is added. So do all operands that may change places: the hash of one is the same in each
// place.
#pragma once

#include "comparer.h"
#include "function.h"
#include "nodes.h"

#include <cstring>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace torchgen_support {

class ir_hasher {
    /// What is added later: a node, or what is done when all that waits above it was added.
    struct pending_t {
        enum kind_t : unsigned char {
            an_expr,
            a_stmt,
            end_of_function,
            /// An operand by itself, its end, and the end of both.
            operand,
            end_of_operand,
            end_of_operands
        } kind;
        const void *what;
        /// The hash before the operand.
        std::size_t before;
    };
    std::size_t hash_ = 0;
    std::unordered_map<const expr_base *, std::size_t> numbers_;
    std::unordered_set<const func_base *> open_functions_;
    std::vector<pending_t> pending_;
    bool running_ = false;
    int level_ = 0;
    /// The hashes of operands that are complete, and of those that were met before.
    std::vector<std::size_t> operands_;
    std::unordered_map<const expr_base *, std::size_t> *known_;

    void wait(pending_t::kind_t kind, const void *what, std::size_t before = 0);
    void settle();
    void look_at(const pending_t &one);
    template <typename Node>
    void child(const Node &node, std::size_t mark, pending_t::kind_t kind) {
        if (running_ || commutative_ || level_ == detail::most_levels) {
            value(mark);
            wait(kind, &node);
        } else {
            level_++;
            node.hash_into(*this);
            level_--;
        }
    }
    /// Adds some things together, and what waits after the last of them.
    template <typename Steps>
    void later(Steps steps) {
        const bool before = std::exchange(running_, true);
        steps();
        running_ = before;
        if (!before) settle();
    }

public:
    /// Whether functions that are called are hashed, rather than pointers to them.
    const bool callee_;
    /// Whether operands of commutative operations may change places. Variables are then all alike.
    const bool commutative_;

    /// With `known`, a commutative hasher looks up hashes of operands there, and adds them.
    explicit ir_hasher(bool callee = false, bool commutative = false,
        std::unordered_map<const expr_base *, std::size_t> *known = nullptr)
        : known_(known), callee_(callee), commutative_(commutative) {}
    std::size_t result() const { return hash_; }

    // What the nodes call.

    void value(std::size_t hash) { hash_ = combine_hash(hash_, hash); }
    void begin(const expr_base &e) {
        value(static_cast<std::size_t>(e.node_type_));
        value(std::hash<sc_data_type_t>()(e.dtype_));
    }
    void begin(const stmt_base_t &s) { value(0x5000U + static_cast<std::size_t>(s.node_type_)); }
    /// Hashes the number of a variable in the order of first uses. Says whether this is the first
    /// use.
    bool identity(const expr_base &e);
    /// Two operands, the order of which says nothing.
    void unordered(const expr_c &l, const expr_c &r);
    void scalars(sc_data_type_t dtype, const std::vector<union_val> &values);
    /// The hash of an operand by itself.
    std::size_t operand(const expr_base *e);

    void add(const expr_c &e) {
        if (e.defined()) {
            child(*e, 0x1eU, pending_t::an_expr);
        } else {
            value(0x0eU);
        }
    }
    void add(const stmt_c &s) {
        if (s.defined()) {
            child(*s, 0x15U, pending_t::a_stmt);
        } else {
            value(0x05U);
        }
    }
    void add(const func_t &function);
    void add(const std::shared_ptr<node_base> &callee);
    void add(sc_data_type_t dtype) { value(std::hash<sc_data_type_t>()(dtype)); }
    void add(float number) {
        uint32_t bits = 0;
        std::memcpy(&bits, &number, sizeof bits);
        value(bits);
    }
    template <typename T, typename Base>
    void add(const node_ptr<T, Base> &pointer) {
        add(node_ptr<const Base, Base>(pointer));
    }
    template <typename T>
    void add(const std::shared_ptr<T> &pointer) {
        value(pointer ? pointer->hash() : 1);
    }
    template <typename T>
    void add(const std::unique_ptr<T> &pointer) {
        value(pointer ? pointer->hash() : T().hash());
    }
    template <typename T>
    void add(const std::vector<T> &list) {
        value(list.size());
        for (const auto &item : list)
            add(item);
    }
    template <typename T>
    void add(const T &item) {
        value(std::hash<T>()(item));
    }
};

/// The hash of a tree.
std::size_t hash_value(const expr_c &e);
std::size_t hash_value(const stmt_c &s);
std::size_t hash_value(const func_c &function);

/// The hash of what a pointer points to, for containers.
template <typename T>
struct content_hash_t;
template <typename T, typename Base>
struct content_hash_t<node_ptr<T, Base>> {
    std::size_t operator()(const node_ptr<T, Base> &pointer) const {
        return hash_value(node_ptr<const Base, Base>(pointer));
    }
};
template <typename T>
struct content_hash_t<std::vector<T>> {
    std::size_t operator()(const std::vector<T> &list) const {
        std::size_t hash = list.size();
        for (const auto &item : list)
            hash = combine_hash(hash, content_hash_t<T>()(item));
        return hash;
    }
};

/// Whether what two pointers point to is alike, for containers.
template <typename T>
struct content_equals_t;
template <typename T, typename Base>
struct content_equals_t<node_ptr<T, Base>> {
    bool operator()(const node_ptr<T, Base> &left, const node_ptr<T, Base> &right) const {
        ir_comparer comparer;
        return comparer.compare(node_ptr<const Base, Base>(left), node_ptr<const Base, Base>(right));
    }
};
template <typename T>
struct content_equals_t<std::vector<T>> {
    bool operator()(const std::vector<T> &left, const std::vector<T> &right) const {
        if (left.size() != right.size()) return false;
        for (std::size_t at = 0; at < left.size(); at++)
            if (!content_equals_t<T>()(left[at], right[at])) return false;
        return true;
    }
};
template <typename T, typename V>
using content_hash_map = std::unordered_map<T, V, content_hash_t<T>, content_equals_t<T>>;

} // namespace torchgen_support
