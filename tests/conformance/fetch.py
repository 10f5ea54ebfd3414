"""Fetches the pinned wheel and the two Python packages that the reference needs into a directory.

    python3 fetch.py DIR all|torchgen NAME==VERSION FILE SHA256 [REQUIREMENT ...]

Leaves DIR/wheel/FILE and DIR/unpacked-<first 12 digits of the digest>, with the parts of the wheel that the suite uses (`torchgen`: that it uses of an older version) and the requirements in
`site`. The directory appears by one rename, complete or not at all, so that parallel runs cannot see half of it.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

ALL = (
    "torchgen/",
    "torch/_native/ops/",
    "torch/include/ATen/",
    "torch/include/torch/csrc/autograd/generated/",
    "torch/include/torch/csrc/inductor/aoti_torch/generated/",
    "torch/include/torch/headeronly/core/enum_tag.h",
    "torch/_C/_VariableFunctions.pyi",
    "torch/_C/_nn.pyi",
    "torch/_C/__init__.pyi",
    "torch/_VF.pyi",
    "torch/return_types.pyi",
    "torch/nn/functional.pyi",
    "torch/_torch_docs.py",
    "torch/_tensor_docs.py",
    "torch/include/torch/csrc/lazy/",
)


TORCHGEN = (
    "torchgen/",
    "torch/include/torch/csrc/inductor/aoti_torch/generated/",
    "torch/include/torch/csrc/lazy/",
)


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"`{' '.join(command)}` failed:\n{done.stdout}")


def digest(path: str) -> str:
    hasher = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            hasher.update(chunk)
    return hasher.hexdigest()


def download(into: str, pin: str, name: str, sha256: str) -> str:
    """The path of the verified wheel; a file that fails the check is removed and the run ends."""
    path = os.path.join(into, name)
    if not os.path.exists(path):
        os.makedirs(into, exist_ok=True)
        scratch = tempfile.mkdtemp(dir=into)
        try:
            _, python, abi, platform = name.removesuffix(".whl").rsplit("-", 3)
            # One wheel for every host: only its pure Python is executed.
            pip("download", pin, "--no-deps", "--only-binary=:all:", "--implementation", "cp", "--python-version", python.removeprefix("cp"),
                "--abi", abi, "--platform", platform, "--dest", scratch)  # fmt: skip
            os.replace(os.path.join(scratch, name), path)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    found = digest(path)
    if found != sha256:
        os.remove(path)
        sys.exit(f"{name} has the sha256 {found}, the pinned one is {sha256}; the file was removed")
    return path


def complete(target: str, scratch: str, missing: list[str]) -> None:
    """Adds what an earlier version of this script did not unpack, each part by one rename."""
    for part in missing:
        place = os.path.join(target, part.rstrip("/"))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        try:
            os.rename(os.path.join(scratch, part.rstrip("/")), place)
        except OSError:
            if not os.path.exists(place):  # else another run was faster
                raise


def main() -> None:
    root, parts, pin, name, sha256, *requirements = sys.argv[1:]
    target = os.path.join(root, f"unpacked-{sha256[:12]}")
    missing = [part for part in (ALL if parts == "all" else TORCHGEN) if not os.path.exists(os.path.join(target, part))]
    if not missing:
        return
    wheel = download(os.path.join(root, "wheel"), pin, name, sha256)
    scratch = tempfile.mkdtemp(dir=root)
    try:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(scratch, [entry for entry in archive.namelist() if entry.startswith(tuple(missing))])
        if os.path.isdir(target):
            complete(target, scratch, missing)
            return
        pip("install", "--target", os.path.join(scratch, "site"), *requirements)
        os.chmod(scratch, 0o755)
        try:
            os.rename(scratch, target)
        except OSError:
            if not os.path.isdir(target):  # else another run was faster
                raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
