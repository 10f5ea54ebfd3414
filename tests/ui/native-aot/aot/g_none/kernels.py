# No declaration.
