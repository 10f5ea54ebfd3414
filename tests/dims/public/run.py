"""Runs forty operators of public libraries, and prints what their lines give them.

Each call is cut along the dimensions that a line maps or reduces, and runs on two processes: the results are those of
one call. Operators without words say why they have none.
"""

import json
import os
import resource
import socket
import sys
import tempfile
from pathlib import Path

import torch

NAMESPACE = "public_ops"
_defined = []
# Why lines have no words.
REASONS = {
    "vllm_scaled_fp4_quant": "rows of scales are rounded up to tiles",
    "vllm_topk_softmax": "results count through the tokens of the whole call",
    "vllm_moe_align_block_size": "each block is of tokens from everywhere",
    "vllm_concat_and_cache_mla": "`r + e` cannot be cut, and slots are of all tokens",
    "vllm_gather_and_maybe_dequant_cache": "tokens and pages are found by numbers in tables",
    "vllm_all_reduce": "a collective",
    "pyg_grouped_matmul": "sizes differ between elements of the lists",
    "pyg_scatter_sum": "the size of a result depends on data",
    "pyg_random_walk": "random",
    "vision_nms": "the size of the result depends on data",
    "audio_forced_align": "a scan of one sequence",
}


def own(name):
    return name.split("::")[1]


def package():
    """The package and the values of arguments. Schemas are defined here if no library is built."""
    import inputs

    if f"{NAMESPACE.upper()}_LIBRARY" not in os.environ:
        text = (Path(__file__).parent / "native_functions.yaml").read_text()
        library = torch.library.Library(NAMESPACE, "DEF")
        for entry in text.split("- func: ")[1:]:
            library.define(entry.splitlines()[0].split("::")[1])
        _defined.append(library)
    import public_ops

    return public_ops, {name: inputs.VALUES.get(own(name), {}) for name in public_ops._dims.LINES}


def unsplit(operator, maker, mesh):
    """The words of a line along which two processes do not split a call, or move something to do it."""
    import dims_sharded
    from torch.distributed.tensor import Partial, Replicate, Shard
    from torch.distributed.tensor.debug import CommDebugMode

    sizes, groups = maker.base()
    even = {name: maker.near(name, 4) for name in sizes}, {name: maker.allowed.get(name, ((4,),))[0] for name in groups}
    line, arguments = maker.line, maker.made(*even)
    bound, expected = operator.dims.bound(operator.name, arguments), operator.run(line, arguments)
    for key in bound.sizes:
        name = key if isinstance(key, str) else key[0]
        if name not in line.map and name not in line.reduce:
            continue
        labels = [label for each in arguments for label in bound.places if label.split("[")[0] == each]
        places = iter([[Shard(own.index(key)) if key in own else Replicate()] for own in map(bound.places.get, labels)])
        placed = {each: dims_sharded._placed(value, places, mesh) for each, value in arguments.items()}
        with CommDebugMode() as moved:
            found = dims_sharded._results(operator, line, placed)
        if moved.get_total_counts():
            yield f"{operator.name}: {name} is not split where its parts are; dims: {line.text}"
        for each, (at, whole) in zip(found, expected.items()):
            own = operator.keys(bound, at)
            kind = Shard(own.index(key)) if key in own else Partial("sum")
            if each.placements != (kind,) or not dims_sharded.is_close(each.full_tensor(), whole):
                yield f"{operator.name}: {name} gives {each.placements} and not {kind}; dims: {line.text}"


def _work(rank, port, out, only):
    """Calls operators on two processes; the first one writes what is wrong, and how many calls are right and refused."""
    import dims_sharded
    import torch.distributed as dist
    from dims_cases import Operator
    from torch.distributed.tensor import init_device_mesh

    torch.set_num_threads(1)
    dims_sharded._MOST = 6
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), WORLD_SIZE="2")
    dist.init_process_group("gloo", rank=rank, world_size=2)
    mesh = init_device_mesh("cpu", (2,))
    public_ops, values = package()
    wrong, tried = [], {}
    for name, lines in public_ops._dims.LINES.items():
        if any(line.map or line.reduce for line in lines) and (not only or own(name) in only):
            operator = Operator(NAMESPACE, name, values[name])
            for maker, arguments in dims_sharded._calls(operator, 2):
                wrong += dims_sharded._try(operator, maker.line, arguments, mesh, tried)
            wrong += [why for maker in operator.makers for why in unsplit(operator, maker, mesh)]
    dist.destroy_process_group()
    if rank == 0:
        Path(out).write_text(json.dumps([wrong, tried]))


def sharded(only):
    import torch.multiprocessing

    with socket.socket() as free, tempfile.TemporaryDirectory() as directory:
        free.bind(("127.0.0.1", 0))
        port, out = free.getsockname()[1], Path(directory) / "found"
        free.close()
        torch.multiprocessing.start_processes(_work, args=(port, str(out), only), nprocs=2, start_method="spawn")
        return json.loads(out.read_text())


def words_of(lines):
    """The words of all lines."""
    found = {}
    for line in lines:
        found.update(dict.fromkeys(f"map({name})" for name in line.map))
        found.update(dict.fromkeys(f"reduce({name}={combined})" for name, (combined, _) in line.reduce.items()))
    return " ".join(found)


def main(only):
    from dims_cases import Operator, check_cuts, check_messages, check_sizes
    from published import compare

    torch.set_num_threads(1)
    public_ops, values = package()
    lines = {name: each for name, each in public_ops._dims.LINES.items() if not only or own(name) in only}
    wrong, cuts = [], {}
    for name in lines:
        operator = Operator(NAMESPACE, name, values[name])
        for check in (check_cuts, check_sizes, check_messages):
            try:
                found = check(operator)
            except AssertionError as error:
                wrong.append(str(error))
            else:
                if check is check_cuts:
                    cuts[name] = sum(found.values())
    said = compare(lambda name: Operator(NAMESPACE, f"{NAMESPACE}::{name}", values[f"{NAMESPACE}::{name}"]))
    more, tried = sharded(only)
    wrong += more
    print("| operator | words | cuts | sharded | reason |")
    print("| --- | --- | --- | --- | --- |")
    for name, each in lines.items():
        right, refused = tried.get(name, (0, 0))
        calls = f"{right} right, {refused} refused" if name in tried else ""
        print(f"| {own(name)} | {words_of(each)} | {cuts.get(name, '?')} | {calls} | {REASONS.get(own(name), '')} |")
        if (own(name) in REASONS) == (right > 0):
            wrong.append(f"{name} has a reason not to be split, and is, or neither")
    used = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"{len(lines)} operators, {sum(cuts.values())} cuts, {len(tried)} split, {used:.0f} s of a processor")
    print(said)
    if wrong:
        sys.exit("\n".join(wrong))
    print("public ops ok")


if __name__ == "__main__":
    main(sys.argv[1:])
