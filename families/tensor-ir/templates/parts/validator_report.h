// What the checks of trees report, and where.
#pragma once

#include "validator.h"

#include <initializer_list>
#include <sstream>
#include <unordered_map>
#include <utility>
#include <vector>

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
    /// A step to a child: the field, and the place in its list, or -1.
    struct step_t {
        const char *field;
        long at;
    };
    /// The name of a function or variable of a module, and the steps from there.
    std::string root_;
    std::vector<step_t> path_;
    /// What each scope declares, and in which scope each variable is declared.
    std::vector<std::vector<const expr_base *>> scopes_;
    std::unordered_map<const expr_base *, std::size_t> declared_;
    /// How many statements of each kind are around a node.
    std::vector<std::size_t> around_;
    const func_base *function_ = nullptr;

    ~report_t() = default;

    std::string path() const {
        std::string text = root_;
        for (const auto &step : path_) {
            if (!text.empty()) text += '.';
            text += step.field;
            if (step.at >= 0) text += '[' + std::to_string(step.at) + ']';
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

    bool is_declared(const expr_base *variable) const { return declared_.count(variable) != 0; }
    /// Says whether the variable was not declared yet.
    bool add_to_scope(const expr_base *variable) {
        if (!declared_.emplace(variable, scopes_.size()).second) return false;
        scopes_.back().push_back(variable);
        return true;
    }
    void remove_from_scope(const expr_base *variable) {
        auto known = declared_.find(variable);
        if (known != declared_.end() && known->second == scopes_.size()) declared_.erase(known);
    }
    void leave_scope() {
        for (const auto *variable : scopes_.back())
            remove_from_scope(variable);
        scopes_.pop_back();
    }
    void go_around(sc_stmt_type kind) {
        const auto at = static_cast<std::size_t>(kind);
        if (at >= around_.size()) around_.resize(at + 1);
        around_[at]++;
    }
    bool is_within(sc_stmt_type kind) const {
        const auto at = static_cast<std::size_t>(kind);
        return at < around_.size() && around_[at] != 0;
    }
    template <typename Node>
    void declare(const Node &v, const expr_c &variable) {
        if (!variable.defined() || scopes_.empty()) return;
        if (!add_to_scope(variable.get()))
            report(v, "declared_once", "`" + printed(variable) + "` is declared already");
    }
};

} // namespace
} // namespace torchgen_support
