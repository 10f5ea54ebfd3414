// Counts, before `main` begins, the steps of what is done with modules.
#include "modules.h"
#include "steps.h"

#include <cstdlib>

[[maybe_unused]] static const bool good =
    steps::grow_with_nodes<sizes::Modules>(sizes::operations()) || (std::exit(EXIT_FAILURE), false);
