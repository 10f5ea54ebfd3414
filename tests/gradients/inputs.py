"""Arguments for operators of random libraries: the same for the same situation, new tensors for each call."""

import dataclasses
import zlib

import torch

DEFAULTS = {"Float": 0.5, "Int": 2, "SymInt": 2, "Bool": True, "Str": "two", "Ints": [2, 3], "SymInts": [3]}
OTHERS = {"Float": 0.7, "Int": 3, "SymInt": 4, "Bool": False, "Str": "other", "Ints": [3, 2], "SymInts": [2, 5]}
DEFAULTS |= {"Number": 0.5}
OTHERS |= {"Number": 2.5, "MaybeNumber": 3.5, "MaybeFloat": 1.5, "Dtype": torch.float64, "Device": torch.device("cpu")}


@dataclasses.dataclass(frozen=True)
class Situation:
    """How an operator is called."""

    name: str
    shape: tuple = (2, 3)
    layout: str = "contiguous"
    optional: bool = True
    defaults: bool = False


SITUATIONS = [
    Situation("plain"),
    Situation("absent", optional=False),
    Situation("defaults", defaults=True),
    Situation("transposed", layout="transposed"),
    Situation("strided", layout="strided", optional=False),
    Situation("empty", shape=(0, 3)),
]


def tensor(shape, layout, generator):
    def random(*shape):
        return torch.randn(*shape, dtype=torch.double, generator=generator)

    if layout == "transposed":
        return random(*reversed(shape)).permute(*reversed(range(len(shape))))
    if layout == "strided":
        return random(*shape, 2)[..., 1]
    return random(*shape)


class Arguments:
    """The values of one call, by the order of the schema, and its tensors that can have gradients."""

    def __init__(self, operator, situation, seed=0):
        text = f"{operator['name']} {situation.name} {seed}"
        generator = torch.Generator().manual_seed(zlib.crc32(text.encode()))
        self.operator = operator
        self.values, self.leaves, self.states, self.omitted = [], [], [], []
        for argument in operator["arguments"]:
            self.omitted.append(situation.defaults and argument["default"])
            self.values.append(self._value(argument["kind"], situation, generator, self.omitted[-1]))
            self.leaves += [one for one in self._tensors(argument["kind"], self.values[-1]) if one is not None]

    def _value(self, kind, situation, generator, omitted):
        shape, layout = situation.shape, situation.layout
        if kind == "Tensor":
            return tensor(shape, layout, generator)
        if kind == "Row":
            return tensor(shape[-1:], layout, generator)
        if kind == "MaybeTensor":
            return tensor(shape, layout, generator) if situation.optional and not omitted else None
        if kind == "Tensors":
            return [tensor(shape, layout, generator) for _ in range(1 + situation.optional)]
        if kind == "MaybeTensors":
            return [tensor(shape, layout, generator), None, tensor(shape, layout, generator)]
        if kind == "State":
            self.states.append(tensor(shape, layout, generator))
            return self.states[-1]
        if kind == "MaybeList":
            return [tensor(shape, layout, generator)] if situation.optional and not omitted else None
        if kind in ("MaybeFloat", "MaybeNumber") and (omitted or not situation.optional):
            return None
        return DEFAULTS[kind] if omitted else OTHERS[kind]

    @staticmethod
    def _tensors(kind, value):
        if kind in ("Tensors", "MaybeTensors"):
            return value
        return [value] if kind in ("Tensor", "Row", "MaybeTensor") else []

    def given(self, differentiable):
        """Which outputs require gradients: one that is None does not."""
        if self.operator["form"] != "Maybe":
            return differentiable
        first, second, *rest = differentiable
        place = [argument["id"] for argument in self.operator["arguments"]].index(self.operator["decides"])
        value = self.values[place]
        return [first, second and (value is not None and value is not False), *rest]

    def replaced(self, leaves):
        """The values with other tensors in place of the leaves."""
        leaves = iter(leaves)
        new = []
        for argument, value in zip(self.operator["arguments"], self.values):
            kind = argument["kind"]
            if kind in ("Tensors", "MaybeTensors"):
                new.append([None if one is None else next(leaves) for one in value])
            else:
                new.append(next(leaves) if self._tensors(kind, value) and value is not None else value)
        return new

    def call(self, function, values, names=None, **more):
        """Calls an operator. What follows an argument that is not passed is passed by keyword."""
        positional, keywords = [], dict(more)
        by_name = False
        names = names or [argument["name"] for argument in self.operator["arguments"]]
        for argument, name, value, omitted in zip(self.operator["arguments"], names, values, self.omitted):
            by_name |= omitted or argument["keyword"]
            if omitted:
                continue
            if by_name:
                keywords[name] = value
            else:
                positional.append(value)
        return function(*positional, **keywords)
