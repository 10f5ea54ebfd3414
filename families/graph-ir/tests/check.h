// A test framework in a page: cases register themselves, expectations count.
#pragma once

#include "IRSupport.h"

#include <cstdio>
#include <functional>
#include <sstream>
#include <vector>

struct Case {
  const char *name;
  void (*run)();
};

inline std::vector<Case> &cases() {
  static std::vector<Case> list;
  return list;
}

inline int &failed() {
  static int count = 0;
  return count;
}

struct Register {
  Register(const char *name, void (*run)()) { cases().push_back({name, run}); }
};

#define TEST_CASE(NAME)                                                                            \
  static void NAME();                                                                              \
  static Register register_##NAME(#NAME, NAME);                                                    \
  static void NAME()

#define EXPECT(CONDITION)                                                                          \
  do {                                                                                             \
    if (!(CONDITION)) {                                                                            \
      ++failed();                                                                                  \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #CONDITION);                         \
    }                                                                                              \
  } while (false)

#define EXPECT_THROWS(EXCEPTION, EXPRESSION)                                                       \
  do {                                                                                             \
    bool thrown = false;                                                                           \
    try {                                                                                          \
      (void)(EXPRESSION);                                                                          \
    } catch (const EXCEPTION &) {                                                                  \
      thrown = true;                                                                               \
    }                                                                                              \
    EXPECT(thrown && #EXPRESSION);                                                                 \
  } while (false)
