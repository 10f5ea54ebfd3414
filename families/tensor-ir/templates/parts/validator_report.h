// What the checks of trees report, and where.
#pragma once

#include "validator.h"

#include <initializer_list>
#include <sstream>
#include <unordered_set>
#include <utility>

namespace torchgen_support {
namespace {

template <typename T>
std::string printed(const T &value) {
    std::ostringstream os;
    os << value;
    return os.str();
}

[[maybe_unused]] bool is_one_of(sc_data_type_t dtype, std::initializer_list<sc_data_type_t> list) {
    for (const auto &one : list)
        if (one == dtype) return true;
    return false;
}

[[maybe_unused]] bool is_one_of(sc_data_etype etype, std::initializer_list<sc_data_type_t> list) {
    for (const auto &one : list)
        if (one.type_code_ == etype) return true;
    return false;
}

/// The violations, with the place and the scopes that a check is in.
class report_t {
public:
    std::vector<violation_t> violations;

protected:
    using scope_t = std::unordered_set<const expr_base *>;
    std::vector<std::string> path_;
    std::vector<scope_t> scopes_;
    std::vector<sc_stmt_type> around_;
    const func_base *function_ = nullptr;

    ~report_t() = default;

    std::string path() const {
        std::string text;
        for (const auto &step : path_) {
            if (!text.empty() && step[0] != '[') text += '.';
            text += step;
        }
        return text;
    }
    template <typename Node>
    void report(const Node &v, const char *rule, std::string message) {
        violations.push_back(violation_t {rule, std::move(message), path(), printed(v)});
    }
    /// A child that is always there.
    template <typename Node, typename Child>
    void required(const Node &v, const char *field, const Child &child) {
        if (!child.defined()) report(v, "required", std::string("`") + field + "` is missing");
    }

    bool is_declared(const expr_base *variable) const {
        for (const auto &scope : scopes_)
            if (scope.count(variable) != 0) return true;
        return false;
    }
    template <typename Node>
    void declare(const Node &v, const expr_c &variable) {
        if (!variable.defined() || scopes_.empty()) return;
        if (is_declared(variable.get())) {
            report(v, "declared_once", "`" + printed(variable) + "` is declared already");
            return;
        }
        scopes_.back().insert(variable.get());
    }
};

} // namespace
} // namespace torchgen_support
