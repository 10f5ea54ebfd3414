// Trees as text and as bytes.
#include "save_codec.h"

#include <algorithm>

namespace torchgen_support {

namespace {

void tree_writer_t::leave(const expr_c &e) {
    if (numbers_.count(e.get())) return;
    const node_base &node = *e;
    std::string line = std::string("expr ") + info_of(e).name + " dtype=" + text(e->dtype_);
    add(node, line, info_of(e), saved_kind(e->node_type_));
}

void tree_writer_t::leave(const stmt_c &s) {
    if (numbers_.count(s.get())) return;
    const node_base &node = *s;
    std::string line = std::string("stmt ") + info_of(s).name;
    add(node, line, info_of(s), saved_kind(s->node_type_));
}

void tree_writer_t::add(const node_base &node, std::string line, const kind_info_t &info, const saved_kind_t &kind) {
    for (std::size_t at = 0; at < info.fields.size(); at++) {
        const field_info_t &field = info.fields[at];
        if (!field.place) continue;
        const void *place = field.place(const_cast<node_base &>(node));
        line += std::string(" ") + field.name + "=" + kind.codecs[at]->write(*this, place);
    }
    if (node.attr_ && !node.attr_->empty()) line += " attr:=" + attributes(*node.attr_);
    const std::size_t number = numbers_.size();
    numbers_.emplace(&node, number);
    lines_ += line + "\n";
}

std::string tree_writer_t::function(const func_base *f) {
    if (!f) return "-";
    const auto found = numbers_.find(f);
    if (found != numbers_.end()) return std::to_string(found->second);
    // It may call itself, so that what is in it follows.
    const std::size_t number = numbers_.size();
    numbers_.emplace(f, number);
    functions_.push_back(f);
    lines_ += "func " + escapedWord(f->name_) + " dtype=" + text(f->ret_type_) + "\n";
    return std::to_string(number);
}

std::string tree_writer_t::written(const std::string &root) {
    for (std::size_t at = 0; at < functions_.size(); at++) {
        const func_base &f = *functions_[at];
        for (const expr &param : f.params_)
            walk(expr_c(param));
        walk(stmt_c(f.body_));
        std::string line = "define " + std::to_string(numbers_.at(&f)) + " params=" + text(f.params_);
        line += " body=" + text(f.body_) + " decl=" + text(f.decl_);
        if (f.attr_ && !f.attr_->empty()) line += " attr:=" + attributes(*f.attr_);
        lines_ += line + "\n";
    }
    return "tree " + std::to_string(tree_version) + "\n" + lines_ + "root " + root + "\n";
}

std::string tree_writer_t::text(const std::shared_ptr<static_data_t> &data) {
    if (!data) return "-";
    return bytesWord({static_cast<const char *>(data->data_), data->size_});
}

std::string tree_writer_t::text(const std::shared_ptr<node_base> &callee) {
    if (const auto *f = dynamic_cast<const func_base *>(callee.get())) return function(f);
    return callee ? std::to_string(numbers_.at(callee.get())) : "-";
}

std::string tree_writer_t::attributes(const any_map_t &map) {
    std::vector<std::string> keys;
    for (const auto &pair : map.as_map())
        keys.push_back(pair.first);
    std::sort(keys.begin(), keys.end());
    std::string out = "{";
    for (const std::string &key : keys) {
        std::string value;
        const any_t &any = map.get_any(key);
        const auto add = [&](const char *mark, const auto *found) {
            if (found) value = mark + text(*found);
        };
        add("b=", any.get_or_null<bool>());
        add("i=", any.get_or_null<int32_t>());
        add("l=", any.get_or_null<int64_t>());
        add("u=", any.get_or_null<uint64_t>());
        add("f=", any.get_or_null<float>());
        add("d=", any.get_or_null<double>());
        add("s=", any.get_or_null<std::string>());
        add("t=", any.get_or_null<std::vector<std::string>>());
        add("n=", any.get_or_null<std::vector<int64_t>>());
        add("y=", any.get_or_null<sc_data_type_t>());
        add("c=", any.get_or_null<func_t>());
        if (const auto *location = any.get_or_null<source_location_t>()) {
            value = "p=" + text(std::vector<std::string> {
                location->file, std::to_string(location->line), std::to_string(location->column)});
        }
        if (value.empty()) bad_save("the attribute `" + key + "` has a type that is not written");
        out += (out.size() > 1 ? ";" : "") + escapedWord(key) + "=" + value;
    }
    return out + "}";
}

void tree_reader_t::attributes(cursor_t &from, any_map_t &map) {
    const auto take = [&](auto value) {
        read(from, value);
        return any_t(std::move(value));
    };
    for (from.take('{'); !from.next_is('}');) {
        const std::string key = from.plain();
        from.take('=');
        const std::string mark = from.word();
        from.take('=');
        if (mark == "b") map[key] = take(bool());
        else if (mark == "i") map[key] = take(int32_t());
        else if (mark == "l") map[key] = take(int64_t());
        else if (mark == "u") map[key] = take(uint64_t());
        else if (mark == "f") map[key] = take(float());
        else if (mark == "d") map[key] = take(double());
        else if (mark == "s") map[key] = take(std::string());
        else if (mark == "t") map[key] = take(std::vector<std::string>());
        else if (mark == "n") map[key] = take(std::vector<int64_t>());
        else if (mark == "y") map[key] = take(sc_data_type_t());
        else if (mark == "c") map[key] = take(func_t());
        else if (mark == "p") {
            std::vector<std::string> parts;
            read(from, parts);
            if (parts.size() != 3) bad_save("a location has three parts");
            cursor_t line {parts[1]}, column {parts[2]};
            map[key] = source_location_t {parts[0], line.number<unsigned>(), column.number<unsigned>()};
        } else bad_save("`" + mark + "` is no type of attributes");
        if (!from.next_is('}')) from.take(';');
    }
    from.take('}');
}

void tree_reader_t::read(cursor_t &from, sc_data_type_t &type) {
    const auto number = from.number<uint64_t>();
    type = sc_data_type_t(static_cast<sc_data_etype>(static_cast<uint32_t>(number)), static_cast<uint16_t>(number >> 48),
        static_cast<uint16_t>(number >> 32));
}

void tree_reader_t::read(cursor_t &from, func_t &f) {
    std::shared_ptr<node_base> callee;
    read(from, callee);
    f = func_t(std::dynamic_pointer_cast<func_base>(callee));
    if (callee && !f) bad_save("a field is for a function");
}

void tree_reader_t::read(cursor_t &from, std::unique_ptr<any_map_t> &map) {
    map.reset();
    if (from.next_is('-')) return from.take('-');
    map = std::make_unique<any_map_t>();
    attributes(from, *map);
}

void tree_reader_t::read(cursor_t &from, std::shared_ptr<static_data_t> &data) {
    data.reset();
    if (from.next_is('-')) return from.take('-');
    const std::string word = from.word();
    std::string bytes;
    if (!bytesOf(word, bytes)) bad_save("`" + word + "` are no bytes");
    data = std::make_shared<static_data_t>(bytes.data(), bytes.size());
}

void tree_reader_t::read(cursor_t &from, std::shared_ptr<node_base> &callee) {
    callee.reset();
    if (from.next_is('-')) return from.take('-');
    callee = node_at(from.number<std::size_t>());
}

/// Reads the lines of a tree.
class line_reader_t : public tree_reader_t {
    const tree_upgrade_t &upgrade_;
    unsigned version_ = 0;
    std::unordered_map<std::string, sc_expr_type> exprs_;
    std::unordered_map<std::string, sc_stmt_type> stmts_;
    std::shared_ptr<node_base> root_;

