"""Builds the library with nvcc and a C++ compiler, as CMake would."""

import os
import pathlib
import shutil
import subprocess

from table import NotRun

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = HERE / "library"
# TORCH_TARGET_VERSION of `torch_min` in library.yaml.
TARGET = "0x020a000000000000"


def run(command, **options):
    """Runs a command, and raises its output if it fails."""
    ran = subprocess.run([str(part) for part in command], text=True, capture_output=True, **options)
    if ran.returncode != 0:
        raise AssertionError(f"{command[0]} failed\n{ran.stdout[-4000:]}{ran.stderr[-4000:]}")
    return ran.stdout


def program():
    """The program, as an absolute path."""
    named = os.environ.get("TORCHGEN_RS")
    built = HERE.parent.parent / "target/release/torchgen-rs"
    found = named or (str(built) if built.exists() else shutil.which("torchgen-rs"))
    if found is None:
        raise AssertionError("there is no torchgen-rs: TORCHGEN_RS names it, or `cargo build --release` builds it")
    return pathlib.Path(found).resolve()


def nvcc():
    """nvcc, and the directory of its toolkit."""
    named = os.environ.get("CUDACXX")
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    places = [named, shutil.which("nvcc"), *(f"{home}/bin/nvcc" for home in homes if home)]
    for place in places:
        if place and os.access(place, os.X_OK):
            path = pathlib.Path(place)
            return path, path.resolve().parent.parent
    raise NotRun("there is no nvcc: CUDACXX names it")


def generate(out):
    """Generates the library. No line of it may warn."""
    said = subprocess.run([str(program()), "-s", LIBRARY, "-d", out], text=True, capture_output=True)
    if said.returncode != 0 or "warning" in said.stderr:
        raise AssertionError(f"torchgen-rs warned\n{said.stderr}")


def architectures(torch):
    """nvcc's flags for the GPUs of this machine, or for one where it has none."""
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    kinds = {torch.cuda.get_device_capability(index) for index in range(count)} or {(8, 0)}
    return [f"-gencode=arch=compute_{major}{minor},code=sm_{major}{minor}" for major, minor in sorted(kinds)]


def libraries(toolkit):
    """The directory of CUDA's run time."""
    for folder in ("lib64", "lib", "targets/x86_64-linux/lib"):
        if list((toolkit / folder).glob("libcudart.so*")):
            return toolkit / folder
    raise NotRun(f"{toolkit} has no libcudart.so")


def compile_all(torch, out, work):
    """Compiles and links what was generated, and the kernels. All sources are compiled at once."""
    compiler, toolkit = nvcc()
    package = pathlib.Path(torch.__file__).parent
    cxx = os.environ.get("CXX", "c++")
    flags = ["-std=c++20", "-O2", "-DUSE_CUDA", f"-DTORCH_TARGET_VERSION={TARGET}", f"-I{out / 'include'}", f"-I{LIBRARY}"]
    system = ["-isystem", package / "include", "-isystem", toolkit / "include"]
    device = [compiler, f"-ccbin={shutil.which(cxx)}", *architectures(torch), "-Xcompiler=-fPIC,-fvisibility=hidden"]
    host = [cxx, "-fPIC", "-fvisibility=hidden"]
    sources = [(device, path) for path in sorted((LIBRARY / "kernels").glob("*.cu"))]
    sources += [(host, path) for path in sorted((out / "src").glob("*.cpp"))]
    running, objects = [], []
    for command, source in sources:
        objects.append(work / f"{source.name}.o")
        command = [*command, *flags, *system, "-c", source, "-o", objects[-1]]
        command = [str(part) for part in command]
        running.append((source, subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)))
    ended = [(source, process.communicate()[0], process.returncode) for source, process in running]
    for source, said, status in ended:
        if status != 0:
            raise AssertionError(f"{source.name} does not compile\n{said[-4000:]}")
    shared = out / "python/gpu_checks/libgpu_checks.so"
    paths = [f"-L{package / 'lib'}", f"-L{libraries(toolkit)}", f"-Wl,-rpath,{package / 'lib'}"]
    # An environment from packages has no link without a version.
    cudart = sorted(libraries(toolkit).glob("libcudart.so*"))[0].name
    torches = ["-Wl,--no-as-needed", "-ltorch", "-ltorch_cpu", "-ltorch_cuda", "-lc10"]
    run([cxx, "-shared", "-o", shared, *objects, *paths, *torches, f"-l:{cudart}"])


def by_cmake(torch, work):
    """Builds the library with the program's CMake module, which is what authors do."""
    for tool in ("cmake", "ninja"):
        if shutil.which(tool) is None:
            raise NotRun(f"there is no {tool}")
    compiler, _ = nvcc()
    build = work / "cmake"
    module = work / "module"
    run([program(), "cmake-module", module])
    project = work / "project"
    shutil.copytree(LIBRARY, project)
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.26)\nproject(gpu_checks LANGUAGES CXX)\n"
        f'set(TORCHGEN_RS "{program()}")\nfind_package(TorchgenRs REQUIRED PATHS "{module}" NO_DEFAULT_PATH)\n'
        "file(GLOB kernels kernels/*.cu)\n"
        "torchgen_add_library(gpu_checks PACKAGE gpu_checks KERNELS ${kernels} CUDA REQUIRED)\n"
    )
    listed = [flag.split("=sm_")[1] for flag in architectures(torch)]
    python = os.environ.get("PYTHON") or shutil.which("python3")
    run(
        ["cmake", "-S", project, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
        + [f"-DCMAKE_CUDA_COMPILER={compiler}", f"-DPython_EXECUTABLE={shutil.which(python)}"]
        + [f"-DCMAKE_CUDA_ARCHITECTURES={';'.join(listed)}"]
    )
    run(["ninja", "-C", build])
    if not list(build.rglob("libgpu_checks.so")):
        raise AssertionError("CMake built no libgpu_checks.so")
