int helper(int);
namespace shop::native { int shared(int x); }
