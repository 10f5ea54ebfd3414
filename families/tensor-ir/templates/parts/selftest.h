// Checks and samples of the self-test.
#pragma once

#include "comparer.h"
#include "copier.h"
#include "hash.h"
#include "printer.h"
#include "viewer.h"
#include "visitor.h"

#include <cstdio>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace torchgen_support {
namespace {

int failures = 0;
int checks = 0;

[[maybe_unused]] void test_check(bool holds, const std::string &what) {
    checks++;
    if (!holds) {
        failures++;
        std::printf("failed: %s\n", what.c_str());
    }
}

template <typename T>
std::string test_printed(const T &node) {
    std::ostringstream os;
    os << node;
    return os.str();
}

[[maybe_unused]] any_map_t some_attributes() {
    any_map_t attributes;
    attributes["key"] = 1;
    return attributes;
}

[[maybe_unused]] std::shared_ptr<static_data_t> some_data() {
    const int bytes[] = {1, 2, 3};
    return std::make_shared<static_data_t>(bytes, sizeof bytes);
}

struct sample_t {
    const char *name;
    std::size_t params;
    /// What of the parameters is a name, which counts only if names are compared, or cannot be
    /// varied.
    std::vector<std::string> names;
    std::vector<int> skipped;
    /// What is a part of the node's type, which is compared first.
    std::vector<int> typed;
    std::vector<std::string> fields;
};

[[maybe_unused]] bool begins_with(const std::string &text, const std::string &start) { return text.compare(0, start.size(), start) == 0; }

/// The checks that expressions and statements share.
template <typename Pointer, typename Const>
void check_node(const sample_t &sample, const std::function<Pointer(int, int)> &make) {
    const std::string name = sample.name;
    const Pointer original = make(-1, 0);
    original->attr()["kept"] = std::string("yes");
    const Pointer copy = original->remake();
    test_check(!copy.ptr_same(original), name + ": remake makes a node");
    test_check(original->equals(copy) && copy->equals(original), name + ": remake is equal");
    test_check(hash_value(Const(original)) == hash_value(Const(copy)), name + ": remake has the hash");
    test_check(copy->attr_ && copy->attr_->has_key("kept"), name + ": remake keeps attributes");
    const Pointer counterpart = make(-1, 0);
    test_check(original->equals(counterpart) && hash_value(Const(original)) == hash_value(Const(counterpart)), name + ": equal samples");
    const Pointer deep = deep_copy(Const(original));
    test_check(!deep.ptr_same(original) && original->equals(deep), name + ": deep copy");
    test_check(ir_visitor_t().dispatch(Const(original)).ptr_same(original), name + ": a visitor that changes nothing");
    test_check(ir_viewer_t().dispatch(Const(original)).ptr_same(original), name + ": a viewer");
    test_check(ir_inplace_visitor_t().dispatch_impl(original).ptr_same(original), name + ": a visitor in place");
    test_check(!test_printed(original).empty(), name + ": prints");
    for (std::size_t at = 0; at < sample.params; at++) {
        const std::string &field = sample.fields[at];
        bool skipped = false;
        for (int one : sample.skipped)
            skipped |= one == static_cast<int>(at);
        if (skipped) continue;
        bool typed = false;
        for (int one : sample.typed)
            typed |= one == static_cast<int>(at);
        const Pointer changed = make(static_cast<int>(at), 1);
        bool is_name = false;
        for (const auto &one : sample.names)
            is_name |= one == field;
        for (const bool forth : {true, false}) {
            ir_comparer comparer(true, true);
            const bool alike = forth ? original->equals(changed, comparer) : changed->equals(original, comparer);
            test_check(!alike && !comparer.same_, name + "." + field + ": a change is a difference");
            test_check((typed && comparer.diff->path_.empty()) || begins_with(comparer.diff->path_, field), name + "." + field + ": the difference names the field, not " + comparer.diff->path_);
        }
        if (is_name) test_check(original->equals(changed), name + "." + field + ": names do not count");
    }
}

/// Every sample as every kind.
template <typename Wanted, typename Pointer>
void check_cast(const Pointer &node, const char *name, const char *wanted) {
    const bool same = std::string(name) == wanted;
    const std::string what = std::string(name) + " as " + wanted;
    test_check(node.template isa<Wanted>() == same, what + ": isa");
    test_check(node.template instanceof<Wanted>() == same, what + ": instanceof");
    test_check(node.template as<Wanted>().defined() == same, what + ": as");
    test_check(node.template dyn_as<Wanted>().defined() == same, what + ": dyn_as");
    test_check(node.template cast<Wanted>().has_value() == same, what + ": cast");
    bool thrown = false;
    try {
        test_check(node.template checked_as<Wanted>().ptr_same(node.template static_as<Wanted>()), what + ": checked_as");
    } catch (const bad_node_cast &) {
        thrown = true;
    }
    test_check(thrown != same, what + ": checked_as throws for other kinds");
}

} // namespace
} // namespace torchgen_support
