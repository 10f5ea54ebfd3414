// Validation that throws.
#include "validator.h"

namespace torchgen_support {

std::string violation_t::to_string() const {
    std::string text = message;
    if (!path.empty()) text += ", at " + path;
    return text + ": " + node + " [" + rule + "]";
}

namespace detail {
namespace {

std::string first_of(const std::vector<violation_t> &violations) {
    std::string text = violations.empty() ? "valid" : violations.front().to_string();
    if (violations.size() > 1) text += "; and " + std::to_string(violations.size() - 1) + " more";
    return text;
}

template <typename T>
T checked(T value, std::vector<violation_t> violations) {
    if (!violations.empty()) throw validation_error(std::move(violations));
    return value;
}

} // namespace
} // namespace detail

validation_error::validation_error(std::vector<violation_t> violations)
    : std::runtime_error(detail::first_of(violations)), violations_(std::move(violations)) {}

expr_c validator_t::operator()(expr_c e) const { return detail::checked(e, validate(e)); }
stmt_c validator_t::operator()(stmt_c s) const { return detail::checked(s, validate(s)); }
func_c validator_t::operator()(func_c f) const { return detail::checked(f, validate(f)); }
const_ir_module_ptr validator_t::operator()(const_ir_module_ptr module) const {
    if (module) detail::checked(0, validate(*module));
    return module;
}

} // namespace torchgen_support
