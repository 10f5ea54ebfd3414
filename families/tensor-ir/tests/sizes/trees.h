// Trees of any size, and what is done with them: the benchmark times it, the tests count its steps.
#pragma once

#include "builder.h"
#include "comparer.h"
#include "copier.h"
#include "hash.h"
#include "module.h"
#include "parser.h"
#include "printer.h"
#include "reflect.h"
#include "save.h"
#include "validator.h"
#include "visitor.h"
#include "walk.h"

#include <cstdio>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace sizes {

using namespace sized;

/// What a tree looks like.
enum class Shape { Chain, Fan, Statements, Blocks };

/// A tree, and what was made of it.
struct Tree {
    Shape shape;
    std::size_t nodes;
    expr variable = builder::make_var(datatypes::s32, "x");
    expr e, copy, changed;
    stmt s, copied;
    func_t function;
    std::string text;

    explicit Tree(std::size_t count, Shape looks) : shape(looks), nodes(count) {}
    bool is_expr() const { return shape == Shape::Chain || shape == Shape::Fan; }
};

/// One of each shape: the tests count the steps of all.
struct Trees {
    std::vector<Tree> all;

    explicit Trees(std::size_t nodes) {
        for (Shape shape : {Shape::Chain, Shape::Fan, Shape::Statements, Shape::Blocks})
            all.emplace_back(nodes / 4, shape);
    }
    explicit Trees(Tree &&tree) { all.push_back(std::move(tree)); }
};

/// Something that is done with trees. The operations follow each other.
struct Operation {
    const char *name;
    void (*run)(Trees &trees);
};

inline void require(bool holds, const char *what) {
    if (!holds) throw std::logic_error(what);
}

/// A node in each other node, or a wide list.
inline expr expression(const Tree &tree) {
    expr e = tree.variable;
    std::vector<expr> items;
    for (std::size_t at = 0; at < tree.nodes; at += 3) {
        if (tree.shape == Shape::Fan) {
            items.push_back(tree.variable + static_cast<int32_t>(at % 100));
        } else {
            e = at % 2 == 0 ? e + 1 : expr(builder::make_view(e - tree.variable));
        }
    }
    return items.empty() ? e : expr(make_expr<call_node>(std::move(items)));
}

inline stmt statements(const Tree &tree) {
    std::vector<stmt> list;
    stmt inner = make_stmt<stmts_node_t>(std::vector<stmt>());
    for (std::size_t at = 0; at < tree.nodes; at += 6) {
        // The type of a loop's variable is what is read for literal bounds.
        auto dtype = tree.shape == Shape::Blocks ? datatypes::index : datatypes::s32;
        expr variable = builder::make_var(dtype, "v" + std::to_string(at % 10));
        stmt assign = make_stmt<assign_node_t>(tree.variable, tree.variable + 1);
        if (tree.shape == Shape::Blocks) {
            // Blocks in each other, each with a loop.
            stmt loop = make_stmt<loop_node_t>(variable, expr(3), inner);
            inner = make_stmt<stmts_node_t>(std::vector<stmt> {std::move(loop), std::move(assign)});
        } else {
            list.push_back(make_stmt<let_node_t>(variable, tree.variable + 1));
            list.push_back(std::move(assign));
        }
    }
    return list.empty() ? inner : stmt(make_stmt<stmts_node_t>(std::move(list)));
}

/// A text of which only the length counts.
class Length : public std::streambuf {
    std::size_t length_ = 0;
    int overflow(int c) override {
        ++length_;
        return c == EOF ? 0 : c;
    }
    std::streamsize xsputn(const char *, std::streamsize count) override {
        length_ += static_cast<std::size_t>(count);
        return count;
    }

public:
    std::size_t length() const { return length_; }
};

struct counter : ir_walker_t {
    using ir_walker_t::enter;
    std::size_t count = 0;
    bool enter(const expr_c &) override {
        count++;
        return true;
    }
};

/// Replaces the literal 1 by 2.
struct doubler : ir_rewriter_t {
    using ir_rewriter_t::change;
    expr_c change(const expr_c &e, expr_c made) override {
        return e.isa<constant>() && get_expr_as_int(e) == 1 ? expr_c(2) : made;
    }
};

template <typename Step>
void each(Trees &trees, Step step) {
    for (Tree &tree : trees.all)
        step(tree);
}

