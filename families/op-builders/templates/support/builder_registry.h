// torchgen_comment
// The registry of builders: the base class that registers them, and the functions that find them by name.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "builder_common.h"

namespace torchgen_support {

namespace torchgen_builders {

using builder_func = std::function<std::vector<instruction_ref>(module& m,
                                                                instruction_ref ins,
                                                                const std::vector<instruction_ref>& args,
                                                                const std::vector<module_ref>& module_args,
                                                                const value& options)>;
using to_value_func = std::function<value()>;

/// The registry entry of a builder.
struct op_builder_if
{
    builder_func bld_func;
    to_value_func to_val_func;
};

/// Adds a builder. Throws if the name is already registered.
void register_builder(const std::string& name, op_builder_if opb_if);

bool has_op_builder(const std::string& name);
/// The names of all builders, sorted.
std::vector<std::string> get_op_builder_names();
/// The options of a builder, or the attributes of a primitive operator, with their defaults.
value get_op_builder_value(const std::string& name);

/// No options.
inline value get_default_options() { return value::object{}; }

/// Runs the builder or the primitive operator of that name, and inserts its instructions immediately before `ins`. If it throws, the
/// module is unchanged.
std::vector<instruction_ref> insert(const std::string& name,
                                    module& m,
                                    instruction_ref ins,
                                    const std::vector<instruction_ref>& args,
                                    const value& options = get_default_options());
std::vector<instruction_ref> insert(const std::string& name,
                                    module& m,
                                    instruction_ref ins,
                                    const std::vector<instruction_ref>& args,
                                    const std::vector<module_ref>& module_args,
                                    const value& options = get_default_options());
/// The same at the end of the module.
std::vector<instruction_ref> add(const std::string& name,
                                 module& m,
                                 const std::vector<instruction_ref>& args,
                                 const value& options = get_default_options());
std::vector<instruction_ref> add(const std::string& name,
                                 module& m,
                                 const std::vector<instruction_ref>& args,
                                 const std::vector<module_ref>& module_args,
                                 const value& options = get_default_options());

/// Inserts the operator of that name before `ins`, on inputs with a common shape and type.
template <class... Inputs>
instruction_ref insert_common_op(module& m, instruction_ref ins, const std::string& op_name, Inputs... inputs)
{
    return torchgen_support::insert_common_op(m, ins, make_op(op_name), {inputs...});
}

namespace detail {

/// Throws if the options have a key that the builder does not have.
void check_keys(const std::string& name, const value& options, const std::vector<std::string>& keys);

/// The keys of a builder's options.
template <class T>
const std::vector<std::string>& option_keys()
{
    static const std::vector<std::string> keys = to_value(T{}).keys();
    return keys;
}
[[noreturn]] void refuse_modules(const std::string& name);

template <class T, class = void>
struct takes_modules : std::false_type
{
};
template <class T>
struct takes_modules<T,
                     std::void_t<decltype(std::declval<T&>().insert(std::declval<module&>(),
                                                                    std::declval<instruction_ref>(),
                                                                    std::declval<const std::vector<instruction_ref>&>(),
                                                                    std::declval<const std::vector<module_ref>&>()))>>
    : std::true_type
{
};
template <class T, class = void>
struct takes_name_and_modules : std::false_type
{
};
template <class T>
struct takes_name_and_modules<
    T,
    std::void_t<decltype(std::declval<T&>().insert(std::declval<const std::string&>(),
                                                   std::declval<module&>(),
                                                   std::declval<instruction_ref>(),
                                                   std::declval<const std::vector<instruction_ref>&>(),
                                                   std::declval<const std::vector<module_ref>&>()))>> : std::true_type
{
};
template <class T, class = void>
struct takes_name : std::false_type
{
};
template <class T>
struct takes_name<T,
                  std::void_t<decltype(std::declval<T&>().insert(std::declval<const std::string&>(),
                                                                 std::declval<module&>(),
                                                                 std::declval<instruction_ref>(),
                                                                 std::declval<const std::vector<instruction_ref>&>()))>>
    : std::true_type
{
};

template <class T, class = void>
struct has_required : std::false_type
{
};
template <class T>
struct has_required<T, std::void_t<decltype(T::required())>> : std::true_type
{
};
/// Throws if the options lack one of these keys.
void check_required(const std::string& name, const value& options, const std::vector<std::string>& keys);

/// The name of a type, without namespaces.
std::string short_name(const std::string& pretty);

template <class T>
std::string type_name()
{
#if defined(_MSC_VER) && !defined(__clang__)
    return short_name(__FUNCSIG__);
#else
    return short_name(__PRETTY_FUNCTION__);
#endif
}

} // namespace detail

/// Creates a builder from the options and runs it.
template <class T>
std::vector<instruction_ref> invoke_builder(const std::string& name,
                                            module& m,
                                            instruction_ref ins,
                                            const std::vector<instruction_ref>& args,
                                            const std::vector<module_ref>& module_args,
                                            const value& options)
{
    constexpr bool with_modules = detail::takes_modules<T>::value || detail::takes_name_and_modules<T>::value;
    if constexpr(!with_modules)
    {
        if(!module_args.empty())
            detail::refuse_modules(name);
    }
    detail::check_keys(name, options, detail::option_keys<T>());
    if constexpr(detail::has_required<T>::value)
        detail::check_required(name, options, T::required());
    T builder{};
    try
    {
        builder = from_value<T>(options);
    }
    catch(const exception& error)
    {
        throw exception(name + " op_builder: " + error.what());
    }
    if constexpr(detail::takes_name_and_modules<T>::value)
        return builder.insert(name, m, ins, args, module_args);
    else if constexpr(detail::takes_name<T>::value)
        return builder.insert(name, m, ins, args);
    else if constexpr(detail::takes_modules<T>::value)
        return builder.insert(m, ins, args, module_args);
    else
        return builder.insert(m, ins, args);
}

template <class T>
void register_builder()
{
    for(const std::string& name : T::names())
    {
        op_builder_if entry;
        entry.bld_func = [name](module& m,
                                instruction_ref ins,
                                const std::vector<instruction_ref>& args,
                                const std::vector<module_ref>& module_args,
                                const value& options) {
            return invoke_builder<T>(name, m, ins, args, module_args, options);
        };
        entry.to_val_func = [] { return to_value(T{}); };
        register_builder(name, std::move(entry));
    }
}

/// The base class of all builders: `struct my_op : op_builder<my_op>` with a function `insert` registers itself under the name of
/// the class. A class with another name redefines `name()`, and one with several `names()`, as static functions.
template <class T>
struct op_builder
{
    static std::vector<std::string> names() { return {T::name()}; }
    static std::string name()
    {
        if constexpr(&T::names == &op_builder::names)
            return detail::type_name<T>();
        else
            return T::names().at(0);
    }

    private:
    static bool register_once()
    {
        register_builder<T>();
        return true;
    }
    inline static const bool registered = register_once();
    using forced = std::integral_constant<const bool*, &registered>;
};

} // namespace torchgen_builders

} // namespace torchgen_support
