// The registry of MIGraphX's op builders, with its names and parameters (ROCm/AMDMIGraphX @f729a52).
#pragma once

#include <functional>
#include <map>

#include <migraphx/declarations.hpp>

namespace migraphx {
inline namespace MIGRAPHX_INLINE_NS {
namespace op {
namespace builder {

using builder_func = std::function<std::vector<instruction_ref>(module& m,
                                                                instruction_ref ins,
                                                                const std::vector<instruction_ref>& args,
                                                                const std::vector<module_ref>& module_args,
                                                                const value& options)>;

inline std::map<std::string, builder_func>& registered()
{
    static std::map<std::string, builder_func> all;
    return all;
}
inline value get_default_options() { return value::object{}; }

inline std::vector<instruction_ref> insert(const std::string& name,
                                           module& m,
                                           instruction_ref ins,
                                           const std::vector<instruction_ref>& args,
                                           const std::vector<module_ref>& module_args,
                                           const value& options = get_default_options())
{
    return registered().at(name)(m, ins, args, module_args, options);
}
inline std::vector<instruction_ref> insert(const std::string& name,
                                           module& m,
                                           instruction_ref ins,
                                           const std::vector<instruction_ref>& args,
                                           const value& options = get_default_options())
{
    return insert(name, m, ins, args, {}, options);
}
inline std::vector<instruction_ref> add(const std::string& name,
                                        module& m,
                                        const std::vector<instruction_ref>& args,
                                        const std::vector<module_ref>& module_args,
                                        const value& options = get_default_options())
{
    return insert(name, m, m.end(), args, module_args, options);
}
inline std::vector<instruction_ref> add(const std::string& name,
                                        module& m,
                                        const std::vector<instruction_ref>& args,
                                        const value& options = get_default_options())
{
    return insert(name, m, m.end(), args, {}, options);
}

inline void refuse_modules(const std::vector<module_ref>& module_args)
{
    if(!module_args.empty())
        MIGRAPHX_THROW("Module args should be empty");
}

/// As upstream: a builder has one of four forms of `insert`.
template <class T>
auto invoke_builder(const std::string&, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>& mods, const value& options) -> decltype(T{}.insert(m, ins, args, mods))
{
    return from_value<T>(options).insert(m, ins, args, mods);
}
template <class T>
auto invoke_builder(const std::string&, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>& mods, const value& options) -> decltype(T{}.insert(m, ins, args))
{
    refuse_modules(mods);
    return from_value<T>(options).insert(m, ins, args);
}
template <class T>
auto invoke_builder(const std::string& name, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>& mods, const value& options) -> decltype(T{}.insert(name, m, ins, args, mods))
{
    return from_value<T>(options).insert(name, m, ins, args, mods);
}
template <class T>
auto invoke_builder(const std::string& name, module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                    const std::vector<module_ref>& mods, const value& options) -> decltype(T{}.insert(name, m, ins, args))
{
    refuse_modules(mods);
    return from_value<T>(options).insert(name, m, ins, args);
}

template <class T>
struct op_builder
{
    static std::vector<std::string> names() { return {}; }
    std::string name() const { return T::names().at(0); }

    private:
    static bool register_once()
    {
        int members = 0;
        T builder{};
        T::reflect(builder, [&](auto&, const std::string&) { return ++members; });
        for(const std::string& name : T::names())
        {
            registered()[name] = [name](module& m, instruction_ref ins, const std::vector<instruction_ref>& args,
                                        const std::vector<module_ref>& module_args, const value& options) {
                return invoke_builder<T>(name, m, ins, args, module_args, options);
            };
        }
        return true;
    }
    inline static const bool static_register = register_once();
    using forced = std::integral_constant<const bool*, &static_register>;

    public:
    template <class Self, class F>
    static auto reflect(Self&, F)
    {
        return pack();
    }
};

} // namespace builder
} // namespace op
} // namespace MIGRAPHX_INLINE_NS
} // namespace migraphx
