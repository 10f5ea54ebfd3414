"""The module of an author."""
