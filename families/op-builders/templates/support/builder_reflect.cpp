// torchgen_comment
#include "builder_reflect.h"

#include <unordered_set>
#include <utility>

namespace torchgen_support {

const value& attribute_of(instruction_ref ins, const std::string& key)
{
    const value& all = ins->op.to_value();
    if(const value* found = all.find(key))
        return *found;
    throw exception(ins->name() + " has no attribute '" + key + "'" + did_you_mean(key, all.keys()));
}

void set_attribute(instruction_ref ins, const std::string& key, const value& x)
{
    attribute_of(ins, key);
    value all = ins->op.to_value();
    all.insert(value(key, x));
    operation changed(ins->name(), all);
    const shape result = result_shape(changed, ins->arguments, ins->modules);
    if(result != ins->result)
        throw exception(ins->name() + ": with " + key + " = " + to_string(x) + " its shape would be " + to_string(result) +
                        ", not " + to_string(ins->result) + "; insert another instruction");
    ins->op = std::move(changed);
}

use_table::use_table(module& m)
{
    for(const module_ref inside : modules_in(m))
    {
        for(auto ins = inside->begin(); ins != inside->end(); ++ins)
        {
            for(std::size_t i = 0; i < ins->arguments.size(); ++i)
                places[&*ins->arguments[i]].push_back({ins, i});
        }
    }
}

const std::vector<use>& use_table::uses_of(instruction_ref ins) const
{
    static const std::vector<use> none;
    const auto found = places.find(&*ins);
    return found == places.end() ? none : found->second;
}

std::vector<module_ref> modules_in(module& m)
{
    std::vector<module_ref> all{&m};
    std::unordered_set<module_ref> seen{&m};
    for(std::size_t i = 0; i < all.size(); ++i)
    {
        for(const instruction& ins : *all[i])
        {
            for(const module_ref inner : ins.modules)
            {
                if(inner != nullptr && seen.insert(inner).second)
                    all.push_back(inner);
            }
        }
    }
    return all;
}

void walk(instruction_ref root,
          const std::function<void(instruction_ref)>& before,
          const std::function<void(instruction_ref)>& after)
{
    struct place
    {
        instruction_ref ins;
        std::size_t next = 0;
    };
    std::vector<place> open;
    std::unordered_set<const instruction*> seen;
    const auto enter = [&](instruction_ref ins) {
        if(!seen.insert(&*ins).second)
            return;
        if(before)
            before(ins);
        open.push_back({ins});
    };
    enter(root);
    while(!open.empty())
    {
        place& last = open.back();
        if(last.next < last.ins->arguments.size())
        {
            enter(last.ins->arguments[last.next++]);
            continue;
        }
        const instruction_ref done = last.ins;
        open.pop_back();
        if(after)
            after(done);
    }
}

void set_location(instruction_ref ins, source_location location)
{
    ins->location = std::make_shared<const source_location>(std::move(location));
}

const source_location* location_of(instruction_ref ins) { return ins->location.get(); }

} // namespace torchgen_support
