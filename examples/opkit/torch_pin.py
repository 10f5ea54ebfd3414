"""Pins the minor version of torch that the library is compiled with; a shared library works with no other."""

from importlib.metadata import version


def dynamic_metadata(settings, project):
    major, minor = version("torch").split(".")[:2]
    return {"dependencies": [f"torch=={major}.{minor}.*"]}


def dynamic_wheel(settings):
    return {"dependencies": True}
