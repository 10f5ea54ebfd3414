// What works for nodes of any kind by the tables of their fields.
#include "reflect.h"

#include "walk.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace torchgen_support {

std::size_t kind_info_t::number_of(const std::string &field) const {
    for (std::size_t at = 0; at < fields.size(); at++)
        if (field == fields[at].name) return at;
    throw std::out_of_range(std::string(name) + " has no field " + field);
}

bool kind_info_t::has_trait(const std::string &name) const {
    return std::any_of(traits.begin(), traits.end(), [&](const char *own) { return name == own; });
}

const kind_info_t &info_of(const expr_c &e) { return info_of(e->node_type_); }
const kind_info_t &info_of(const stmt_c &s) { return info_of(s->node_type_); }

namespace {

template <typename Node>
FieldValue value_of(const Node &node, std::size_t number) {
    const field_info_t &field = info_of(node).fields.at(number);
    return field.place ? field.type->get(field.place(const_cast<node_base &>(static_cast<const node_base &>(*node))))
                       : FieldValue();
}

template <typename Node>
bool set_value_of(const Node &node, std::size_t number, const FieldValue &value) {
    const field_info_t &field = info_of(node).fields.at(number);
    return field.place && field.type->set(field.place(*node), value);
}

const source_location_t *location_in(const node_base &node) {
    return node.attr_ ? node.attr_->get_or_null<source_location_t>("location") : nullptr;
}

} // namespace

FieldValue field_of(const expr_c &e, std::size_t number) { return value_of(e, number); }
FieldValue field_of(const stmt_c &s, std::size_t number) { return value_of(s, number); }
FieldValue field_of(const expr_c &e, const std::string &name) { return value_of(e, info_of(e).number_of(name)); }
FieldValue field_of(const stmt_c &s, const std::string &name) { return value_of(s, info_of(s).number_of(name)); }
bool set_field_of(const expr &e, std::size_t number, const FieldValue &value) { return set_value_of(e, number, value); }
bool set_field_of(const stmt &s, std::size_t number, const FieldValue &value) { return set_value_of(s, number, value); }
bool set_field_of(const expr &e, const std::string &name, const FieldValue &value) {
    return set_value_of(e, info_of(e).number_of(name), value);
}
bool set_field_of(const stmt &s, const std::string &name, const FieldValue &value) {
    return set_value_of(s, info_of(s).number_of(name), value);
}

/// Visits each node once, however many share it.
class parent_table_t::walker_t : public ir_walker_t {
    parent_table_t &table_;
    std::unordered_map<const node_base *, bool> seen_;

    void add(const std::vector<child_t> &children, const parent_t &parent) {
        for (const child_t &child : children) {
            const node_base *node = child.e.get();
            if (child.s.defined()) node = child.s.get();
            table_.places_[node].push_back(parent_t {parent.e, parent.s, child.field, child.at});
        }
    }

public:
    explicit walker_t(parent_table_t &table) : table_(table) {}
    bool enter(const expr_c &e) override {
        if (!seen_.emplace(e.get(), true).second) return false;
        add(children_of(e), parent_t {e, stmt_c(), nullptr, -1});
        return true;
    }
    bool enter(const stmt_c &s) override {
        if (!seen_.emplace(s.get(), true).second) return false;
        add(children_of(s), parent_t {expr_c(), s, nullptr, -1});
        return true;
    }
};

parent_table_t::parent_table_t(const expr_c &root) { walker_t(*this).walk(root); }
parent_table_t::parent_table_t(const stmt_c &root) { walker_t(*this).walk(root); }
parent_table_t::parent_table_t(const func_c &function) { walker_t(*this).walk(function); }

const std::vector<parent_t> &parent_table_t::uses_of(const expr_c &e) const {
    static const std::vector<parent_t> none;
    const auto found = places_.find(e.get());
    return found == places_.end() ? none : found->second;
}
const std::vector<parent_t> &parent_table_t::uses_of(const stmt_c &s) const {
    static const std::vector<parent_t> none;
    const auto found = places_.find(s.get());
    return found == places_.end() ? none : found->second;
}

std::ostream &operator<<(std::ostream &os, const source_location_t &location) {
    return os << location.file << ':' << location.line << ':' << location.column;
}

void set_location(const expr &e, source_location_t location) { e->attr()["location"] = std::move(location); }
void set_location(const stmt &s, source_location_t location) { s->attr()["location"] = std::move(location); }
const source_location_t *location_of(const expr_c &e) { return location_in(*e); }
const source_location_t *location_of(const stmt_c &s) { return location_in(*s); }

} // namespace torchgen_support
