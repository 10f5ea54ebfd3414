// Nodes of any kind at run time.
#pragma once

#include "../../../../templates/kit/cpp/fields.h"
#include "walk.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace torchgen_support {

/// A field of a kind of nodes.
struct field_info_t {
    const char *name;
    /// What it is: `expr`, `stmt`, `dtype`, `int`, `enum`, …
    const char *sort;
    bool is_list;
    /// The C++ type, and where the value is in a node of the kind; null for what a node has not as
    /// a member of its own.
    const FieldType *type;
    void *(*place)(node_base &node);
};

/// What is known of a kind of nodes.
struct kind_info_t {
    const char *name;
    /// As the family file writes it.
    const char *schema;
    ArrayRef<field_info_t> fields;
    /// The names of its traits.
    ArrayRef<const char *> traits;

    bool has_trait(const std::string &name) const;
    /// The number of a field. Throws std::out_of_range if there is none of the name.
    std::size_t number_of(const std::string &field) const;
};

const kind_info_t &info_of(sc_expr_type kind);
const kind_info_t &info_of(sc_stmt_type kind);
const kind_info_t &info_of(const expr_c &e);
const kind_info_t &info_of(const stmt_c &s);

/// The value of a field: that of a number, a text, an enumeration or a list of these, and
/// std::monostate for others. Children are what `children_of` has.
FieldValue field_of(const expr_c &e, std::size_t number);
FieldValue field_of(const stmt_c &s, std::size_t number);
FieldValue field_of(const expr_c &e, const std::string &name);
FieldValue field_of(const stmt_c &s, const std::string &name);
/// Sets it; false if the value is of another kind, or too large.
bool set_field_of(const expr &e, std::size_t number, const FieldValue &value);
bool set_field_of(const stmt &s, std::size_t number, const FieldValue &value);
bool set_field_of(const expr &e, const std::string &name, const FieldValue &value);
bool set_field_of(const stmt &s, const std::string &name, const FieldValue &value);

/// A place where a node is a child: the node around it, the field, and the place in a list or -1.
struct parent_t {
    expr_c e;
    stmt_c s;
    const char *field;
    long at;
};

/// The places where the nodes of a tree are children. It is a table beside the tree: nodes know
/// nothing of it, and what is changed later is not in it.
class parent_table_t {
    std::unordered_map<const node_base *, std::vector<parent_t>> places_;

    class walker_t;

public:
    explicit parent_table_t(const expr_c &root);
    explicit parent_table_t(const stmt_c &root);
    explicit parent_table_t(const func_c &function);

    /// All of them, of which a node that several share has several; none for the root.
    const std::vector<parent_t> &uses_of(const expr_c &e) const;
    const std::vector<parent_t> &uses_of(const stmt_c &s) const;
};

/// Where the text is that a node was made of; lines and columns count from 1.
struct source_location_t {
    std::string file;
    unsigned line = 0;
    unsigned column = 0;
    bool operator==(const source_location_t &other) const {
        return line == other.line && column == other.column && file == other.file;
    }
};
std::ostream &operator<<(std::ostream &os, const source_location_t &location);

/// Says where a node comes from. It is the attribute `location`, which copies have too, and which
/// comparing and hashing leave out.
void set_location(const expr &e, source_location_t location);
void set_location(const stmt &s, source_location_t location);
/// Null if nobody said so.
const source_location_t *location_of(const expr_c &e);
const source_location_t *location_of(const stmt_c &s);

} // namespace torchgen_support