    template <typename T>
    void value(const std::string &written, T &into) {
        cursor_t from {written};
        read(from, into);
        if (from.at != written.size()) bad_save("`" + written + "` goes on behind its end");
    }

    void fill(node_base &node, saved_node_t &saved, const kind_info_t &info, const saved_kind_t &kind) {
        for (auto &[name, written] : saved.fields) {
            if (name == "dtype") continue;
            if (name == "attr:") {
                value(written, node.attr_);
                continue;
            }
            const std::size_t at = info.number_of(name);
            if (!info.fields[at].place) bad_save(name + " is no field that is read");
            cursor_t from {written};
            kind.codecs[at]->read(*this, from, info.fields[at].place(node));
            if (from.at != written.size()) bad_save("`" + written + "` goes on behind its end");
        }
    }

    void node(const std::string &sort, saved_node_t saved) {
        if (version_ < tree_version && upgrade_ && !upgrade_(saved, version_)) bad_save(saved.kind + " cannot be upgraded");
        if (sort == "expr") {
            const auto kind = exprs_.find(saved.kind);
            if (kind == exprs_.end()) bad_save("there is no expression " + saved.kind);
            auto made = std::static_pointer_cast<expr_base>(saved_kind(kind->second).make());
            fill(*made, saved, info_of(kind->second), saved_kind(kind->second));
            value(saved.fields["dtype"], made->dtype_);
            nodes_.push_back(std::move(made));
        } else {
            const auto kind = stmts_.find(saved.kind);
            if (kind == stmts_.end()) bad_save("there is no statement " + saved.kind);
            auto made = saved_kind(kind->second).make();
            fill(*made, saved, info_of(kind->second), saved_kind(kind->second));
            nodes_.push_back(std::move(made));
        }
    }

