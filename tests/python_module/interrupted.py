"""Ctrl-C during a run: the run waits for the other end of a pipe. The argument is a scratch directory."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

import torchgen_rs

# Shells have programs in the background ignore it, and then Python does.
signal.signal(signal.SIGINT, signal.default_int_handler)
os.chdir(sys.argv[1])
pathlib.Path("pipe").mkdir()
os.mkfifo("pipe/native_functions.yaml")


def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)


# In a program that goes on.
threading.Thread(target=interrupt).start()
began = time.monotonic()
try:
    torchgen_rs.generate(source_path="pipe", install_dir="pipe/generated", layout="library")
except KeyboardInterrupt:
    assert time.monotonic() - began < 10
else:
    raise AssertionError("not interrupted")
# The run that was left reads the file now. It writes nothing.
with open("pipe/native_functions.yaml", "w") as pipe:
    pipe.write("- func: curves::f(Tensor self) -> Tensor\n  dispatch:\n    CPU: f\n")
time.sleep(1)
assert os.listdir("pipe") == ["native_functions.yaml"], os.listdir("pipe")

# As a program, which then ends as programs do.
program = [sys.executable, "-m", "torchgen_rs", "-s", "pipe", "--layout", "library", "-d", "pipe/generated"]
running = subprocess.Popen(program, stderr=subprocess.PIPE)
time.sleep(2)
assert running.poll() is None
running.send_signal(signal.SIGINT)
said = running.communicate(timeout=20)[1]
assert running.returncode == -signal.SIGINT, running.returncode
assert b"Traceback" not in said, said

# While a function of Python decides what is generated: it is not called again, and nothing is written.
SLOW = """
import sys, time
from torchgen_rs import commands

asked = []

def hook(operator, code):
    asked.append(operator)
    time.sleep(0.5)

try:
    commands.backend_stubs(source_yaml="npu.yaml", output_dir="npu", torch_path=sys.argv[1], hook=hook)
except KeyboardInterrupt:
    time.sleep(1.5)
    print(len(asked))
"""
header = "$namespace_prologue\nstruct ${class_name} {\n$dispatch_declarations\n};\n$namespace_epilogue\n"
shutil.copytree(sys.argv[2], "ATen")
pathlib.Path("ATen/templates/DispatchKeyNativeFunctions.h").write_text(header)
pathlib.Path("npu.yaml").write_text("{backend: PrivateUse1, cpp_namespace: npu, supported: [shift, count]}")
running = subprocess.Popen([sys.executable, "-c", SLOW, "ATen"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
time.sleep(1)
running.send_signal(signal.SIGINT)
printed, said = running.communicate(timeout=20)
assert (printed, running.returncode, said) in ((b"1\n", 0, b""), (b"2\n", 0, b"")), (printed, running.returncode, said)
assert not os.path.exists("npu")
