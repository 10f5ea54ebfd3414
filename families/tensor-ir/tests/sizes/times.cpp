// Times what is done with trees of any size: prints a line for each operation, with the processor's
// nanoseconds a node. Arguments: the shape as a number, and how many nodes.
#include "trees.h"
#include "times.h"

int main(int, char **arguments) {
    const std::size_t nodes = std::strtoull(arguments[2], nullptr, 10);
    sizes::Trees trees(sizes::Tree(nodes, static_cast<sizes::Shape>(std::atoi(arguments[1]))));
    return times::print(sizes::operations(), trees, nodes);
}
