// How fields become places of children.
#pragma once

#include "walk.h"

#include <memory>
#include <vector>

namespace torchgen_support::detail {
namespace {

template <typename T>
[[maybe_unused]] void add_slot(std::vector<slot_t> &slots, const char *field, const node_ptr<T, expr_base> &e, long at = -1) {
    void *where = const_cast<node_ptr<T, expr_base> *>(&e);
    if (e.defined()) slots.push_back(slot_t {field, at, nullptr, e.impl.get(), nullptr, where, put_child<T, expr_base>});
}
template <typename T>
[[maybe_unused]] void add_slot(std::vector<slot_t> &slots, const char *field, const node_ptr<T, stmt_base_t> &s, long at = -1) {
    void *where = const_cast<node_ptr<T, stmt_base_t> *>(&s);
    if (s.defined()) slots.push_back(slot_t {field, at, nullptr, nullptr, s.impl.get(), where, put_child<T, stmt_base_t>});
}
template <typename T, typename Base>
[[maybe_unused]] void add_slot(std::vector<slot_t> &slots, const char *field, const std::vector<node_ptr<T, Base>> &list) {
    for (std::size_t at = 0; at < list.size(); at++)
        add_slot(slots, field, list[at], static_cast<long>(at));
}
/// What is called is a child if it is no function.
[[maybe_unused]] void add_slot(std::vector<slot_t> &slots, const char *field, const std::shared_ptr<node_base> &callee) {
    const auto *e = dynamic_cast<const expr_base *>(callee.get());
    void *where = const_cast<std::shared_ptr<node_base> *>(&callee);
    auto put = [](void *to, std::shared_ptr<node_base> &&made) {
        *static_cast<std::shared_ptr<node_base> *>(to) = std::move(made);
    };
    if (e) slots.push_back(slot_t {field, -1, nullptr, e, nullptr, where, put});
}
/// Says of which record of a list some children are.
[[maybe_unused]] void name_parts(std::vector<slot_t> &slots, std::size_t first, const char *field, std::size_t at) {
    for (; first < slots.size(); first++) {
        slots[first].part = slots[first].field;
        slots[first].field = field;
        slots[first].at = static_cast<long>(at);
    }
}

} // namespace
} // namespace torchgen_support::detail
