// The inserter, the parts with a body.
#include "builder_inserter.h"

#include <cstdint>
#include <iterator>

namespace torchgen_support::torchgen_builders {

namespace {

trace_hook& current_hook()
{
    static thread_local trace_hook hook;
    return hook;
}

/// The inserter of the running builder.
const inserter*& current_inserter()
{
    static thread_local const inserter* current = nullptr;
    return current;
}

} // namespace

unchanged_on_error::unchanged_on_error(module& target, instruction_ref place)
    : m(target), ins(place), first(target.begin()), size(target.size())
{
}

unchanged_on_error::~unchanged_on_error()
{
    if(kept || m.size() == size)
        return;
    // Constants were inserted at the start, all else immediately before the place. The last instruction is removed first, since
    // nothing uses it.
    std::size_t leading = 0;
    for(auto other = m.begin(); other != first; ++other)
        ++leading;
    const std::size_t added = m.size() - size;
    if(first != ins)
    {
        for(std::size_t i = added - leading; i > 0; --i)
            m.remove_instruction(std::prev(ins));
    }
    for(std::size_t i = leading; i > 0; --i)
        m.remove_instruction(std::prev(first));
}

trace_hook set_trace_hook(trace_hook hook)
{
    std::swap(current_hook(), hook);
    return hook;
}

inserter::inserter(module& target, instruction_ref place, const std::string& builder)
    : m(target), ins(place), own_name(builder), outer(current_inserter())
{
    current_inserter() = this;
}

inserter::~inserter() { current_inserter() = outer; }

std::string inserter::path() const { return outer == nullptr ? own_name : outer->path() + "/" + own_name; }

instruction_ref inserter::seen(instruction_ref made) const
{
    if(current_hook())
        current_hook()({path(), made});
    return made;
}

instruction_ref inserter::make(const std::string& op, std::vector<instruction_ref> inputs)
{
    return seen(m.insert_instruction(ins, make_op(op), std::move(inputs)));
}

instruction_ref inserter::make(const std::string& op,
                               std::vector<instruction_ref> inputs,
                               const value& attributes,
                               std::vector<module_ref> module_args)
{
    return seen(m.insert_instruction(ins, make_op(op, attributes), std::move(inputs), std::move(module_args)));
}

instruction_ref inserter::common(const std::string& op, std::vector<instruction_ref> inputs)
{
    return common_of(make_op(op), std::move(inputs));
}

instruction_ref inserter::common(const std::string& op, std::vector<instruction_ref> inputs, const value& attributes)
{
    return common_of(make_op(op, attributes), std::move(inputs));
}

instruction_ref inserter::common_of(const operation& op, std::vector<instruction_ref> inputs)
{
    const std::size_t before = m.size();
    const auto made          = torchgen_support::insert_common_op(m, ins, op, std::move(inputs));
    if(current_hook())
    {
        auto first = made;
        for(std::size_t i = m.size() - before; i > 1; --i)
            --first;
        for(; first != made; ++first)
            seen(first);
    }
    return seen(made);
}

std::vector<instruction_ref> inserter::build(const std::string& name,
                                             const std::vector<instruction_ref>& inputs,
                                             const value& options,
                                             const std::vector<module_ref>& module_args)
{
    return torchgen_builders::insert(name, m, ins, inputs, module_args, options);
}

instruction_ref inserter::constant(torchgen_support::literal content) { return seen(m.add_literal(std::move(content))); }

instruction_ref inserter::constant_here(torchgen_support::literal content)
{
    return seen(m.insert_literal(ins, std::move(content)));
}

void inserter::fail(const std::string& message) const
{
    refuse(own_name, message);
}

} // namespace torchgen_support::torchgen_builders
