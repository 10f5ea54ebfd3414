"""Makes a virtual environment that tests run torch in.

    python3 make.py ENVIRONMENT REQUIREMENTS PIN [CONFORMANCE_CACHE FILE SHA256 | --beside OTHER]

PIN is torch's version, or empty if the environment has the torch of another one, and REQUIREMENTS names a file beside this one with the other packages. CONFORMANCE_CACHE,
FILE and SHA256 name the conformance suite's torch wheel. If this Python can install that file, it is
fetched into the suite's cache and installed from there, so that torch is downloaded once. Any other Python
gets the wheel that pip selects. What torch itself requires is not installed, since most of it is CUDA: REQUIREMENTS
lists what an import needs, and without_cuda.py replaces the rest. With --beside, the environment uses the packages of
the environment OTHER after its own, and gets nothing else that REQUIREMENTS needs. The marker file inside the environment is written last, and its name covers
what it was made of: without it the environment is made again. A lock prevents test programs from doing so in
parallel.
"""

import fcntl
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import venv

import without_cuda

HERE = os.path.dirname(os.path.abspath(__file__))


def fetched_wheel(cache: str, pin: str, file: str, sha256: str) -> str:
    """The requirement for torch: the suite's wheel if it fits the platform, else the pin."""
    interpreter = f"cp{sys.version_info.major}{sys.version_info.minor}"
    fits = f"-{interpreter}-{interpreter}-" in file and file.endswith(f"_{platform.machine()}.whl") and sys.platform == "linux"
    if not fits:
        return pin
    spec = importlib.util.spec_from_file_location("fetch", os.path.join(HERE, "..", "..", "conformance", "fetch.py"))
    fetch = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fetch)
    return fetch.download(os.path.join(cache, "wheel"), pin, file, sha256)


def packages(root: str) -> str:
    """The directory of an environment's packages."""
    paths = {"base": root, "platbase": root}
    return sysconfig.get_path("purelib", "venv", vars=paths)


def install(root: str, *arguments: str) -> None:
    """Runs pip in an environment."""
    command = [os.path.join(root, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"`{' '.join(command)}` failed:\n{done.stdout}")


def make(root: str, requirements: str, torch: str, beside: str | None) -> None:
    shutil.rmtree(root, ignore_errors=True)
    venv.create(root, with_pip=True)
    if beside:
        with open(os.path.join(packages(root), "beside.pth"), "w") as path:
            path.write(packages(beside) + "\n")
    if torch:
        install(root, "--no-deps", torch)
    install(root, *(["--no-deps"] if beside else []), "-r", requirements)
    libraries = os.path.join(packages(root), "torch", "lib")
    if sys.platform == "linux" and os.path.exists(libraries):
        without_cuda.complete(libraries)


def main() -> None:
    root, requirements, pin, *rest = sys.argv[1:]
    beside, wheel = (rest[1], []) if rest[:1] == ["--beside"] else (None, rest)
    requirements = os.path.join(HERE, requirements)
    with open(requirements, "rb") as text, open(without_cuda.__file__, "rb") as code:
        key = hashlib.sha256(text.read() + code.read() + pin.encode()).hexdigest()[:12]
    marker = os.path.join(root, f"complete-{key}")
    os.makedirs(os.path.dirname(root), exist_ok=True)
    with open(root + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(marker):
            make(root, requirements, fetched_wheel(wheel[0], pin, *wheel[1:]) if wheel else pin, beside)
            with open(marker, "w"):
                pass


if __name__ == "__main__":
    main()
