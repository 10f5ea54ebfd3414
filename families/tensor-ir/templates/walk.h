// torchgen_comment
//
// Walks through trees of any depth. Visitors and viewers call each other for each level of a tree,
// and take stack in proportion to its depth; these have a stack of their own.
#pragma once

#include "function.h"
#include "nodes.h"

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace torchgen_support {

/// Goes through a tree. Override what matters: `enter` is called for a node before its children, and
/// `leave` after them.
class ir_walker_t {
public:
    virtual ~ir_walker_t() = default;
    /// Says whether to go on with the children; `leave` is called in any case.
    virtual bool enter(const expr_c &e);
    virtual bool enter(const stmt_c &s);
    virtual void leave(const expr_c &e);
    virtual void leave(const stmt_c &s);

    void walk(const expr_c &e);
    void walk(const stmt_c &s);
    /// The parameters and the body.
    void walk(const func_c &f);
};

/// Gives back the same tree, or one in which what changed was made again, as `ir_visitor_t` does.
/// Override what matters.
class ir_rewriter_t {
public:
    virtual ~ir_rewriter_t() = default;
    /// What takes the place of a node with all that is in it; an empty pointer to go on with the
    /// children.
    virtual expr_c instead_of(const expr_c &e);
    virtual stmt_c instead_of(const stmt_c &s);
    /// What a node becomes. `made` is the node itself, or a copy of it whose children are new.
    virtual expr_c change(const expr_c &e, expr_c made);
    virtual stmt_c change(const stmt_c &s, stmt_c made);

    expr_c rewrite(const expr_c &e);
    stmt_c rewrite(const stmt_c &s);
    /// The function itself, or one with new parameters or another body.
    func_c rewrite(const func_c &f);
};

namespace detail {

/// A child: where it is, and how another takes its place.
struct slot_t {
    /// The field; the place in its list, or -1; and of a record in the list, the field.
    const char *field;
    long at;
    const char *part;
    /// The child is one of these.
    const expr_base *e;
    const stmt_base_t *s;
    void *where;
    void (*put)(void *where, std::shared_ptr<node_base> &&made);
    /// What takes its place, if something does.
    bool changed = false;
    std::shared_ptr<node_base> made = nullptr;
};

template <typename T, typename Base>
void put_child(void *where, std::shared_ptr<node_base> &&made) {
    auto pointer = std::static_pointer_cast<Base>(std::move(made));
    if constexpr (!std::is_same_v<T, Base>) {
        if (pointer && !dynamic_cast<const T *>(pointer.get())) throw bad_node_cast("the field is for another kind of node");
    }
    static_cast<node_ptr<T, Base> *>(where)->impl = std::move(pointer);
}

/// Adds the children that a node has, in the order of visits.
void add_slots(const expr_base &e, std::vector<slot_t> &slots);
void add_slots(const stmt_base_t &s, std::vector<slot_t> &slots);

} // namespace detail
} // namespace torchgen_support
