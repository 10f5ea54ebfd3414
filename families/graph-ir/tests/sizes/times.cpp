// Times what is done with graphs of any size: prints a line for each operation, with the processor's
// nanoseconds a node. Arguments: the shape as a number, and how many nodes.
#include "graphs.h"
#include "times.h"

int main(int, char **arguments) {
  sizes::Graph graph(std::strtoull(arguments[2], nullptr, 10), static_cast<sizes::Shape>(std::atoi(arguments[1])));
  return times::print(sizes::operations(), graph, graph.nodes);
}
