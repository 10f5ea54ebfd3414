"""Runs the reference many times in forks of one process, which has imported it: an import takes longer than a small input.

    python3 reference_many.py WHEEL < RUNS

Each line of RUNS is JSON: a directory, an entry point (`generate` or `autograd`), its flags. A run works in its directory as if the wheel's
`torchgen` were there. The answer is a line of JSON with the status and what the run printed.
"""

import json
import os
import sys
import tempfile
import traceback

# The directory of the package, which comments of generated files name relative to the working directory.
AUTOGRAD = "torchgen/packaged/autograd"


def pretend(directory: str, main: str) -> None:
    """The program is this file, and torchgen is in the working directory."""
    from pathlib import Path

    import torchgen.utils

    root = Path(directory) / "torchgen"
    torchgen.utils.__file__ = str(root / "utils.py")
    torchgen.utils.TORCHGEN_ROOT = root
    torchgen.utils.REPO_ROOT = root.parent
    sys.modules["__main__"].__file__ = main


def run(directory: str, entry: str, flags: list[str]) -> None:
    os.chdir(directory)
    if entry == "generate":
        import torchgen.gen

        pretend(directory, os.path.join(directory, "torchgen/gen.py"))
        sys.argv = ["gen.py", *flags]
        torchgen.gen.main()
    else:
        import reference_autograd

        sys.argv = ["reference_autograd.py", entry, *flags]
        pretend(directory, os.path.join(AUTOGRAD, "gen_autograd.py"))
        reference_autograd.main()


def forked(directory: str, entry: str, flags: list[str]) -> dict:
    with tempfile.TemporaryFile() as said:
        process = os.fork()
        if process == 0:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            status = 1
            try:
                run(directory, entry, flags)
                status = 0
            except SystemExit as exit:
                status = 0 if exit.code in (None, 0) else 1
                print(exit.code)
            except BaseException:
                traceback.print_exc()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        _, status = os.waitpid(process, 0)
        said.seek(0)
        return {"status": os.waitstatus_to_exitcode(status), "said": said.read().decode(errors="replace")}


def main() -> None:
    wheel = os.path.abspath(sys.argv[1])
    sys.path[:0] = [wheel, os.path.join(wheel, "site")]
    import reference_autograd
    import torchgen.gen
    import torchgen.gen_functionalization_type

    reference_autograd.autograd_modules(AUTOGRAD)
    for line in sys.stdin:
        print(json.dumps(forked(*json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
