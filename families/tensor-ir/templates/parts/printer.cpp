// How single values are printed.
#include "printer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <ostream>
#include <sstream>
#include <typeinfo>
#include <utility>

namespace torchgen_support {

/// Prints a tree, below some levels with the stack of the printer's. What a class that extends it
/// does is not known.
template <typename Pointer>
std::ostream &ir_printer_t::tree(const Pointer &root) {
    if (!root.defined()) return os_ << "(null)";
    if ((!in_node_ && level_ < detail::most_levels) || typeid(*this) != typeid(ir_printer_t)) {
        level_++;
        dispatch(root);
        level_--;
        return os_;
    }
    const bool in_node = in_node_, waiting = waiting_;
    const std::size_t base = tasks_.size();
    in_node_ = true;
    waiting_ = false;
    dispatch(root);
    std::size_t first = base;
    for (;;) {
        // What was added first is next.
        std::reverse(tasks_.begin() + static_cast<std::ptrdiff_t>(first), tasks_.end());
        if (tasks_.size() == base) break;
        const task_t task = std::move(tasks_.back());
        tasks_.pop_back();
        first = tasks_.size();
        waiting_ = false;
        task.run(*this, task);
    }
    in_node_ = in_node;
    waiting_ = waiting;
    return os_;
}

std::ostream &ir_printer_t::do_dispatch(const expr_c &e) { return tree(e); }
std::ostream &ir_printer_t::do_dispatch(const stmt_c &s) { return tree(s); }

std::ostream &ir_printer_t::do_dispatch(const func_c &function) {
    if (!function) return os_ << "(null)";
    dispatch(function);
    return os_;
}

expr_c ir_printer_t::dispatch(expr_c e) {
    if (before_ && e.defined()) before_(*e);
    return ir_viewer_t::dispatch(std::move(e));
}

stmt_c ir_printer_t::dispatch(stmt_c s) {
    if (before_ && s.defined()) before_(*s);
    return ir_viewer_t::dispatch(std::move(s));
}

void ir_printer_t::wait(void (*run)(ir_printer_t &, const task_t &), const void *what, const char *text, std::size_t at) {
    waiting_ = true;
    tasks_.push_back(task_t {run, what, text, at, std::string()});
}

std::unique_ptr<std::ostringstream> ir_printer_t::scratch() const {
    auto text = std::make_unique<std::ostringstream>();
    text->copyfmt(os_);
    return text;
}

void ir_printer_t::wait_for(const std::ostringstream &text) {
    wait([](ir_printer_t &printer, const task_t &task) { printer.os_ << task.made; }, nullptr);
    tasks_.back().made = text.str();
}

void ir_printer_t::put(const expr_c &e) {
    if (!e.defined()) {
        put("(null)");
    } else if (in_node_) {
        auto run = [](ir_printer_t &printer, const task_t &task) {
            printer.dispatch(static_cast<const expr_base *>(task.what)->node_ptr_from_this());
        };
        wait(run, e.get());
    } else {
        do_dispatch(e);
    }
}

void ir_printer_t::put(const stmt_c &s) {
    if (!s.defined()) {
        put("(null)");
    } else if (in_node_) {
        auto run = [](ir_printer_t &printer, const task_t &task) {
            printer.dispatch(static_cast<const stmt_base_t *>(task.what)->node_ptr_from_this());
        };
        wait(run, s.get());
    } else {
        do_dispatch(s);
    }
}

void ir_printer_t::put(const char *text) {
    if (waiting_) {
        wait([](ir_printer_t &printer, const task_t &task) { printer.os_ << task.text; }, nullptr, text);
    } else {
        os_ << text;
    }
}

void ir_printer_t::put(const std::string &text) {
    write([&text](std::ostream &os) { os << text; });
}
void ir_printer_t::put(sc_data_type_t dtype) {
    write([dtype](std::ostream &os) { os << dtype; });
}
void ir_printer_t::put(int number) {
    write([number](std::ostream &os) { os << number; });
}
void ir_printer_t::put(int64_t number) {
    write([number](std::ostream &os) { os << number; });
}
void ir_printer_t::put(const func_t &function) { put(function ? function->name_ : std::string("(null)")); }

void ir_printer_t::put(float number) {
    write([number](std::ostream &os) {
        const auto before = os.precision(std::numeric_limits<float>::max_digits10);
        os << number;
        os.precision(before);
    });
}

void ir_printer_t::put(const std::shared_ptr<node_base> &callee) {
    if (auto function = std::dynamic_pointer_cast<func_base>(callee)) {
        put(function->name_);
    } else {
        put(expr_c(std::dynamic_pointer_cast<expr_base>(callee)));
    }
}

void ir_printer_t::put(const std::shared_ptr<static_data_t> &data) {
    if (!data) return;
    write([&data](std::ostream &os) {
        if (data->size_ == 0) {
            os << "{zero_init}";
        } else if (data->size_ == sizeof(union_val)) {
            union_val value(static_cast<uint64_t>(0));
            std::memcpy(&value, data->data_, sizeof value);
            os << "{value:" << value.u64 << '}';
        } else {
            static const char digits[] = "0123456789abcdef";
            os << "{bytes:";
            for (std::size_t at = 0; at < data->size_; at++) {
                const unsigned byte = static_cast<const unsigned char *>(data->data_)[at];
                os << digits[byte >> 4] << digits[byte & 15];
            }
            os << '}';
        }
    });
}

} // namespace torchgen_support
