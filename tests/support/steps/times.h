// Times operations on trees and graphs, and counts the memory that they leave. Include it in one
// source of a program.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <vector>

namespace times {

inline std::size_t live = 0;

/// Prints a line for each operation: its name, the processor's nanoseconds a node, and the bytes a
/// node that it leaves allocated, less than none where it frees.
template <typename State, typename Operation>
int print(const std::vector<Operation> &operations, State &state, std::size_t nodes) {
    for (const Operation &operation : operations) {
        const std::size_t before = live;
        const std::clock_t start = std::clock();
        operation.run(state);
        const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        const double bytes = static_cast<double>(live) - static_cast<double>(before);
        std::printf("%s\t%.1f\t%.1f\n", operation.name, seconds * 1e9 / static_cast<double>(nodes),
            bytes / static_cast<double>(nodes));
        std::fflush(stdout);
    }
    return 0;
}

} // namespace times

void *operator new(std::size_t size) {
    void *memory = std::malloc(size);
    if (!memory) throw std::bad_alloc();
    times::live += malloc_usable_size(memory) + sizeof(std::size_t);
    return memory;
}
void operator delete(void *memory) noexcept {
    if (memory) times::live -= malloc_usable_size(memory) + sizeof(std::size_t);
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept { operator delete(memory); }
