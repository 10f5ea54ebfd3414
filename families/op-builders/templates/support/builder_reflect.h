// torchgen_comment
// Instructions of any operator: their attributes, where they are used, walks, and where they come from.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "builder_module.h"

namespace torchgen_support {

/// An attribute; `to_value().items()` of the operation has all of them by number. Throws if there is none of that key.
const value& attribute_of(instruction_ref ins, const std::string& key);
/// Sets an attribute. Throws, and changes nothing, if there is none of that key, or if the shape of the result would be another.
void set_attribute(instruction_ref ins, const std::string& key, const value& x);

/// A place where an instruction is an input.
struct use
{
    instruction_ref user;
    std::size_t input = 0;
};

/// The uses of the instructions of a module, and of the modules in it. It is a table beside the module: what is changed later is not in it.
class use_table
{
    public:
    explicit use_table(module& m);
    const std::vector<use>& uses_of(instruction_ref ins) const;

    private:
    std::unordered_map<const instruction*, std::vector<use>> places;
};

/// The modules that instructions of a module have, and those of these, each once; the module itself is the first.
std::vector<module_ref> modules_in(module& m);

/// Calls functions before and after the inputs of an instruction, and so on for these, each once. Chains may have any length.
void walk(instruction_ref root,
          const std::function<void(instruction_ref)>& before,
          const std::function<void(instruction_ref)>& after = nullptr);

/// Says where an instruction comes from. Copies have the same place, and comparing leaves it out.
void set_location(instruction_ref ins, source_location location);
/// Null if nobody said so.
const source_location* location_of(instruction_ref ins);

} // namespace torchgen_support
