"""What the classes of the model have in common."""

from __future__ import annotations

from .. import _torchgen_rs

TYPE_CHECKING = False


class View:
    """An object whose fields may be those of the program's model.

    It gets them when one is first asked for, so that reading thousands of operators makes none of
    their parts. The slot is what the object is a view of; an object made in Python has no value in
    it. Equality, hashes and ``repr`` are those of a data class, by its fields.
    """

    __slots__ = ("_rust",)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if name in type(self).__dataclass_fields__ and hasattr(self, "_rust"):
                _torchgen_rs.fill(self)
                if name in self.__dict__:
                    return self.__dict__[name]
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

        def __getstate__(self):
            for name in type(self).__dataclass_fields__:
                getattr(self, name)
            return self.__dict__.copy()
