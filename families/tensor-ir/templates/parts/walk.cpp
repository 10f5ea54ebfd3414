// Walks with a stack of their own.
#include "walk.h"

#include <memory>
#include <utility>
#include <vector>

namespace torchgen_support {

namespace detail {
namespace {

/// A node whose children are under way: those from `first` on are the last of all.
struct level_t {
    expr_c e;
    stmt_c s;
    std::size_t first, next;
    bool changed = false;
};

void add_slots_of(const level_t &level, std::vector<slot_t> &slots) {
    if (level.e.defined()) add_slots(*level.e, slots);
    if (level.s.defined()) add_slots(*level.s, slots);
}

/// The child as a pointer that counts.
void point_to(const slot_t &slot, level_t &level) {
    if (slot.e) level.e = slot.e->node_ptr_from_this();
    if (slot.s) level.s = slot.s->node_ptr_from_this();
}

void walk_tree(ir_walker_t &walker, level_t root) {
    if (!root.e.defined() && !root.s.defined()) return;
    std::vector<slot_t> slots;
    std::vector<level_t> levels;
    auto enter = [&](level_t &&level) {
        level.first = level.next = slots.size();
        if (level.e.defined() ? walker.enter(level.e) : walker.enter(level.s)) add_slots_of(level, slots);
        levels.push_back(std::move(level));
    };
    enter(std::move(root));
    while (!levels.empty()) {
        level_t &top = levels.back();
        if (top.next < slots.size()) {
            level_t child {expr_c(), stmt_c(), 0, 0};
            point_to(slots[top.next++], child);
            enter(std::move(child));
            continue;
        }
        const level_t done = std::move(top);
        levels.pop_back();
        slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(done.first), slots.end());
        if (done.e.defined()) {
            walker.leave(done.e);
        } else {
            walker.leave(done.s);
        }
    }
}

/// A copy of a node with what its places get.
template <typename Pointer, typename Node>
Pointer with_children(const Node &original, std::vector<slot_t> &slots, std::size_t first) {
    Pointer copy = original.remake();
    std::vector<slot_t> places;
    add_slots(*copy, places);
    for (std::size_t at = 0; at < places.size(); at++)
        if (slots[first + at].changed) places[at].put(places[at].where, std::move(slots[first + at].made));
    return copy;
}

/// A node that was rewritten, in the place of the one that was.
level_t rewritten(ir_rewriter_t &rewriter, const level_t &level, std::vector<slot_t> &slots) {
    level_t done {expr_c(), stmt_c(), 0, 0};
    if (level.e.defined()) {
        expr_c made = level.e;
        if (level.changed) {
            expr copy = with_children<expr>(*level.e, slots, level.first);
            copy_dtype(*level.e, *copy);
            made = std::move(copy);
        }
        done.e = rewriter.change(level.e, std::move(made));
    } else {
        stmt_c made = level.changed ? stmt_c(with_children<stmt>(*level.s, slots, level.first)) : level.s;
        done.s = rewriter.change(level.s, std::move(made));
    }
    return done;
}

level_t rewrite_tree(ir_rewriter_t &rewriter, level_t root) {
    std::vector<slot_t> slots;
    std::vector<level_t> levels;
    level_t result = root;
    if (!root.e.defined() && !root.s.defined()) return result;
    // What a node becomes goes to its place in the node around it.
    auto put = [&](const level_t &made) {
        if (levels.empty()) {
            result = made;
            return;
        }
        slot_t &slot = slots[levels.back().next++];
        slot.changed = made.e.get() != slot.e || made.s.get() != slot.s;
        if (!slot.changed) return;
        levels.back().changed = true;
        slot.made = slot.e ? std::shared_ptr<node_base>(made.e.impl) : std::shared_ptr<node_base>(made.s.impl);
    };
    auto enter = [&](level_t &&level) {
        level_t other {expr_c(), stmt_c(), 0, 0};
        if (level.e.defined()) {
            other.e = rewriter.instead_of(level.e);
        } else {
            other.s = rewriter.instead_of(level.s);
        }
        if (other.e.defined() || other.s.defined()) {
            put(other);
            return;
        }
        level.first = level.next = slots.size();
        add_slots_of(level, slots);
        levels.push_back(std::move(level));
    };
    enter(std::move(root));
    while (!levels.empty()) {
        level_t &top = levels.back();
        if (top.next < slots.size()) {
            level_t child {expr_c(), stmt_c(), 0, 0};
            point_to(slots[top.next], child);
            enter(std::move(child));
            continue;
        }
        const level_t done = std::move(top);
        levels.pop_back();
        const level_t made = rewritten(rewriter, done, slots);
        slots.erase(slots.begin() + static_cast<std::ptrdiff_t>(done.first), slots.end());
        put(made);
    }
    return result;
}

child_t child_of(const slot_t &slot) {
    level_t level {expr_c(), stmt_c(), 0, 0};
    point_to(slot, level);
    return child_t {slot.field, slot.at, level.e, level.s};
}

template <typename Node>
std::vector<child_t> children(const Node &node) {
    std::vector<slot_t> slots;
    if (node.defined()) add_slots(*node, slots);
    std::vector<child_t> list;
    list.reserve(slots.size());
    for (const auto &slot : slots)
        list.push_back(child_of(slot));
    return list;
}

} // namespace
} // namespace detail

std::vector<child_t> children_of(const expr_c &e) { return detail::children(e); }
std::vector<child_t> children_of(const stmt_c &s) { return detail::children(s); }

bool ir_walker_t::enter(const expr_c &) { return true; }
bool ir_walker_t::enter(const stmt_c &) { return true; }
void ir_walker_t::leave(const expr_c &) {}
void ir_walker_t::leave(const stmt_c &) {}

void ir_walker_t::walk(const expr_c &e) { detail::walk_tree(*this, {e, stmt_c(), 0, 0}); }
void ir_walker_t::walk(const stmt_c &s) { detail::walk_tree(*this, {expr_c(), s, 0, 0}); }

void ir_walker_t::walk(const func_c &f) {
    if (!f) return;
    for (const auto &param : f->params_)
        walk(expr_c(param));
    walk(stmt_c(f->body_));
}

expr_c ir_rewriter_t::instead_of(const expr_c &) { return expr_c(); }
stmt_c ir_rewriter_t::instead_of(const stmt_c &) { return stmt_c(); }
expr_c ir_rewriter_t::change(const expr_c &, expr_c made) { return made; }
stmt_c ir_rewriter_t::change(const stmt_c &, stmt_c made) { return made; }

expr_c ir_rewriter_t::rewrite(const expr_c &e) { return detail::rewrite_tree(*this, {e, stmt_c(), 0, 0}).e; }
stmt_c ir_rewriter_t::rewrite(const stmt_c &s) { return detail::rewrite_tree(*this, {expr_c(), s, 0, 0}).s; }

func_c ir_rewriter_t::rewrite(const func_c &f) {
    if (!f) return f;
    bool changed = false;
    std::vector<expr> params;
    for (const auto &param : f->params_) {
        params.push_back(rewrite(expr_c(param)).remove_const());
        changed |= !params.back().ptr_same(param);
    }
    const stmt body = rewrite(stmt_c(f->body_)).remove_const();
    if (!changed && body.ptr_same(f->body_)) return f;
    return copy_attr(*f, func_t(std::make_shared<func_base>(f->name_, std::move(params), body, f->ret_type_)));
}

} // namespace torchgen_support
