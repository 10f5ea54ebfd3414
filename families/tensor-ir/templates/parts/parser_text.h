// The text that is read: places, words, scopes, and fields that no node is in.
#pragma once

#include "parser.h"

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace torchgen_support {
namespace {

/// Reads words and values. What reads nodes depends on their classes.
class text_reader_t {
public:
    text_reader_t(const std::string &text, const std::vector<func_t> &functions) : text_(text), scopes_(1) {
        for (const auto &function : functions)
            functions_[function->name_] = function;
    }

    struct known_t {
        bool found;
        expr e;
        std::size_t end;
    };
    const std::string &text_;
    std::size_t at_ = 0;
    std::size_t farthest_ = 0;
    std::string expected_;
    /// The names of each scope, and what each name means in the scopes that have it.
    std::vector<std::vector<std::string>> scopes_;
    std::unordered_map<std::string, std::vector<std::pair<std::size_t, expr>>> meanings_;
    std::unordered_map<std::string, func_t> functions_;
    std::unordered_map<std::size_t, known_t> known_;
    /// Where something is being read.
    std::unordered_set<std::size_t> open_exprs_, open_stmts_;

    // Places.

    [[noreturn]] void fail() {
        std::size_t line = 1, column = 1;
        for (std::size_t at = 0; at < farthest_ && at < text_.size(); at++) {
            column++;
            if (text_[at] == '\n') {
                line++;
                column = 1;
            }
        }
        throw parse_error(expected_.empty() ? "this cannot be read" : "expected " + expected_, line, column);
    }
    bool missing(const std::string &what) {
        if (at_ > farthest_ || expected_.empty()) {
            farthest_ = at_;
            expected_ = what;
        } else if (at_ == farthest_ && expected_.size() < 200 && expected_.find(what) == std::string::npos) {
            expected_ += " or " + what;
        }
        return false;
    }
    void end() {
        lines();
        if (at_ < text_.size()) {
            missing("the end");
            fail();
        }
    }
    void blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            at_++;
    }
    /// Blanks, line breaks and comments.
    void lines() {
        for (;;) {
            while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
                at_++;
            if (text_.compare(at_, 2, "//") == 0) {
                while (at_ < text_.size() && text_[at_] != '\n')
                    at_++;
            } else if (text_.compare(at_, 2, "/*") == 0) {
                const std::size_t close = text_.find("*/", at_ + 2);
                at_ = close == std::string::npos ? text_.size() : close + 2;
            } else {
                return;
            }
        }
    }

    // Words.

    static bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

    /// All of a text of a form, with any blanks between its words.
    bool literal(const char *form) {
        const std::size_t start = at_;
        while (*form) {
            if (*form == ' ') {
                form++;
                continue;
            }
            blanks();
            const char *stop = form;
            while (*stop && *stop != ' ')
                stop++;
            const std::size_t length = static_cast<std::size_t>(stop - form);
            const bool whole = !is_word(stop[-1]) || at_ + length >= text_.size() || !is_word(text_[at_ + length]);
            if (text_.compare(at_, length, form, length) != 0 || !whole) {
                missing('`' + std::string(form, length) + '`');
                at_ = start;
                return false;
            }
            at_ += length;
            form = stop;
        }
        return true;
    }
    bool name(std::string &found) {
        blanks();
        std::size_t stop = at_;
        while (stop < text_.size() && is_word(text_[stop]))
            stop++;
        if (stop == at_ || std::isdigit(static_cast<unsigned char>(text_[at_]))) return missing("a name");
        found = text_.substr(at_, stop - at_);
        at_ = stop;
        return true;
    }

    // Scopes. What is known of places holds for one state of the scopes.

    void open() { scopes_.emplace_back(); }
    void close() {
        for (const auto &name : scopes_.back()) {
            auto meanings = meanings_.find(name);
            meanings->second.pop_back();
            if (meanings->second.empty()) meanings_.erase(meanings);
        }
        scopes_.pop_back();
        forget();
    }
    void bind_name(const std::string &name, const expr &variable) {
        auto &meanings = meanings_[name];
        if (meanings.empty() || meanings.back().first != scopes_.size()) {
            meanings.emplace_back(scopes_.size(), variable);
            scopes_.back().push_back(name);
        }
        meanings.back().second = variable;
        forget();
    }
    void forget() {
        // Clearing a table takes time for the places that it once had.
        if (!known_.empty()) known_ = std::unordered_map<std::size_t, known_t>();
    }
    expr look_up(const std::string &wanted) const {
        auto meanings = meanings_.find(wanted);
        return meanings == meanings_.end() ? expr() : meanings->second.back().second;
    }
    /// A name that means something here.
    bool declared_name(expr &found) {
        std::string word;
        const std::size_t start = at_;
        if (!name(word)) return false;
        found = look_up(word);
        if (found.defined()) return true;
        at_ = start;
        return missing("a name that is declared");
    }
    static bool is_blank(const char *text) { return text[std::strspn(text, " ")] == '\0'; }

    // Fields.

    bool read(sc_data_type_t &dtype) {
        blanks();
        const std::size_t start = at_;
        std::string word;
        if (!name(word)) return missing("a type");
        if (at_ < text_.size() && text_[at_] == '*') {
            // `f32*`, and not a product.
            word += '*';
            at_++;
        }
        if (parse_dtype(word, dtype)) return true;
        at_ = start;
        return missing("a type");
    }
    bool read(std::string &word) { return name(word); }
    bool read_name(std::string &word) {
        // Generated names may hold what names of C++ do not.
        return name(word);
    }
    template <typename T>
    bool whole_number(T &number) {
        blanks();
        char *stop = nullptr;
        const long long value = std::strtoll(text_.c_str() + at_, &stop, 10);
        const std::size_t end = static_cast<std::size_t>(stop - text_.c_str());
        if (end == at_ || value < static_cast<long long>(std::numeric_limits<T>::min())
            || value > static_cast<long long>(std::numeric_limits<T>::max()))
            return missing("a whole number");
        number = static_cast<T>(value);
        at_ = end;
        return true;
    }
    bool read(int &number) { return whole_number(number); }
    bool read(int64_t &number) { return whole_number(number); }
    bool read(uint16_t &number) { return whole_number(number); }
    bool read(float &number) {
        blanks();
        char *stop = nullptr;
        number = std::strtof(text_.c_str() + at_, &stop);
        const std::size_t end = static_cast<std::size_t>(stop - text_.c_str());
        if (end == at_) return missing("a number");
        at_ = end;
        return true;
    }
    bool read(bool &value) {
        value = literal("true");
        return value || literal("false");
    }
    bool read(func_t &function) {
        blanks();
        const std::size_t start = at_;
        std::string word;
        if (!name(word)) return false;
        auto found = functions_.find(word);
        if (found != functions_.end() && !look_up(word).defined()) {
            function = found->second;
            return true;
        }
        at_ = start;
        return missing("a function");
    }
    bool read(std::shared_ptr<node_base> &callee) {
        func_t function;
        if (!read(function)) return false;
        callee = function;
        return true;
    }
    bool read(std::shared_ptr<static_data_t> &data) {
        if (literal("{zero_init}")) {
            data = std::make_shared<static_data_t>(nullptr, 0);
            return true;
        }
        if (literal("{value:")) {
            char *stop = nullptr;
            const uint64_t value = std::strtoull(text_.c_str() + at_, &stop, 10);
            at_ = static_cast<std::size_t>(stop - text_.c_str());
            data = std::make_shared<static_data_t>(&value, sizeof value);
            return literal("}");
        }
        if (literal("{bytes:")) {
            std::vector<unsigned char> bytes;
            while (at_ + 1 < text_.size() && std::isxdigit(static_cast<unsigned char>(text_[at_]))
                && std::isxdigit(static_cast<unsigned char>(text_[at_ + 1]))) {
                bytes.push_back(static_cast<unsigned char>(std::strtoul(text_.substr(at_, 2).c_str(), nullptr, 16)));
                at_ += 2;
            }
            data = std::make_shared<static_data_t>(bytes.data(), bytes.size());
            return literal("}");
        }
        data = nullptr;
        return true;
    }
};

} // namespace
} // namespace torchgen_support
