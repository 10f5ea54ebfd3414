// What a program calls to write and read modules.
#pragma once

#include <functional>
#include <list>
#include <string>

#include "../builder_reflect.h"

namespace torchgen_support {

/// An instruction as it is written.
struct saved_instruction
{
    std::string name;
    value attributes = value::object{};
};

/// Makes an instruction of an older version one of this version, before it is inserted; false if it cannot.
using module_upgrade = std::function<bool(saved_instruction& ins, unsigned version)>;

/// Thrown for text that is no module, and for a module that cannot be written.
struct bad_saved_module : exception
{
    using exception::exception;
};

/// Writes a module, and the modules that its instructions have, as text: instructions with their attributes, inputs and
/// locations, parameters with their shapes, literals with their bits. Shapes of results are found again.
std::string save_module(module& m);
/// The same as bytes: each word once.
std::string save_module_as_bytes(module& m);

/// What was read: the module, then those that instructions have.
struct loaded_modules
{
    std::list<module> all;
    module& main() { return all.front(); }
};

/// Reads what was written. `upgrade` is called for each instruction of an older version; what a newer version wrote is refused.
loaded_modules load_module(const std::string& saved, const module_upgrade& upgrade = nullptr);

} // namespace torchgen_support
