// Counts the steps of operations on trees and graphs of several sizes: how often a block of code is
// entered. Include it in one source of a program that is compiled with -fsanitize-coverage=trace-pc.
//
// So a walk of a list that grew in the code of the family, or in that of the standard library's
// headers, is counted wherever it is. The stack is small: what calls itself for each level fails.
#pragma once

#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace steps {

inline std::uint64_t count = 0;

/// Whether no operation takes more steps a node in large trees than in small ones, but for 5 %.
///
/// The second size finds in seconds what would take hours in the last. All of them are at the same
/// place between two sizes of hash tables, so that these take as much of a node's steps; the small
/// trees count that have more collisions in them. In the smallest, more levels are few enough to be
/// done by calls.
template <typename State, typename Operation>
bool grow_with_nodes(const std::vector<Operation> &operations) {
    const rlimit small = {512 * 1024, 512 * 1024};
    setrlimit(RLIMIT_STACK, &small);
    std::vector<double> few;
    bool good = true;
    for (std::size_t nodes : {1400, 24700, 100000}) {
        State state(nodes);
        for (std::size_t i = 0; good && i < operations.size(); ++i) {
            const std::uint64_t before = count;
            operations[i].run(state);
            const double each = static_cast<double>(count - before) / static_cast<double>(nodes);
            const bool is_large = nodes == 100000;
            if (few.size() < operations.size()) {
                few.push_back(each);
            } else if (each > few[i] * (is_large ? 1.05 : 1.3)) {
                good = false;
                std::printf("%s: %.1f steps a node for %zu nodes, but %.1f for a few\n", operations[i].name, each, nodes,
                            few[i]);
            } else if (!is_large && each > few[i]) {
                few[i] = each;
            }
        }
    }
    return good;
}

} // namespace steps

#if defined(__clang__)
#define STEPS_UNCOUNTED __attribute__((no_sanitize("coverage")))
#else
#define STEPS_UNCOUNTED __attribute__((no_sanitize_coverage))
#endif
extern "C" STEPS_UNCOUNTED void __sanitizer_cov_trace_pc() { ++steps::count; }
