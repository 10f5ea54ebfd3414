// Base classes of somebody else, who has Glow's names, all in one header: what `--support PATH` asks
// for, and no more. Views of text and arrays, casts and operand kinds are those of IRKit.h.
#pragma once

#include <ostream>

#include "IRKit.h"

namespace small {
using hash_code = std::size_t;
using raw_ostream = std::ostream;
} // namespace small
namespace elsewhere = small;

#define IRKIT_HAS_NAMES
#include "theirs/builder.h"
