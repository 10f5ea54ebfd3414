// Times what is done with modules of any size: prints a line for each operation, with the processor's nanoseconds an instruction.
// Arguments: the shape as a number, and how many instructions.
#include "modules.h"
#include "times.h"

int main(int, char** arguments)
{
    sizes::Modules modules(std::strtoull(arguments[2], nullptr, 10), static_cast<sizes::Shape>(std::atoi(arguments[1])));
    return times::print(sizes::operations(), modules, modules.nodes);
}
