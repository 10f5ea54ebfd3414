"""Pins the minor version of torch that the library is compiled with. It does not work with another one."""

from importlib.metadata import version


def dynamic_metadata(settings, project):
    major, minor = version("torch").split(".")[:2]
    return {"dependencies": [f"torch=={major}.{minor}.*"]}


def dynamic_wheel(settings):
    return {"dependencies": True}
