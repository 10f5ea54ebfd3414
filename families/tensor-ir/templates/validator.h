// torchgen_comment
//
// Checks that trees keep the rules of the IR. Building a tree checks nothing.
#pragma once

#include "function.h"
#include "module.h"
#include "nodes.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace torchgen_support {

/// A rule that a tree breaks.
struct violation_t {
    /// The rule: `same_dtype`.
    std::string rule;
    /// What is wrong.
    std::string message;
    /// The fields from the root to the node: `body.seq[1].value`.
    std::string path;
    /// The node, as it is printed.
    std::string node;

    /// All of it in one line.
    std::string to_string() const;
};

/// All rules that a tree breaks, in the order in which it is printed. Never throws for what the
/// tree is.
std::vector<violation_t> validate(const expr_c &e);
std::vector<violation_t> validate(const stmt_c &s);
std::vector<violation_t> validate(const func_c &f);
std::vector<violation_t> validate(const ir_module_t &module);

/// Thrown by validator_t.
class validation_error : public std::runtime_error {
    std::vector<violation_t> violations_;

public:
    explicit validation_error(std::vector<violation_t> violations);
    const std::vector<violation_t> &violations() const noexcept { return violations_; }
};

/// Gives back what it is given, or throws validation_error.
class validator_t {
public:
    expr_c operator()(expr_c e) const;
    stmt_c operator()(stmt_c s) const;
    func_c operator()(func_c f) const;
    const_ir_module_ptr operator()(const_ir_module_ptr module) const;
};

} // namespace torchgen_support
