"""Imports torch once and runs each script in a fork, which saves the two seconds of the import.

`forks.py SOCKET` takes a request on each connection to the socket: a line of JSON with the
arguments of Python, the environment, the working directory, and the files for both streams. The
answer is the status as `wait` has it, and the seconds of processor time. It ends when its standard
input is closed.
"""

import gc
import json
import os
import runpy
import select
import signal
import socket
import sys
import types
import warnings

import torch

BASE = sys.path[1:]


def become(request):
    """Makes this process what the request's Python would be, and runs its script."""
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["directory"])
    for descriptor, name, flags in [(0, os.devnull, os.O_RDONLY), *request["streams"]]:
        os.dup2(os.open(name, flags), descriptor)
    if "OMP_NUM_THREADS" in os.environ:
        torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    arguments = request["arguments"]
    sys.dont_write_bytecode = "PYTHONDONTWRITEBYTECODE" in os.environ
    while arguments[0] in ("-B", "-W"):
        if arguments.pop(0) == "-B":
            sys.dont_write_bytecode = True
        else:
            warnings.simplefilter(arguments.pop(0))
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    kind = arguments.pop(0) if arguments[0] in ("-c", "-m") else None
    script, sys.argv = arguments[0], list(arguments)
    first = {"-c": "", "-m": os.getcwd()}.get(kind, os.path.dirname(os.path.abspath(script)))
    sys.path[:] = [first, *paths, *BASE]
    if kind == "-c":
        sys.argv[0] = "-c"
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(script, "<string>", "exec"), main.__dict__)
    elif kind == "-m":
        runpy.run_module(script, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(script, run_name="__main__")


def serve(connection):
    """Forks for one request, and answers when the fork has ended."""
    stream = connection.makefile("rw")
    request = json.loads(stream.readline())
    fork = os.fork()
    if fork == 0:
        stream.close()
        connection.close()
        become(request)
        return
    _, status, used = os.wait4(fork, 0)
    stream.write(json.dumps([status, used.ru_utime + used.ru_stime]))
    stream.flush()
    os._exit(0)


def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    # Forks share what is not counted again.
    gc.freeze()
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            return
        connection, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.close()
            return serve(connection)
        connection.close()


main()
