// How blocks, comments and literals are printed.
#include "printer.h"

#include "module.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ostream>
#include <sstream>

namespace torchgen_support {

void ir_printer_t::kind(const expr_c &e) { put(e.defined() ? kind_name(e->node_type_) : "(null)"); }
void ir_printer_t::kind(const stmt_c &s) { put(s.defined() ? kind_name(s->node_type_) : "(null)"); }

void ir_printer_t::indent() {
    for (int at = 0; at < indents_; at++)
        os_ << "  ";
}

void ir_printer_t::block(const std::vector<stmt> &list) {
    auto open = [](ir_printer_t &printer, const task_t &) {
        printer.os_ << "{\n";
        printer.indents_++;
    };
    auto statement = [](ir_printer_t &printer, const task_t &task) {
        const auto &statements = *static_cast<const std::vector<stmt> *>(task.what);
        if (task.at != 0) printer.os_ << '\n';
        if (task.at == statements.size()) return;
        printer.indent();
        printer.put(statements[task.at]);
        printer.wait(task.run, task.what, nullptr, task.at + 1);
    };
    auto close = [](ir_printer_t &printer, const task_t &) {
        printer.indents_--;
        printer.indent();
        printer.os_ << '}';
    };
    if (in_node_) {
        wait(open, nullptr);
        wait(statement, &list);
        wait(close, nullptr);
        return;
    }
    open(*this, task_t());
    for (const auto &s : list) {
        indent();
        do_dispatch(s);
        os_ << '\n';
    }
    close(*this, task_t());
}

void ir_printer_t::comments(const node_base &node) {
    if (!node.attr_) return;
    const auto *lines = node.attr_->get_or_null<std::vector<std::string>>("comments");
    if (!lines) return;
    for (const auto &line : *lines) {
        os_ << "// " << line << '\n';
        indent();
    }
}

namespace detail {
namespace {

/// The bits of the bf16 next to a float.
uint16_t bf16_bits(float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if (std::isnan(value)) return static_cast<uint16_t>((bits >> 16) | 0x40U);
    return static_cast<uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

} // namespace
} // namespace detail

void ir_printer_t::literal(sc_data_type_t dtype, const std::vector<union_val> &values, const node_base &node) {
    if (dtype.lanes_ > 1) os_ << '(';
    const sc_data_type_t *written = node.attr_ ? node.attr_->get_or_null<sc_data_type_t>("written_as") : nullptr;
    const sc_data_etype etype = written ? written->type_code_ : dtype.type_code_;
    for (std::size_t at = 0; at < values.size(); at++) {
        const union_val &value = values[at];
        switch (etype) {
            case sc_data_etype::BF16: os_ << detail::bf16_bits(value.f32) << "UL"; break;
            case sc_data_etype::F32: {
                put(value.f32);
                if (std::isfinite(value.f32) && std::trunc(value.f32) == value.f32) os_ << ".f";
                break;
            }
            case sc_data_etype::S8:
            case sc_data_etype::S32:
                if (written && get_etype_category_nothrow(dtype) == CATE_FLOAT) {
                    os_ << static_cast<int64_t>(value.f32);
                } else {
                    os_ << value.s64;
                }
                break;
            case sc_data_etype::U8:
            case sc_data_etype::U16:
            case sc_data_etype::U32:
            case sc_data_etype::INDEX: os_ << value.u64 << "UL"; break;
            case sc_data_etype::BOOLEAN: os_ << (value.u64 ? "true" : "false"); break;
            case sc_data_etype::POINTER: os_ << "((void*)" << value.u64 << ')'; break;
            default: os_ << "((unknown)" << value.u64 << ')'; break;
        }
        if (at + 1 != values.size()) os_ << ", ";
    }
    if (dtype.lanes_ > 1) os_ << ')';
}

void ir_printer_t::declare(const std::vector<expr> &list, const char *separator) {
    bool first = true;
    for (const auto &item : list) {
        if (!first) put(separator);
        first = false;
        declare(expr_c(item));
    }
}

} // namespace torchgen_support
