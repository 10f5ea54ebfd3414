"""The module of an author: only packages on the stable ABI have a generated one of its name."""
