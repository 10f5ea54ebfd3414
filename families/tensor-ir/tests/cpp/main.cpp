// Runs all suites.
#include "check.h"
#include "suites.h"

int main() {
    building_suite();
    comparing_suite();
    visiting_suite();
    reflecting_suite();
    validating_suite();
    printing_suite();
    random_suite();
    names_suite();
    classes_suite();
    std::printf("%d failed\n", failures());
    return failures() == 0 ? 0 : 1;
}
