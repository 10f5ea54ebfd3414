// The builder of a thread.
#include "builder.h"

#include <stdexcept>
#include <vector>

namespace torchgen_support::builder {

namespace {

template <typename T, typename Base>
std::vector<node_ptr<T, Base>> vector_remove_const(const std::vector<node_ptr<const T, Base>> &list) {
    std::vector<node_ptr<T, Base>> made;
    made.reserve(list.size());
    for (const auto &item : list)
        made.push_back(item.remove_const());
    return made;
}

thread_local builder_impl_t *the_builder = nullptr;

} // namespace

builder_impl_t *get_current_builder() { return the_builder; }
void set_current_builder(builder_impl_t *current) { the_builder = current; }

builder_impl_t &current_builder() {
    if (!the_builder) throw std::logic_error("there is no builder: make an ir_builder_t first");
    return *the_builder;
}

} // namespace torchgen_support::builder
