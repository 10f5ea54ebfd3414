// What module.cpp has for every IR.
#include "module.h"

#include "printer.h"

#include <ostream>
#include <stdexcept>
#include <utility>

namespace torchgen_support {

context_ptr get_default_context() {
    static const context_ptr context = std::make_shared<context_t>();
    return context;
}

std::shared_ptr<ir_module_t> ir_module_t::from_entry_func(context_ptr context, const std::vector<func_t> &functions) {
    auto module = std::make_shared<ir_module_t>(std::move(context));
    module->add_func(functions);
    return module;
}

std::shared_ptr<ir_module_t> ir_module_t::from_entry_func(context_ptr context, const func_t &function) {
    auto module = from_entry_func(std::move(context), std::vector<func_t> {function});
    module->set_entry_func_idx(0);
    return module;
}

func_t ir_module_t::get_func(const std::string &name) const {
    auto found = symbols_.find(name);
    return found == symbols_.end() ? func_t() : contents_[found->second];
}

void ir_module_t::set_entry_func_idx(int index) {
    if (index < -1 || (index >= 0 && static_cast<std::size_t>(index) >= contents_.size()))
        throw std::out_of_range("the module has no function of that number");
    entry_func_idx_ = index;
}

ir_module_t *ir_module_t::merge(const std::vector<std::shared_ptr<ir_module_t>> &others) {
    for (const auto &other : others)
        merge(*other);
    return this;
}

std::shared_ptr<ir_module_t> ir_module_t::copy() const { return std::make_shared<ir_module_t>(*this); }

void ir_module_t::to_string(std::ostream &os) const {
    ir_printer_t printer(os);
    printer.do_dispatch(*this);
}

std::ostream &operator<<(std::ostream &os, const ir_module_t &module) {
    module.to_string(os);
    return os;
}
std::ostream &operator<<(std::ostream &os, const ir_module_ptr &module) { return os << const_ir_module_ptr(module); }
std::ostream &operator<<(std::ostream &os, const const_ir_module_ptr &module) {
    return module ? os << *module : os << "(null)";
}

} // namespace torchgen_support
