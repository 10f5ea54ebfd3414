// The inserter.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../builder_registry.h"

namespace torchgen_support::torchgen_builders {

/// Removes the instructions inserted before a place, except those to keep.
class unchanged_on_error
{
    public:
    unchanged_on_error(module& target, instruction_ref place);
    ~unchanged_on_error();
    unchanged_on_error(const unchanged_on_error&)            = delete;
    unchanged_on_error& operator=(const unchanged_on_error&) = delete;
    void keep() const { kept = true; }

    private:
    module& m;
    instruction_ref ins;
    instruction_ref first;
    std::size_t size;
    mutable bool kept = false;
};

/// An instruction that a builder inserted.
struct trace_event
{
    /// The running builders, outermost first, separated by slashes.
    std::string builder;
    instruction_ref instruction;
};
using trace_hook = std::function<void(const trace_event&)>;

/// Sets a function to be called for every inserted instruction, or none if it is empty. Returns the previous one.
trace_hook set_trace_hook(trace_hook hook);

/// Inserts instructions immediately before a place, in order.
class inserter
{
    public:
    /// `builder` must outlive the inserter.
    inserter(module& target, instruction_ref place, const std::string& builder);
    ~inserter();
    inserter(const inserter&)            = delete;
    inserter& operator=(const inserter&) = delete;

    /// Inserts the operation on these inputs as they are.
    instruction_ref make(const std::string& op, std::vector<instruction_ref> inputs);
    instruction_ref make(const std::string& op,
                         std::vector<instruction_ref> inputs,
                         const value& attributes,
                         std::vector<module_ref> module_args = std::vector<module_ref>{});
    /// Inserts the operation on these inputs, broadcast to a common shape and converted to a common type.
    instruction_ref common(const std::string& op, std::vector<instruction_ref> inputs);
    instruction_ref common(const std::string& op, std::vector<instruction_ref> inputs, const value& attributes);
    /// Runs another builder on these inputs.
    std::vector<instruction_ref> build(const std::string& name,
                                       const std::vector<instruction_ref>& inputs,
                                       const value& options                       = value::object{},
                                       const std::vector<module_ref>& module_args = std::vector<module_ref>{});
    /// Inserts a constant at the start of the module.
    instruction_ref constant(torchgen_support::literal content);
    /// Inserts a constant at the place.
    instruction_ref constant_here(torchgen_support::literal content);

    /// Throws an error that names the builder.
    [[noreturn]] void fail(const std::string& message) const;
    const std::string& builder() const { return own_name; }

    private:
    instruction_ref seen(instruction_ref made) const;
    instruction_ref common_of(const operation& op, std::vector<instruction_ref> inputs);
    std::string path() const;

    module& m;
    instruction_ref ins;
    const std::string& own_name;
    /// The inserter of the calling builder.
    const inserter* outer;
};

/// Throws an error that names the builder.
[[noreturn]] void refuse(const std::string& name, const std::string& what);
/// Whether an error names the builder.
bool names_builder(const exception& error, const std::string& name);

/// Runs the body of a builder at a place. If it throws, the module is unchanged, and the error names the builder.
template <class Body>
std::vector<instruction_ref> run_builder(const std::string& name, module& m, instruction_ref ins, Body body)
{
    const unchanged_on_error guard(m, ins);
    inserter at(m, ins, name);
    try
    {
        auto results = body(at);
        guard.keep();
        return results;
    }
    catch(const exception& error)
    {
        if(names_builder(error, name))
            throw;
        refuse(name, error.what());
    }
    catch(const std::exception& error)
    {
        refuse(name, error.what());
    }
}

/// The inputs of a builder: the minimum, the maximum, and their names for messages.
struct arity
{
    std::size_t least;
    std::size_t most;
    std::vector<const char*> names;
};

/// Throws if the builder does not take this number of inputs.
void check_arity(const std::string& name, const std::vector<instruction_ref>& args, const arity& wanted);
/// Throws if the builder does not take this number of modules.
void check_modules(const std::string& name, const std::vector<module_ref>& module_args, std::size_t least, std::size_t most);

} // namespace torchgen_support::torchgen_builders
