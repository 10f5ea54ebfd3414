"""C++ types and signatures of operators, one module for each convention."""
