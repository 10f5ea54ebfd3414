// Where in the printed text a node is.
#include "printer.h"

#include "module.h"
#include "visitor.h"

#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <utility>

namespace torchgen_support {

namespace detail {
namespace {

/// Passes all on, and counts lines and columns.
class counting_buffer_t : public std::streambuf {
    std::ostream &to_;

public:
    source_pos here {1, 1};
    explicit counting_buffer_t(std::ostream &to) : to_(to) {}

protected:
    void count(char c) {
        here.pos_++;
        if (c == '\n') {
            here.line_++;
            // The first column of every line but the first one is 0: the positions of the original.
            here.pos_ = 0;
        }
    }
    std::streamsize xsputn(const char *text, std::streamsize size) override {
        for (std::streamsize at = 0; at < size; at++)
            count(text[at]);
        to_.write(text, size);
        return size;
    }
    int_type overflow(int_type c) override {
        if (!traits_type::eq_int_type(c, traits_type::eof())) {
            count(traits_type::to_char_type(c));
            to_.put(traits_type::to_char_type(c));
        }
        return traits_type::not_eof(c);
    }
};

/// Prints, and notes where each node is.
template <typename Printed>
void annotate(const Printed &printed, std::ostream &os) {
    counting_buffer_t buffer(os);
    std::ostream counted(&buffer);
    auto note = [&buffer](const node_base &node) {
        // A variable is in many places.
        const auto *e = dynamic_cast<const expr_base *>(&node);
        if (!e || !has_identity(e->node_ptr_from_this())) const_cast<node_base &>(node).attr()["source_pos"] = buffer.here;
    };
    ir_printer_t(counted, note).do_dispatch(printed);
}

} // namespace
} // namespace detail

void print_ir_and_annotate_source_pos(const ir_module_t &module, std::ostream &os) { detail::annotate(module, os); }
void print_ir_and_annotate_source_pos(const func_c &function, std::ostream &os) { detail::annotate(function, os); }

void print_ir_and_annotate_position_in_source(const func_c &scope, const node_base *node, std::ostream &os) {
    std::ostringstream text;
    print_ir_and_annotate_source_pos(scope, text);
    os << text.str();
    const source_pos *place = node && node->attr_ ? node->attr_->get_or_null<source_pos>("source_pos") : nullptr;
    if (!place) return;
    os << "\n===================\nat line:col (" << place->line_ << ':' << place->pos_ << ")\n";
    std::istringstream lines(text.str());
    std::string line;
    for (int at = 0; at < place->line_; at++)
        std::getline(lines, line);
    os << "  " << line << '\n' << std::string(static_cast<std::size_t>(place->pos_) + (place->line_ == 1 ? 1U : 2U), ' ') << "^^^\n";
}

} // namespace torchgen_support
