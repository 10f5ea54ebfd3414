// The suites of the program: one for each file.
#pragma once

void building_suite();
void comparing_suite();
void visiting_suite();
void reflecting_suite();
void validating_suite();
void printing_suite();
void random_suite();
void names_suite();
void classes_suite();
