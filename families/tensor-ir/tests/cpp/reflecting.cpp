// Nodes of any kind by number and name, parents and locations; trees in files.
#include "check.h"
#include "comparer.h"
#include "copier.h"
#include "easy_build.h"
#include "reflect.h"
#include "save.h"
#include "suites.h"

using namespace tir;
using namespace tir::builder;

namespace {

void reflecting() {
    expr v = make_var(datatypes::f32, "v");
    expr sum = v + v;
    stmt inner = make_evaluate_unattached(sum);
    stmt loop = make_for_loop_unattached(v, 0, 8, 1, make_stmts_unattached({inner}), true, for_type::PARALLEL);
    CHECK_TEXT(info_of(expr_c(v)).name, "var");
    CHECK_TEXT(info_of(sc_stmt_type::for_loop).fields[6].sort, "enum");
    CHECK(info_of(sc_expr_type::var).number_of("name") == 1 && info_of(expr_c(sum)).fields.size() == 2);
    CHECK(field_of(expr_c(v), "name") == FieldValue(std::string("v")));
    CHECK(set_field_of(v, 1, std::string("w")) && !set_field_of(v, 1, 1.0) && get_node_name(v) == "w");
    CHECK(field_of(expr_c(sum), 0) == FieldValue() && info_of(expr_c(sum)).fields[0].type->kind == FieldKind::Other);
    CHECK(field_of(stmt_c(loop), "kind") == FieldValue(static_cast<int64_t>(for_type::PARALLEL)));
    CHECK(set_field_of(loop, "num_threads", int64_t(4)) && loop.checked_as<for_loop>()->num_threads_ == 4);
    CHECK(!set_field_of(loop, "num_threads", int64_t(1) << 40) && !set_field_of(loop, "body", int64_t(1)));
    CHECK_TEXT(info_of(stmt_c(loop)).fields[5].type->text(info_of(stmt_c(loop)).fields[5].place(*loop)), "true");
    for (int wrong = 0; wrong < 3; wrong++) {
        bool thrown = false;
        try {
            if (wrong == 0) field_of(expr_c(v), "color");
            if (wrong == 1) field_of(expr_c(v), 2);
            if (wrong == 2) info_of(sc_expr_type::undef);
        } catch (const std::out_of_range &) {
            thrown = true;
        }
        CHECK(thrown);
    }
    // A variable is a child in three places, of two nodes.
    const parent_table_t parents {stmt_c(loop)};
    const auto &uses = parents.uses_of(expr_c(v));
    CHECK(uses.size() == 3 && uses[0].s.ptr_same(stmt_c(loop)) && std::string(uses[0].field) == "var" && uses[0].at == -1);
    CHECK(uses[2].e.ptr_same(expr_c(sum)) && std::string(uses[2].field) == "r");
    CHECK(parents.uses_of(stmt_c(inner)).at(0).at == 0 && parents.uses_of(stmt_c(loop)).empty());
    CHECK(parent_table_t(expr_c(sum)).uses_of(expr_c(v)).size() == 2 && parent_table_t(func_t()).uses_of(expr_c(v)).empty());

    CHECK(!location_of(expr_c(sum)) && !location_of(stmt_c(loop)));
    set_location(sum, {"model.py", 3, 7});
    set_location(loop, {"model.py", 2, 1});
    CHECK_TEXT(text_of(*location_of(expr_c(sum))), "model.py:3:7");
    CHECK(*location_of(stmt_c(deep_copy(stmt_c(loop)))) == *location_of(stmt_c(loop)));
    CHECK(sum->equals(v + v));
}

void saving() {
    expr v = make_var(datatypes::f32, "a name");
    expr sum = v + 0.5f;
    sum->attr()["comments"] = std::vector<std::string> {"one [", "two = {"};
    sum->attr()["big"] = int64_t(-5);
    set_location(sum, {"model.py", 3, 7});
    // What is shared stays shared, and types that were set by hand stay.
    expr twice = sum * sum;
    twice->dtype_ = datatypes::s32;
    const std::string text = save_tree(expr_c(twice));
    CHECK(text.rfind("tree " + std::to_string(tree_version) + "\n", 0) == 0);
    expr read = load_tree(text).e;
    CHECK(read.defined() && read->equals(twice) && read->dtype_ == datatypes::s32);
    mul_c product = read.checked_as<mul_c>();
    CHECK(product->l_.ptr_same(product->r_) && *product->l_->attr_ == *sum->attr_);
    CHECK_TEXT(save_tree(expr_c(read)), text);
    const std::string bytes = save_tree_as_bytes(expr_c(twice));
    CHECK(bytes.size() < text.size());
    CHECK_TEXT(save_tree(expr_c(load_tree(bytes).e)), text);
    CHECK(!load_tree(save_tree(expr_c())).e.defined() && load_tree(save_tree(stmt_c(make_evaluate_unattached(v)))).s.defined());

    // A function that calls itself and another, and data of a tensor.
    func_t other = make_func("other", {v}, stmt(), datatypes::f32);
    func_t f = make_func("f", {v}, stmt(), datatypes::f32);
    float numbers[] = {1.5f, -0.0f};
    expr data = make_tensor("data", {2}, datatypes::f32, address_space::automatic, std::make_shared<static_data_t>(numbers, sizeof numbers));
    f->body_ = make_stmts_unattached({make_var_tensor_def_unattached(data, linkage::local, expr()),
        make_evaluate_unattached(f(other(v))), make_returns_unattached(v)});
    const std::string whole = save_tree(func_c(f));
    func_t loaded = load_tree(whole).f;
    ir_comparer with_callees(false, true, false, true);
    CHECK(loaded && with_callees.compare(func_c(loaded), func_c(f)));
    CHECK_TEXT(save_tree(func_c(loaded)), whole);
    auto evaluated = loaded->body_.checked_as<stmts>()->seq_[1].checked_as<evaluate>()->value_.checked_as<call>();
    CHECK(evaluated->func_ == std::static_pointer_cast<node_base>(loaded));
    // It holds itself.
    f->body_ = loaded->body_ = stmt();

    // What older versions wrote, and what is no tree.
    std::string old = text;
    old.replace(0, old.find('\n'), "tree 0");
    old.replace(old.find("expr mul"), 8, "expr times");
    const auto upgrade = [](saved_node_t &node, unsigned version) {
        if (version == 0 && node.kind == "times") node.kind = "mul";
        return node.kind != "add" || node.fields.count("l") == 1;
    };
    if (tree_version > 0) CHECK_TEXT(save_tree(expr_c(load_tree(old, upgrade).e)), text);
    for (const std::string &wrong : {old, text + "no", std::string("tree 99\nroot 0\n"), std::string("expr add dtype=0 l=1\n"),
             std::string("expr add dtype=0 x=1\n"), std::string("expr evaluate dtype=0\n"), bytes.substr(0, 20),
             std::string("stmt evaluate value=[\n"), std::string("expr var dtype=0 name=%4\n"), std::string("root 3\n")}) {
        bool thrown = false;
        try {
            load_tree(wrong);
        } catch (const bad_saved_tree &) {
            thrown = true;
        }
        CHECK(thrown);
    }
    sum->attr()["odd"] = std::vector<double> {1.5};
    bool refused = false;
    try {
        save_tree(expr_c(sum));
    } catch (const bad_saved_tree &) {
        refused = true;
    }
    CHECK(refused);
    // A tree of any depth.
    expr deep = v;
    for (int at = 0; at < 100000; at++)
        deep = deep + 1.5f;
    const std::string long_text = save_tree(expr_c(deep));
    CHECK(load_tree(long_text).e->equals(deep) && save_tree(expr_c(load_tree(save_tree_as_bytes(expr_c(deep))).e)) == long_text);
}

} // namespace

void reflecting_suite() {
    reflecting();
    saving();
}
