// How values of each type are written and read.
#pragma once

#include "save.h"
#include "walk.h"

#include "../../../../templates/kit/cpp/packed.h"

#include <charconv>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torchgen_support {
namespace {

[[noreturn]] void bad_save(const std::string &why) { throw bad_saved_tree(why); }

/// Reads the value of a field from the left.
struct cursor_t {
    const std::string &text;
    std::size_t at = 0;

    bool next_is(char c) const { return at < text.size() && text[at] == c; }
    void take(char c) {
        if (!next_is(c)) bad_save(std::string("`") + c + "` is missing in `" + text + "`");
        at++;
    }
    /// What is before the next mark.
    std::string word() {
        const std::size_t end = std::min(text.find_first_of("[]{};=", at), text.size());
        std::string found = text.substr(at, end - at);
        at = end;
        return found;
    }
    std::string plain() {
        const std::string from = word();
        std::string out;
        if (!unescapeWord(from, out)) bad_save("`" + from + "` is no text");
        return out;
    }
    template <typename T>
    T number() {
        const std::string digits = word();
        T value {};
        const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) bad_save("`" + digits + "` is no number");
        return value;
    }
};

/// Writes nodes, each on a line after what it refers to.
class tree_writer_t : public ir_walker_t {
    std::unordered_map<const node_base *, std::size_t> numbers_;
    std::vector<const func_base *> functions_;
    std::string lines_;

    void add(const node_base &node, std::string line, const kind_info_t &info, const struct saved_kind_t &kind);
    std::string attributes(const any_map_t &map);

public:
    using ir_walker_t::enter;
    using ir_walker_t::leave;
    bool enter(const expr_c &e) override { return !numbers_.count(e.get()); }
    bool enter(const stmt_c &s) override { return !numbers_.count(s.get()); }
    void leave(const expr_c &e) override;
    void leave(const stmt_c &s) override;
    std::string written(const std::string &root);
    std::string function(const func_base *f);

    // Values.
    template <typename T>
    std::string text(const T &value) {
        if constexpr (std::is_same_v<T, bool>) {
            return value ? "1" : "0";
        } else if constexpr (std::is_floating_point_v<T>) {
            std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> bits;
            std::memcpy(&bits, &value, sizeof(bits));
            return std::to_string(bits);
        } else if constexpr (std::is_enum_v<T>) {
            return std::to_string(static_cast<long long>(value));
        } else if constexpr (std::is_arithmetic_v<T>) {
            return std::to_string(value);
        } else {
            bad_save("a field has a type of yours, which is not written");
        }
    }
    std::string text(const std::string &value) { return escapedWord(value); }
    std::string text(const sc_data_type_t &type) { return std::to_string(static_cast<uint64_t>(type)); }
    std::string text(const union_val &value) { return std::to_string(value.u64); }
    std::string text(const func_t &f) { return function(f.get()); }
    std::string text(const std::unique_ptr<any_map_t> &map) { return map ? attributes(*map) : "-"; }
    std::string text(const any_map_t &map) { return attributes(map); }
    std::string text(const std::shared_ptr<static_data_t> &data);
    std::string text(const std::shared_ptr<node_base> &callee);
    template <typename T, typename Base>
    std::string text(const node_ptr<T, Base> &node) {
        return node.defined() ? std::to_string(numbers_.at(node.get())) : "-";
    }
    template <typename T>
    std::string text(const std::vector<T> &list) {
        std::string out = "[";
        for (std::size_t at = 0; at < list.size(); at++)
            out += (at ? ";" : "") + text(static_cast<const T &>(list[at]));
        return out + "]";
    }
};

/// Reads values, of nodes that are there already.
class tree_reader_t {
protected:
    std::vector<std::shared_ptr<node_base>> nodes_;

    const std::shared_ptr<node_base> &node_at(std::size_t number) const {
        if (number >= nodes_.size()) bad_save("there is no node " + std::to_string(number) + " before it");
        return nodes_[number];
    }
    void attributes(cursor_t &from, any_map_t &map);

public:
    template <typename T>
    void read(cursor_t &from, T &value) {
        if constexpr (std::is_same_v<T, bool>) {
            value = from.number<int>() != 0;
        } else if constexpr (std::is_floating_point_v<T>) {
            const auto bits = from.number<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>();
            std::memcpy(&value, &bits, sizeof(bits));
        } else if constexpr (std::is_enum_v<T>) {
            value = static_cast<T>(from.number<long long>());
        } else if constexpr (std::is_arithmetic_v<T>) {
            value = from.number<T>();
        } else {
            bad_save("a field has a type of yours, which is not read");
        }
    }
    void read(cursor_t &from, std::string &value) { value = from.plain(); }
    void read(cursor_t &from, sc_data_type_t &type);
    void read(cursor_t &from, union_val &value) { value.u64 = from.number<uint64_t>(); }
    void read(cursor_t &from, func_t &f);
    void read(cursor_t &from, any_map_t &map) { attributes(from, map); }
    void read(cursor_t &from, std::unique_ptr<any_map_t> &map);
    void read(cursor_t &from, std::shared_ptr<static_data_t> &data);
    void read(cursor_t &from, std::shared_ptr<node_base> &callee);
    template <typename T, typename Base>
    void read(cursor_t &from, node_ptr<T, Base> &node) {
        if (from.next_is('-')) {
            from.take('-');
            node = node_ptr<T, Base>();
            return;
        }
        auto found = std::dynamic_pointer_cast<Base>(node_at(from.number<std::size_t>()));
        if (!found) bad_save("a field is for another kind of node");
        detail::put_child<T, Base>(&node, std::move(found));
    }
    template <typename T>
    void read(cursor_t &from, std::vector<T> &list) {
        list.clear();
        for (from.take('['); !from.next_is(']');) {
            T item {};
            read(from, item);
            list.push_back(std::move(item));
            if (!from.next_is(']')) from.take(';');
        }
        from.take(']');
    }
};

/// How the values of a C++ type are written and read.
struct codec_t {
    std::string (*write)(tree_writer_t &writer, const void *value);
    void (*read)(tree_reader_t &reader, cursor_t &from, void *value);
};

/// A kind of nodes: how an empty one is made, and the codecs of its fields, null where one has no
/// place.
struct saved_kind_t {
    std::shared_ptr<node_base> (*make)();
    ArrayRef<const codec_t *> codecs;
};

const saved_kind_t &saved_kind(sc_expr_type kind);
const saved_kind_t &saved_kind(sc_stmt_type kind);

template <typename T>
std::string write_value(tree_writer_t &writer, const void *value) {
    return writer.text(*static_cast<const T *>(value));
}
template <typename T>
void read_value(tree_reader_t &reader, cursor_t &from, void *value) {
    reader.read(from, *static_cast<T *>(value));
}
template <typename T>
constexpr codec_t codec_of = {&write_value<T>, &read_value<T>};

} // namespace
} // namespace torchgen_support
