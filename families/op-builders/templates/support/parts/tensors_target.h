// What the functions of bodies on tensors need of the target. Templates define it.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>

#include "builder_inserter.h"

namespace torchgen_support::torchgen_builders::expr {

void append_text(std::ostream& os, shape::type_t type);
/// Throws that a type does not have a number, or does nothing if the target converts it.
void misfit(const std::string& what);
/// Adds an attribute or an option. A missing value keeps the default.
void append_entry(value& to, const std::pair<const char*, value>& entry);

} // namespace torchgen_support::torchgen_builders::expr
