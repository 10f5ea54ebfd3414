// Runs the generated self-tests and all cases.
#include "check.h"

int runSelfTest();
int runRulesTest(unsigned tries);

int main() {
  failed() += runSelfTest() + runRulesTest(50);
  for (const Case &test : cases()) {
    test.run();
  }
  std::printf("%zu cases, %d failed\n", cases().size(), failed());
  return failed() == 0 ? 0 : 1;
}
