// What somebody else writes by hand, and uses.
#include "builder.h"

#include <cstdio>

namespace small {

static unsigned verified = 0;

bool ReluNode::verify() const { return getName() == "valid"; }
bool ScaleNode::verify() const { return true; }
bool ScaleGradNode::verify() const { return true; }
void TopKInst::verify() const { ++verified; }
dim_t TopKInst::getPairsSize() const { return 40 + static_cast<dim_t>(getAxes().size()); }

} // namespace small

using namespace small;

template <typename T, typename = void> struct HasConstVisit : std::false_type {};
template <typename T>
struct HasConstVisit<
    T, std::void_t<decltype(std::declval<const T &>().visit(static_cast<const T *>(nullptr), static_cast<NodeWalker *>(nullptr)))>>
    : std::true_type {};
static_assert(std::is_same_v<AnyNode<Node, ReluNode>, ReluNode>, "the base class does not know the inputs");
static_assert(!HasConstVisit<ReluNode>::value, "the base class does not define it");

int main() {
  Type type{{2, 3}};
  ReluNode relu("valid", &type, NodeValue()), other("other", &type, NodeValue(&relu, 0));
  Diagnostics wrong;
  other.verify(wrong);
  Value value("v", Kinded::Kind::ReluInstKind, &type), result("r", Kinded::Kind::ReluInstKind, &type);
  Value pairs("p", Kinded::Kind::ReluInstKind, &type);
  TopKInst topK("top", &result, &value, &pairs, &type, {1, 2}, {&type});
  Diagnostics none;
  topK.verify();
  topK.verify(none);
  elsewhere::raw_ostream os;
  topK.dump(os);
  std::printf("%s\n%u verified, %d for pairs, %u inputs\n%s%s", os.text.c_str(), verified,
              static_cast<int>(topK.getPairsSize()), countInputs(other), wrong.str().c_str(), none.str().c_str());
}
