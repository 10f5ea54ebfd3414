"""What the package requires of torch: the minor version that the library is compiled with, since a shared library fits that one only."""

from importlib.metadata import version


def dynamic_metadata(settings, project):
    major, minor = version("torch").split(".")[:2]
    return {"dependencies": [f"torch=={major}.{minor}.*"]}


def dynamic_wheel(settings):
    return {"dependencies": True}