    void define(const std::string &number, std::map<std::string, std::string> &fields) {
        func_t f;
        value(number, f);
        if (!f) bad_save("there is no function " + number);
        value(fields["params"], f->params_);
        value(fields["body"], f->body_);
        value(fields["decl"], f->decl_);
        if (fields.count("attr:")) value(fields["attr:"], f->attr_);
    }

public:
    explicit line_reader_t(const tree_upgrade_t &upgrade) : upgrade_(upgrade) {
        for (int kind = 1; kind <= static_cast<int>(sc_expr_type::MAX_TYPE); kind++)
            exprs_[info_of(static_cast<sc_expr_type>(kind)).name] = static_cast<sc_expr_type>(kind);
        for (int kind = 1; kind <= static_cast<int>(sc_stmt_type::MAX_TYPE); kind++)
            stmts_[info_of(static_cast<sc_stmt_type>(kind)).name] = static_cast<sc_stmt_type>(kind);
    }

    void line(const std::string &text) {
        std::vector<std::string> words;
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find(' ', at), text.size());
            words.push_back(text.substr(at, end - at));
            at = end + 1;
        }
        if (words.size() < 2) bad_save("a line has two words or more");
        saved_node_t saved;
        saved.kind = words[1];
        for (std::size_t at = 2; at < words.size(); at++) {
            const std::size_t mark = words[at].find('=');
            if (mark == std::string::npos) bad_save("`" + words[at] + "` is no field");
            saved.fields[words[at].substr(0, mark)] = words[at].substr(mark + 1);
        }
        if (words[0] == "tree") {
            value(words[1], version_);
            if (version_ > tree_version) bad_save("a newer version wrote it: " + words[1]);
        } else if (words[0] == "expr" || words[0] == "stmt") {
            node(words[0], std::move(saved));
        } else if (words[0] == "func") {
            sc_data_type_t type;
            std::string name;
            value(words[1], name);
            value(saved.fields["dtype"], type);
            nodes_.push_back(std::make_shared<func_base>(name, std::vector<expr>(), stmt(), type));
        } else if (words[0] == "define") {
            define(words[1], saved.fields);
        } else if (words[0] == "root") {
            value(words[1], root_);
        } else {
            bad_save("`" + words[0] + "` begins no line");
        }
    }

    loaded_tree_t tree() const {
        loaded_tree_t tree;
        if (auto e = std::dynamic_pointer_cast<expr_base>(root_)) tree.e = expr(std::move(e));
        if (auto s = std::dynamic_pointer_cast<stmt_base_t>(root_)) tree.s = stmt(std::move(s));
        tree.f = func_t(std::dynamic_pointer_cast<func_base>(root_));
        return tree;
    }
};

} // namespace

std::string save_tree(const expr_c &e) {
    tree_writer_t writer;
    writer.walk(e);
    return writer.written(writer.text(e));
}
std::string save_tree(const stmt_c &s) {
    tree_writer_t writer;
    writer.walk(s);
    return writer.written(writer.text(s));
}
std::string save_tree(const func_c &f) {
    tree_writer_t writer;
    const std::string root = writer.function(f.get());
    return writer.written(root);
}
std::string save_tree_as_bytes(const expr_c &e) { return packText(save_tree(e)); }
std::string save_tree_as_bytes(const stmt_c &s) { return packText(save_tree(s)); }
std::string save_tree_as_bytes(const func_c &f) { return packText(save_tree(f)); }

loaded_tree_t load_tree(const std::string &saved, const tree_upgrade_t &upgrade) {
    std::string unpacked;
    if (isPacked(saved) && !unpackText(saved, unpacked)) bad_save("the bytes end too early, or are no tree");
    const std::string &text = isPacked(saved) ? unpacked : saved;
    line_reader_t reader(upgrade);
    std::size_t number = 1;
    for (std::size_t at = 0; at < text.size(); number++) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        try {
            reader.line(text.substr(at, end - at));
        } catch (const std::exception &error) {
            bad_save("line " + std::to_string(number) + ": " + error.what());
        }
        at = end + 1;
    }
    return reader.tree();
}

} // namespace torchgen_support
