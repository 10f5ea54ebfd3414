// torchgen_comment
#include "builder_registry.h"

#include <algorithm>
#include <map>

#include "builder_inserter.h"
// Every builder registers itself if its header is included.
#include "op_builders.h"

namespace torchgen_support {

namespace torchgen_builders {

namespace {

std::map<std::string, op_builder_if>& builder_map()
{
    static std::map<std::string, op_builder_if> builders;
    return builders;
}

} // namespace

void register_builder(const std::string& name, op_builder_if opb_if)
{
    if(!builder_map().emplace(name, std::move(opb_if)).second)
        throw exception("there are two builders named '" + name + "'");
}

bool has_op_builder(const std::string& name) { return builder_map().count(name) == 1; }

std::vector<std::string> get_op_builder_names()
{
    std::vector<std::string> names;
    for(const auto& entry : builder_map())
        names.push_back(entry.first);
    return names;
}

value get_op_builder_value(const std::string& name)
{
    const auto found = builder_map().find(name);
    if(found != builder_map().end())
        return found->second.to_val_func();
    if(has_op(name))
        return make_op(name).to_value();
    throw exception("there is no op_builder '" + name + "'" + did_you_mean(name, get_op_builder_names()));
}

std::vector<instruction_ref> insert(const std::string& name,
                                    module& m,
                                    instruction_ref ins,
                                    const std::vector<instruction_ref>& args,
                                    const std::vector<module_ref>& module_args,
                                    const value& options)
{
    const unchanged_on_error guard(m, ins);
    const auto found = builder_map().find(name);
    if(found != builder_map().end())
    {
        const auto results = found->second.bld_func(m, ins, args, module_args, options);
        guard.keep();
        return results;
    }
    if(!has_op(name))
        throw exception("there is no op_builder and no operator '" + name + "'" +
                        did_you_mean(name, get_op_builder_names()));
    const auto made = m.insert_instruction(ins, make_op(name, options), args, module_args);
    guard.keep();
    return {made};
}

std::vector<instruction_ref> insert(const std::string& name,
                                    module& m,
                                    instruction_ref ins,
                                    const std::vector<instruction_ref>& args,
                                    const value& options)
{
    return insert(name, m, ins, args, std::vector<module_ref>{}, options);
}

std::vector<instruction_ref> add(const std::string& name,
                                 module& m,
                                 const std::vector<instruction_ref>& args,
                                 const value& options)
{
    return insert(name, m, m.end(), args, std::vector<module_ref>{}, options);
}

std::vector<instruction_ref> add(const std::string& name,
                                 module& m,
                                 const std::vector<instruction_ref>& args,
                                 const std::vector<module_ref>& module_args,
                                 const value& options)
{
    return insert(name, m, m.end(), args, module_args, options);
}

namespace detail {

void check_keys(const std::string& name, const value& options, const std::vector<std::string>& keys)
{
    if(!options.is_null() && !options.is_object() && !options.empty())
        throw exception(name + " op_builder: options must be a map, not " + to_string(options));
    for(const value& entry : options)
    {
        if(std::find(keys.begin(), keys.end(), entry.get_key()) != keys.end())
            continue;
        std::string all;
        for(const std::string& key : keys)
            all += (all.empty() ? "" : ", ") + key;
        const std::string close = did_you_mean(entry.get_key(), keys);
        throw exception(name + " op_builder: there is no option '" + entry.get_key() + "'" +
                        (!close.empty() ? close
                         : all.empty()  ? ": it takes no options"
                                        : ": the options are " + all));
    }
}

void check_required(const std::string& name, const value& options, const std::vector<std::string>& keys)
{
    for(const std::string& key : keys)
    {
        if(!options.contains(key))
            throw exception(name + " op_builder: the option '" + key + "' is required");
    }
}

void refuse_modules(const std::string& name)
{
    throw exception(name + " op_builder: Module args should be empty");
}

std::string short_name(const std::string& pretty)
{
    // GCC and Clang write `[with T = a::b]` or `[T = a::b]`, and GCC appends more after a semicolon.
    const std::size_t begin = pretty.rfind("T = ");
    std::string name        = begin == std::string::npos ? pretty : pretty.substr(begin + 4);
    name                    = name.substr(0, name.find_first_of(";]"));
    const std::size_t colon = name.rfind("::");
    return colon == std::string::npos ? name : name.substr(colon + 2);
}

} // namespace detail

} // namespace torchgen_builders

} // namespace torchgen_support
