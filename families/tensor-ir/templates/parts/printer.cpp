// How single values are printed.
#include "printer.h"

#include "module.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ostream>
#include <sstream>

namespace torchgen_support {

std::ostream &ir_printer_t::do_dispatch(const expr_c &e) {
    if (!e.defined()) return os_ << "(null)";
    dispatch(e);
    return os_;
}

std::ostream &ir_printer_t::do_dispatch(const stmt_c &s) {
    if (!s.defined()) return os_ << "(null)";
    dispatch(s);
    return os_;
}

std::ostream &ir_printer_t::do_dispatch(const func_c &function) {
    if (!function) return os_ << "(null)";
    dispatch(function);
    return os_;
}

void ir_printer_t::put(const char *text) { os_ << text; }
void ir_printer_t::put(const std::string &text) { os_ << text; }
void ir_printer_t::put(sc_data_type_t dtype) { os_ << dtype; }
void ir_printer_t::put(int number) { os_ << number; }
void ir_printer_t::put(int64_t number) { os_ << number; }
void ir_printer_t::put(const func_t &function) { os_ << (function ? function->name_ : std::string("(null)")); }

void ir_printer_t::put(float number) {
    const auto before = os_.precision(std::numeric_limits<float>::max_digits10);
    os_ << number;
    os_.precision(before);
}

void ir_printer_t::put(const std::shared_ptr<node_base> &callee) {
    if (auto function = std::dynamic_pointer_cast<func_base>(callee)) {
        os_ << function->name_;
    } else {
        do_dispatch(expr_c(std::dynamic_pointer_cast<expr_base>(callee)));
    }
}

void ir_printer_t::put(const std::shared_ptr<static_data_t> &data) {
    if (!data) return;
    if (data->size_ == 0) {
        os_ << "{zero_init}";
    } else if (data->size_ == sizeof(union_val)) {
        union_val value(static_cast<uint64_t>(0));
        std::memcpy(&value, data->data_, sizeof value);
        os_ << "{value:" << value.u64 << '}';
    } else {
        static const char digits[] = "0123456789abcdef";
        os_ << "{bytes:";
        for (std::size_t at = 0; at < data->size_; at++) {
            const unsigned byte = static_cast<const unsigned char *>(data->data_)[at];
            os_ << digits[byte >> 4] << digits[byte & 15];
        }
        os_ << '}';
    }
}

} // namespace torchgen_support
