// Nodes as text, and how they are compared.
#include "nodes.h"

#include "comparer.h"
#include "printer.h"

#include <ostream>
#include <stdexcept>

namespace torchgen_support {

void expr_base::to_string(std::ostream &os) const {
    ir_printer_t printer(os);
    printer.dispatch(node_ptr_from_this());
}

void stmt_base_t::to_string(std::ostream &os, int indent) const {
    ir_printer_t printer(os);
    printer.indents_ = indent;
    printer.dispatch(node_ptr_from_this());
}

bool expr_base::equals(const expr_c &other, ir_comparer &context) const { return context.trees(*this, other.get()); }
bool stmt_base_t::equals(const stmt_c &other, ir_comparer &context) const { return context.trees(*this, other.get()); }

bool expr_base::equals(const expr_c &other) const {
    ir_comparer context;
    return equals(other, context);
}

bool stmt_base_t::equals(const stmt_c &other) const {
    ir_comparer context;
    return equals(other, context);
}

std::ostream &operator<<(std::ostream &os, const expr_c &e) { return os << e.get(); }
std::ostream &operator<<(std::ostream &os, const stmt_c &s) { return os << s.get(); }

std::ostream &operator<<(std::ostream &os, const expr_base *e) {
    if (!e) return os << "(null)";
    e->to_string(os);
    return os;
}

std::ostream &operator<<(std::ostream &os, const stmt_base_t *s) {
    if (!s) return os << "(null)";
    s->to_string(os, 0);
    return os;
}

sc_data_type_t first_dtype(const std::vector<expr> &exprs) {
    return exprs.empty() ? datatypes::undef : dtype_of(exprs.front());
}

const expr &detail::argument(const std::vector<expr> &args, std::size_t at) {
    static const expr nothing;
    return at < args.size() ? args[at] : nothing;
}

} // namespace torchgen_support
