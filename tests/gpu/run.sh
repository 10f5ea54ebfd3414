#!/usr/bin/env bash
# Builds the library of tests/gpu/library with nvcc, and checks it on the GPUs of this machine: one row of a table for
# each check. It takes less than eight minutes, and no network.
#
#     tests/gpu/run.sh
#
# It needs torch 2.11 or newer for CUDA, nvcc, a C++ compiler, and the program: TORCHGEN_RS names it, else it is
# target/release/torchgen-rs. PYTHON names the Python with torch (python3), CUDACXX nvcc, CXX the C++ compiler.
# README.md beside it has the checks.
#
# The status is 0 if all rows pass that could be run, 1 if one fails, and 77 if nothing was run on a GPU.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PYTHONDONTWRITEBYTECODE=1
exec "${PYTHON:-python3}" -W ignore "$here/main.py" "$@"
