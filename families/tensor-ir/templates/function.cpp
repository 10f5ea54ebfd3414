// torchgen_comment
#include "function.h"

#include "comparer.h"
#include "printer.h"

#include <ostream>
#include <utility>

namespace torchgen_support {

func_t::func_t(func_base *function) : std::shared_ptr<func_base>(function) {}

func_base::func_base(std::string name, std::vector<expr> params, stmt body, sc_data_type_t ret_type)
    : name_(std::move(name)), params_(std::move(params)), body_(std::move(body)), ret_type_(ret_type) {
    if (body_.defined()) decl_ = func_t(std::make_shared<func_base>(name_, params_, stmt(), ret_type_));
}

func_base::~func_base() {
    detail::release_t release;
    release.take(params_);
    release.take(body_);
    release.take(decl_);
}

void func_base::to_string(std::ostream &os) const {
    ir_printer_t printer(os);
    printer.dispatch(shared_from_this());
}

func_t func_base::remake() const {
    func_t copy(std::make_shared<func_base>(name_, params_, body_, ret_type_));
    return copy_attr(*this, std::move(copy));
}

bool func_base::equals(const func_c &other, ir_comparer &context) const { return context.trees(*this, other.get()); }

bool func_base::equals(const func_c &other) const {
    ir_comparer context;
    return equals(other, context);
}

std::ostream &operator<<(std::ostream &os, const func_c &function) { return os << function.get(); }
std::ostream &operator<<(std::ostream &os, const func_t &function) { return os << function.get(); }

std::ostream &operator<<(std::ostream &os, const func_base *function) {
    if (!function) return os << "(null)";
    function->to_string(os);
    return os;
}

func_t prototype_of(const std::shared_ptr<node_base> &callee) {
    if (auto function = std::dynamic_pointer_cast<func_base>(callee)) return func_t(function);
    if (callee && callee->attr_) {
        if (const auto *function = callee->attr_->get_or_null<func_t>("prototype")) return *function;
    }
    return func_t();
}

sc_data_type_t result_dtype(const std::shared_ptr<node_base> &callee) {
    func_t function = prototype_of(callee);
    return function ? function->ret_type_ : datatypes::undef;
}

} // namespace torchgen_support
