#!/usr/bin/env python3
"""Counts the instructions of runs with valgrind, and compares them with the last that were recorded.

    python3 bench/instructions.py                 ten operators, with target/debug/torchgen-rs: CI runs it
    python3 bench/instructions.py --release       builds the release binary; all of ATen too
    python3 bench/instructions.py [--release] --record     adds the counts to bench/instructions.tsv

Counts differ by less than 0.1 % from run to run, whatever else the machine does, but with the compiler:
only those of the same build and the same Rust are compared. A run with a tenth more instructions than
recorded is an error. If the new work is worth that, record the counts, and say why in the commit.
"""

import argparse
import concurrent.futures
import datetime
import os
import pathlib
import re
import shutil
import subprocess
import sys

import run

ROOT = pathlib.Path(run.ROOT)
RECORDS = ROOT / "bench/instructions.tsv"
SCRATCH = ROOT / "target/instructions"
# By how much a count may grow.
ALLOWED = 0.1

TEN = "generate -s bench/ten -d {out} --python-package ten --abi"
JOBS = {"ten operators, C++ API": f"{TEN} unstable", "ten operators, stable ABI": f"{TEN} stable"}
ATEN = "generate -s {packaged}/ATen -d {out} --aoti-install-dir {out}/aoti"


def count(program: pathlib.Path, job: str, arguments: str) -> int:
    """The instructions of a run on one thread."""
    out = SCRATCH / re.sub(r"\W+", "-", job)
    shutil.rmtree(out, ignore_errors=True)
    words = arguments.replace("{out}", str(out.relative_to(ROOT))).split()
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    # A variable more would be some instructions more.
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    command = [*valgrind, str(program), *words, "--force", "-j1"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    refs = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not refs:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return int(refs[1].replace(",", ""))


def counts(program: pathlib.Path, jobs: dict[str, str]) -> dict[str, int]:
    """The instructions of each job."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    # Valgrind reads symbols for seconds.
    small = SCRATCH / "torchgen-rs"
    if shutil.which("strip"):
        subprocess.run(["strip", "-o", small, program], check=True)
    else:
        shutil.copy(program, small)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(jobs, pool.map(lambda job: count(small, job, jobs[job]), jobs)))


def recorded(build: str, rust: str) -> dict[str, int]:
    """The last recorded count of each job, for a build by a Rust."""
    last = {}
    for line in RECORDS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            _, its_build, its_rust, job, instructions = line.split("\t")
            if (its_build, its_rust) == (build, rust):
                last[job] = int(instructions)
    return last


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", action="store_true")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("valgrind is not installed: no instructions are counted")
        return
    build = "release" if options.release else "dev"
    jobs = dict(JOBS)
    if options.release:
        program = pathlib.Path(run.build())
        jobs["all of ATen"] = ATEN.replace("{packaged}", f"{run.reference_dir()}/torchgen/packaged")
    else:
        program = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug/torchgen-rs"
    rust = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    before, grown = recorded(build, rust), False
    rows = []
    for job, instructions in counts(program, jobs).items():
        rows.append(f"{datetime.date.today()}\t{build}\t{rust}\t{job}\t{instructions}\n")
        if job in before:
            change = instructions / before[job] - 1
            grown |= change > ALLOWED
            print(f"{job}: {instructions:,} instructions, {change:+.1%} from {before[job]:,}")
        else:
            print(f"{job}: {instructions:,} instructions; none are recorded for this build with Rust {rust}")
    if options.record:
        with open(RECORDS, "a", encoding="utf-8") as file:
            file.writelines(rows)
    elif grown:
        sys.exit(f"more than {ALLOWED:.0%}: find the reason (docs/speed.md), or record it with `--record`")


if __name__ == "__main__":
    main()
