// Trees as text and as bytes: what a program calls.
#pragma once

#include "reflect.h"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace torchgen_support {

/// A node as it is written: everything in it is text.
struct saved_node_t {
    std::string kind;
    std::map<std::string, std::string> fields;
};

/// Makes a node of an older version one of this version, before it is read; false if it cannot.
using tree_upgrade_t = std::function<bool(saved_node_t &node, unsigned version)>;

/// Thrown for text that is no tree, and for a tree with a value that cannot be written.
struct bad_saved_tree : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Writes a tree, with its types, attributes and functions, as text. A node that is in several
/// places is written once.
std::string save_tree(const expr_c &e);
std::string save_tree(const stmt_c &s);
std::string save_tree(const func_c &f);
/// The same as bytes: each word once.
std::string save_tree_as_bytes(const expr_c &e);
std::string save_tree_as_bytes(const stmt_c &s);
std::string save_tree_as_bytes(const func_c &f);

/// What was read: one of these.
struct loaded_tree_t {
    expr e;
    stmt s;
    func_t f;
};

/// Reads what was written. `upgrade` is called for each node of an older version; what a newer
/// version wrote is refused.
loaded_tree_t load_tree(const std::string &saved, const tree_upgrade_t &upgrade = nullptr);

} // namespace torchgen_support
