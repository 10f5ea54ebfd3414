// Runs the generated self-test and all cases.
#include "check.h"

int runSelfTest();

int main() {
  failed() += runSelfTest();
  for (const Case &test : cases()) {
    test.run();
  }
  std::printf("%zu cases, %d failed\n", cases().size(), failed());
  return failed() == 0 ? 0 : 1;
}
