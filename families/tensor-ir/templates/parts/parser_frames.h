// What is read in steps, on a stack of the reader's: texts may nest in any depth.
#pragma once

#include "parser_text.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace torchgen_support {
namespace {

/// After some steps: what was to be read is there, or is not, or waits for what was pushed.
enum class state_t { done, failed, waits };

/// Something that is being read.
template <typename Reader>
class frame_t {
public:
    /// The step that is next.
    int step = 0;

    virtual ~frame_t() = default;
    /// Does the next steps. `ok` says whether what it waited for was read.
    virtual state_t go_on(Reader &reader, bool ok) = 0;
};

/// An expression, which is read once at each place, whatever forms begin with it: tries a literal, a
/// name and the other forms, and then what can follow an expression.
template <typename Reader>
class expr_frame_t final : public frame_t<Reader> {
    expr &out_;
    expr found_, longer_;
    std::size_t start_ = 0, here_ = 0, form_ = 0;

    state_t finish(Reader &reader, bool any) {
        reader.open_exprs_.erase(start_);
        reader.known_.emplace(start_, typename Reader::known_t {any, found_, reader.at_});
        if (any) out_ = std::move(found_);
        return any ? state_t::done : state_t::failed;
    }
    state_t next_form(Reader &reader) {
        for (; form_ < Reader::forms; form_++) {
            reader.at_ = start_;
            if (form_ == Reader::first_form && reader.declared_name(found_)) return next_follow(reader, true);
            if (reader.push_form(form_, found_)) return state_t::waits;
        }
        reader.at_ = start_;
        if (form_ == Reader::first_form && reader.declared_name(found_)) return next_follow(reader, true);
        return finish(reader, false);
    }
    state_t next_follow(Reader &reader, bool longer) {
        this->step = 2;
        if (longer) {
            here_ = reader.at_;
            form_ = 0;
        }
        for (; form_ < Reader::follows; form_++) {
            reader.at_ = here_;
            if (reader.push_follow(form_, found_, longer_)) return state_t::waits;
        }
        reader.at_ = here_;
        return finish(reader, true);
    }

public:
    explicit expr_frame_t(expr &out) : out_(out) {}
    state_t go_on(Reader &reader, bool ok) override {
        if (this->step == 0) {
            reader.blanks();
            start_ = reader.at_;
            auto known = reader.known_.find(start_);
            if (known != reader.known_.end()) {
                if (!known->second.found) return state_t::failed;
                reader.at_ = known->second.end;
                out_ = known->second.e;
                return state_t::done;
            }
            // A form that begins with itself.
            if (!reader.open_exprs_.insert(start_).second) return state_t::failed;
            this->step = 1;
            return next_form(reader);
        }
        if (this->step == 1 && ok) return next_follow(reader, true);
        if (ok) found_ = std::move(longer_);
        if (!ok) form_++;
        return this->step == 1 ? next_form(reader) : next_follow(reader, ok);
    }
};

/// A statement.
template <typename Reader>
class stmt_frame_t final : public frame_t<Reader> {
    stmt &out_;
    std::size_t start_ = 0, form_ = 0;

public:
    explicit stmt_frame_t(stmt &out) : out_(out) {}
    state_t go_on(Reader &reader, bool ok) override {
        if (this->step == 0) {
            reader.blanks();
            start_ = reader.at_;
            this->step = 1;
            if (!reader.open_stmts_.insert(start_).second) return state_t::failed;
        } else if (ok) {
            reader.open_stmts_.erase(start_);
            return state_t::done;
        } else {
            form_++;
        }
        for (; form_ < Reader::stmt_forms; form_++) {
            reader.at_ = start_;
            if (reader.push_form(form_, out_)) return state_t::waits;
        }
        reader.at_ = start_;
        reader.open_stmts_.erase(start_);
        return state_t::failed;
    }
};

/// A node of one kind.
template <typename Reader, typename Pointer, typename Any>
class node_frame_t final : public frame_t<Reader> {
    Pointer &out_;
    Any any_;
    std::size_t start_ = 0;

public:
    explicit node_frame_t(Pointer &out) : out_(out) {}
    state_t go_on(Reader &reader, bool ok) override {
        if (this->step++ == 0) {
            start_ = reader.at_;
            return reader.wait_for(any_);
        }
        if (!ok) return state_t::failed;
        if (!any_.template isa<Pointer>()) {
            reader.at_ = start_;
            reader.missing("a node of another kind");
            return state_t::failed;
        }
        out_ = any_.template static_as<Pointer>();
        return state_t::done;
    }
};

/// Nodes or records with a text between them.
template <typename Reader, typename T>
class list_frame_t final : public frame_t<Reader> {
    std::vector<T> &out_;
    const char *separator_;
    std::size_t start_ = 0;
    T item_ {};

public:
    list_frame_t(std::vector<T> &out, const char *separator) : out_(out), separator_(separator) {}
    state_t go_on(Reader &reader, bool ok) override {
        // Blanks alone separate nothing that a reader could see.
        const bool bare = Reader::is_blank(separator_);
        if (this->step++ != 0) {
            if (!ok) {
                reader.at_ = start_;
                return out_.empty() || bare ? state_t::done : state_t::failed;
            }
            out_.push_back(std::move(item_));
            item_ = T {};
        }
        start_ = reader.at_;
        if (!out_.empty() && !bare && !reader.literal(separator_)) return state_t::done;
        return reader.wait_for(item_);
    }
};

/// Statements in braces.
template <typename Reader>
class block_frame_t final : public frame_t<Reader> {
    std::vector<stmt> &out_;
    stmt item_;

public:
    explicit block_frame_t(std::vector<stmt> &out) : out_(out) {}
    state_t go_on(Reader &reader, bool ok) override {
        if (this->step++ == 0) {
            if (!reader.literal("{")) return state_t::failed;
            reader.open();
        } else if (!ok) {
            reader.close();
            return state_t::failed;
        } else {
            out_.push_back(std::move(item_));
            item_ = stmt();
        }
        reader.lines();
        if (reader.literal("}")) {
            reader.close();
            return state_t::done;
        }
        return reader.wait_for(item_);
    }
};

/// A variable where it is declared, of one kind or of any.
template <typename Reader>
class declared_frame_t final : public frame_t<Reader> {
    expr &out_;
    const std::string &kind_;
    std::size_t start_ = 0, form_ = 0;

public:
    declared_frame_t(expr &out, const std::string &kind) : out_(out), kind_(kind) {}
    state_t go_on(Reader &reader, bool ok) override {
        if (this->step++ == 0) {
            start_ = reader.at_;
        } else if (ok) {
            return state_t::done;
        } else {
            form_++;
        }
        for (; form_ < Reader::declarations; form_++) {
            reader.at_ = start_;
            if (reader.push_declaration(form_, kind_, out_)) return state_t::waits;
        }
        reader.at_ = start_;
        reader.missing("a declaration");
        return state_t::failed;
    }
};

/// Variables that are declared, with commas between them.
template <typename Reader>
class declared_list_frame_t final : public frame_t<Reader> {
    std::vector<expr> &out_;
    std::size_t start_ = 0;
    expr item_;
    const std::string any_kind_;

public:
    explicit declared_list_frame_t(std::vector<expr> &out) : out_(out) {}
    state_t go_on(Reader &reader, bool ok) override {
        if (this->step++ != 0) {
            if (!ok) {
                reader.at_ = start_;
                return out_.empty() ? state_t::done : state_t::failed;
            }
            reader.bind(item_);
            out_.push_back(std::move(item_));
            item_ = expr();
        }
        start_ = reader.at_;
        if (!out_.empty() && !reader.literal(", ")) return state_t::done;
        return reader.template push<declared_frame_t<Reader>>(item_, any_kind_);
    }
};

/// The body of a loop, in which its variable is known.
template <typename Reader>
class body_frame_t final : public frame_t<Reader> {
    expr variable_;
    stmt &out_;

public:
    body_frame_t(expr variable, stmt &out) : variable_(std::move(variable)), out_(out) {}
    state_t go_on(Reader &reader, bool ok) override {
        if (this->step++ == 0) {
            reader.open();
            reader.bind(variable_);
            return reader.wait_for(out_);
        }
        reader.close();
        return ok ? state_t::done : state_t::failed;
    }
};

} // namespace
} // namespace torchgen_support