/// The texts of nested blocks grow with the square of their depth, since lines are indented.
inline bool has_text(const Tree &tree) { return tree.shape != Shape::Blocks; }

/// The same tree as a text, without the blanks that printing puts before lines.
inline std::string text_of_blocks(const Tree &tree) {
    std::string text, end;
    for (std::size_t at = 0; at < tree.nodes; at += 6) {
        text += "{ loop v to 3 ";
        end += " x = (x + 1) }";
    }
    return text + "{ }" + end;
}

/// Everything that is done with trees, from building them to freeing them.
inline const std::vector<Operation> &operations() {
    static const std::vector<Operation> all = {
        {"build",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    if (tree.is_expr()) {
                        tree.e = expression(tree);
                    } else {
                        tree.s = statements(tree);
                    }
                    tree.function = builder::make_func("f", {tree.variable}, tree.s, datatypes::void_t);
                });
            }},
        {"walk",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    counter all_of;
                    all_of.walk(expr_c(tree.e));
                    all_of.walk(stmt_c(tree.s));
                    require(all_of.count > tree.nodes / 6, "all nodes are entered");
                });
            }},
        {"find parents",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    const auto table = tree.is_expr() ? parent_table_t(expr_c(tree.e)) : parent_table_t(stmt_c(tree.s));
                    require(!table.uses_of(expr_c(tree.variable)).empty(), "a variable is used");
                });
            }},
        {"save and load",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    const std::string text = tree.is_expr() ? save_tree(expr_c(tree.e)) : save_tree(stmt_c(tree.s));
                    require(load_tree(text).e.defined() == tree.is_expr(), "what was saved is loaded");
                });
            }},
        {"copy",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    std::unordered_map<expr_c, expr> same = {{tree.variable, tree.variable}};
                    tree.copy = ir_copier_t(same)(expr_c(tree.e)).remove_const();
                    tree.copied = ir_copier_t(same)(stmt_c(tree.s)).remove_const();
                });
            }},
        {"hash",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    require(hash_value(expr_c(tree.e)) == hash_value(expr_c(tree.copy)), "copies have one hash");
                    require(hash_value(stmt_c(tree.s)) == hash_value(stmt_c(tree.copied)), "copies have one hash");
                });
            }},
        {"compare",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    ir_comparer comparer(true, true);
                    require(comparer.compare(expr_c(tree.e), expr_c(tree.copy)), "copies are alike");
                    require(comparer.compare(stmt_c(tree.s), stmt_c(tree.copied)), "copies are alike");
                });
            }},
        {"rewrite",
            [](Trees &trees) {
                each(trees, [](Tree &tree) { tree.changed = doubler().rewrite(expr_c(tree.e)).remove_const(); });
            }},
        {"find a difference",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    ir_comparer ordered(true), unordered(false, false, false, false, true);
                    if (!tree.is_expr()) return;
                    require(!ordered.compare(expr_c(tree.e), expr_c(tree.changed)), "a difference is found");
                    require(!unordered.compare(expr_c(tree.e), expr_c(tree.changed)), "in any order");
                    require(unordered.compare(expr_c(tree.e), expr_c(tree.copy)), "copies are alike in any order");
                });
            }},
        {"validate",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    require(validate(expr_c(tree.e)).empty(), "the tree keeps the rules");
                    require(validate(func_c(tree.function)).size() < 2, "the function keeps the rules");
                });
            }},
        {"print",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    Length length;
                    std::ostream os(&length);
                    if (has_text(tree)) os << tree.e << tree.s;
                    require(!has_text(tree) || length.length() > tree.nodes, "something is printed");
                });
            }},
        {"print and parse",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    std::ostringstream os;
                    if (has_text(tree)) tree.is_expr() ? os << tree.e : os << tree.s;
                    const std::string text = has_text(tree) ? os.str() : text_of_blocks(tree);
                    const parser_t parser = parser_t().declare(tree.variable);
                    if (tree.is_expr()) {
                        require(parser.parse_expr(text)->equals(tree.e), "what was printed is read");
                    } else {
                        require(parser.parse_stmt(text)->equals(tree.s), "what was printed is read");
                    }
                });
            }},
        {"free",
            [](Trees &trees) {
                each(trees, [](Tree &tree) {
                    tree.e = tree.copy = tree.changed = expr();
                    tree.s = tree.copied = stmt();
                    tree.function = func_t();
                });
            }},
    };
    return all;
}

} // namespace sizes
