// torchgen_comment
//
// Reads the printed form. What the printed form does not show takes its default; docs/tensor-ir.md
// of torchgen-rs lists it.
#pragma once

#include "function.h"
#include "module.h"
#include "nodes.h"

#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace torchgen_support {

/// A text that is not a printed form.
class parse_error : public std::runtime_error {
public:
    /// The line and the column of the place, both from 1.
    const std::size_t line, column;
    parse_error(const std::string &message, std::size_t at_line, std::size_t at_column);
};

/// Reads printed forms. Variables and functions that a text does not declare itself are declared to
/// the parser first.
class parser_t {
    std::vector<expr> variables_;
    std::vector<func_t> functions_;

public:
    /// Makes a variable, a tensor or a function known by its name.
    parser_t &declare(const expr &variable);
    parser_t &declare(const func_t &function);

    // Each reads all of a text. Throw parse_error.
    expr parse_expr(const std::string &text) const;
    stmt parse_stmt(const std::string &text) const;
    func_t parse_func(const std::string &text) const;
    ir_module_ptr parse_module(const std::string &text) const;
};

/// The same without declarations.
expr parse_expr(const std::string &text);
stmt parse_stmt(const std::string &text);
func_t parse_func(const std::string &text);
ir_module_ptr parse_module(const std::string &text);

} // namespace torchgen_support
