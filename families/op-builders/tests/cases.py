"""Random inputs of builders and what torch makes of them, as text that cases.cpp reads.

Usage: cases.py SEED EINSUM_COUNT. A case is a line `case NAME TOLERANCE`, lines `option`, `input` and `expect`, and `end`.
"""

import math
import random
import string
import sys

import torch

seed, count = int(sys.argv[1]), int(sys.argv[2])
random.seed(seed)
torch.manual_seed(seed)
out = []

TYPES = {
    torch.float32: "float_type",
    torch.float64: "double_type",
    torch.float16: "half_type",
    torch.int8: "int8_type",
    torch.uint8: "uint8_type",
    torch.int32: "int32_type",
    torch.int64: "int64_type",
}


def tensor_line(word, x):
    values = " ".join(repr(v) if x.is_floating_point() else str(v) for v in x.double().flatten().tolist()) if x.is_floating_point() else " ".join(
        str(v) for v in x.flatten().tolist()
    )
    return f"{word} {TYPES[x.dtype]} {x.dim()} {' '.join(map(str, x.shape))} {values}".rstrip()


def option_line(key, value):
    if isinstance(value, bool):
        return f"option {key} b {int(value)}"
    if isinstance(value, int):
        return f"option {key} i {value}"
    if isinstance(value, float):
        return f"option {key} f {value!r}"
    if isinstance(value, str):
        return f"option {key} s {value}"
    return f"option {key} l {len(value)} {' '.join(map(str, value))}"


def case(name, inputs, expected, tolerance=1e-4, **options):
    out.append(f"case {name} {tolerance}")
    out.extend(option_line(key, value) for key, value in options.items())
    out.extend("input undefined" if x is None else tensor_line("input", x) for x in inputs)
    expected = expected if isinstance(expected, (list, tuple)) else [expected]
    out.extend(tensor_line("expect", x) for x in expected)
    out.append("end")


def shape(low=1, high=4, rank=None, zero=True):
    rank = random.randint(low, high) if rank is None else rank
    return [random.choice([0, 1, 2, 3]) if zero and random.random() < 0.15 else random.randint(1, 4) for _ in range(rank)]


def broadcastable(a):
    b = [1 if random.random() < 0.3 else n for n in a]
    return b[random.randint(0, len(a)) :] if random.random() < 0.4 else b


def x(lens, scale=1.0):
    return torch.randn(lens) * scale


def elementwise():
    for _ in range(8):
        a = x(shape())
        k = random.choice([1.0, 1.702, 0.5])
        case("gelu_quick", [a], a * torch.sigmoid(k * a), alpha=k)
        case("gelu_erf", [a], torch.nn.functional.gelu(a))
        case("gelu_tanh", [a], torch.nn.functional.gelu(a, approximate="tanh"), fast=False)
        fast = 0.5 * a * (1 + torch.tanh(0.797885 * a + 0.035677 * a**3))
        case("gelu_tanh", [a], fast, fast=True)
        case("celu", [a], torch.nn.functional.celu(a, alpha=k), alpha=k)
        low, high = sorted([random.uniform(-1, 1), random.uniform(-1, 1)])
        lo, hi = torch.full([1], low), torch.full([1], high)
        if a.dim() > 0:
            case("clip", [a, lo, hi], a.clamp(low, high))
            case("clip", [a, lo], a.clamp(min=low))
            case("clip", [a, None, hi], a.clamp(max=high))
            case("clip", [a], a)
        lens = shape(1, 3, zero=False)
        lens[-1] *= 2
        b = x(lens)
        left, right = b.chunk(2, -1)
        case("gelu_split", [b], left * torch.nn.functional.gelu(right))
        lens = shape(1, 3, zero=False)
        repeats = [random.randint(1, 3) for _ in lens]
        c = x(lens)
        case("tile", [c], c.tile(repeats), repeats=repeats)


def pointwise():
    binary = {
        "add": torch.add,
        "sub": torch.sub,
        "mul": torch.mul,
        "div": torch.div,
        "sqdiff": lambda a, b: (a - b) ** 2,
        "prelu": lambda a, b: torch.where(a < 0, a * b, a),
        "logical_and": lambda a, b: torch.logical_and(a, b).to(a.dtype),
        "logical_or": lambda a, b: torch.logical_or(a, b).to(a.dtype),
        "logical_xor": lambda a, b: torch.logical_xor(a, b).to(a.dtype),
    }
    for name, f in binary.items():
        for _ in range(3):
            lens = shape()
            a, b = x(lens), x(broadcastable(lens))
            if random.random() < 0.5 and name not in ("prelu", "logical_and", "logical_or", "logical_xor"):
                a, b = b, a
            want = f(a, b)
            case(name, [a, b], want)
        a = x([2, 3, 4])
        b = x([3])
        case(name, [a, b], f(a, b.view(1, 3, 1)), broadcasted_axis=1)
    a = x([3, 2]).abs() + 0.1
    b = x([2])
    case("pow", [a, b], a**b)
    i, j = torch.randint(-9, 9, [2, 3]), torch.randint(-9, 9, [3])
    case("bitwise_and", [i, j], i & j)
    case("add", [i, j], i + j)


def matrices():
    for _ in range(12):
        m, k, n = (random.randint(1, 4) for _ in range(3))
        a, b = random.random() < 0.5, random.random() < 0.5
        A, B = x([k, m] if a else [m, k]), x([n, k] if b else [k, n])
        alpha, beta = random.choice([1.0, 2.0, 0.3]), random.choice([1.0, 0.0, -0.7])
        C = random.choice([None, x([n]), x([1, n]), x([m, 1]), x([m, n])])
        want = alpha * ((A.t() if a else A) @ (B.t() if b else B))
        options = dict(alpha=alpha, beta=beta, transA=a, transB=b)
        if C is None:
            case("gemm", [A, B], want, **options)
        else:
            case("gemm", [A, B, C], want + beta * C, **options)
        batch = shape(0, 2, zero=False)
        left, right = x(batch + [m, k]), x(broadcastable(batch) + [k, n])
        case("dot", [left, right], left @ right)
        case("dot", [right.mT, left.mT], right.mT @ left.mT)
    i, j = torch.randint(-9, 9, [2, 3]).to(torch.int8), torch.randint(-9, 9, [3, 2]).to(torch.int8)
    case("quant_dot", [i, j], (i.int() @ j.int()))


def convolutions():
    for _ in range(10):
        spatial = random.choice([1, 2])
        f = [torch.nn.functional.conv1d, torch.nn.functional.conv2d][spatial - 1]
        group = random.choice([1, 2])
        cin, cout = group * random.randint(1, 2), group * random.randint(1, 2)
        kernel = [random.randint(1, 3) for _ in range(spatial)]
        stride = [random.randint(1, 2) for _ in range(spatial)]
        dilation = [random.randint(1, 2) for _ in range(spatial)]
        padding = [random.randint(0, 2) for _ in range(spatial)]
        size = [random.randint(6, 8) for _ in range(spatial)]
        a, w, bias = x([2, cin] + size), x([cout, cin // group] + kernel), x([cout])
        want = f(a, w, bias, stride, padding, dilation, group)
        case("convolution", [a, w, bias], want, strides=stride, paddings=padding, dilations=dilation, group=group)
        # "Same" as in ONNX: ceil(length / stride) results, an odd element after or before.
        upper = random.random() < 0.5
        pads = []
        for n, k, s, d in zip(size, kernel, stride, dilation):
            total = max(0, ((n + s - 1) // s - 1) * s + (k - 1) * d + 1 - n)
            less, more = total // 2, total - total // 2
            pads.append((less, more) if upper else (more, less))
        flat = [p for pair in reversed(pads) for p in pair]
        want = f(torch.nn.functional.pad(a, flat), w, None, stride, 0, dilation, group)
        case("convolution", [a, w], want, auto_pad="SAME_UPPER" if upper else "SAME_LOWER", strides=stride, dilations=dilation, group=group)
        for dtype, low, high in [(torch.int8, -20, 20), (torch.uint8, 0, 255)]:
            qa = torch.randint(low, high, a.shape).to(dtype)
            qw = torch.randint(low, high, w.shape).to(dtype)
            az = torch.randint(low, high, [1]).to(dtype)
            wz = torch.randint(low, high, [random.choice([1, cout])]).to(dtype)
            fw = qw.double() - wz.double().view([-1] + [1] * (w.dim() - 1))
            want = f(qa.double() - az.double(), fw, None, stride, 0, dilation, group).round().to(torch.int32)
            # Zero points of uint8 shift the range first, which preserves differences.
            case("quant_convolution", [qa, qw, az, wz], want, strides=stride, dilations=dilation, group=group)
            half = 128 if dtype == torch.uint8 else 0
            want = f(qa.double() - half, qw.double() - half, None, stride, 0, dilation, group).round().to(torch.int32)
            case("quant_convolution", [qa, qw], want, strides=stride, dilations=dilation, group=group)


def normalization():
    for _ in range(8):
        lens = shape(2, 4, zero=False)
        a = x(lens)
        c = lens[1]
        scale, bias, mean, var = x([c]), x([c]), x([c]), x([c]).abs() + 0.1
        eps = random.choice([1e-5, 1e-2])
        want = torch.nn.functional.batch_norm(a, mean, var, scale, bias, eps=eps)
        case("batchnorm", [a, scale, bias, mean, var], want, epsilon=eps)
        a = x(shape(2, 4, zero=False))
        axes = random.sample(range(a.dim()), a.dim() - 1)
        if a.numel() and math.prod(a.shape[i] for i in axes) > 1:
            mean = a.mean(axes, keepdim=True)
            deviation = ((a - mean) ** 2).mean(axes, keepdim=True).sqrt()
            case("mean_variance_normalization", [a], (a - mean) / (deviation + 1e-9), 1e-2, axes=axes)
        has_bias = random.random() < 0.5
        a, b = (torch.randint(0, 255, [3, 2]).to(torch.uint8) for _ in range(2))
        shifted = (a.int() - 128).to(torch.int8)
        second = (shifted - (b.int() - 128).to(torch.int8)) if has_bias else shifted
        case("bias_uint8", [a, b], [shifted, second], has_bias=has_bias)


def rotary():
    for interleaved in [False, True]:
        for batch, heads, length, size in [(1, 2, 1, 4), (2, 1, 3, 4), (2, 3, 2, 2), (3, 1, 1, 6)]:
            cos, sin = x([9, size // 2]), x([9, size // 2])
            a = x([batch, heads, length, size])
            for given in [1, batch, batch * length]:
                pos = torch.randint(0, 9 - length, [given]).to(torch.int32)
                if given == batch * length and length > 1:
                    rows = pos.view(batch, length).long()
                else:
                    rows = pos.view(-1, 1).expand(batch, 1).long() + torch.arange(length)
                c, s = cos[rows].unsqueeze(1), sin[rows].unsqueeze(1)
                if interleaved:
                    even, odd = a[..., 0::2], a[..., 1::2]
                    want = torch.stack([even * c - odd * s, odd * c + even * s], -1).flatten(-2)
                else:
                    low, high = a.chunk(2, -1)
                    want = torch.cat([low * c - high * s, high * c + low * s], -1)
                case("rotary_embedding", [a, pos, cos, sin], want, interleaved=interleaved)


def quantization():
    for _ in range(10):
        lens = shape(2, 3, zero=False)
        axis = random.randrange(len(lens))
        kind = random.choice(["tensor", "axis", "block"])
        size = random.randint(1, 3)
        block = 0
        if kind == "tensor":
            scales = [1]
        elif kind == "axis":
            scales = [lens[axis]]
        else:
            lens[axis] = random.randint(3, 7)
            parts = math.ceil(lens[axis] / size)
            if parts < 2 or math.ceil(lens[axis] / parts) > size:
                size, parts = 1, lens[axis]
            block = size
            scales = list(lens)
            scales[axis] = parts
        scale = x(scales).abs() + 0.1
        zero = torch.randint(-5, 5, scales).to(torch.int8)

        def spread(t):
            if t.numel() == 1:
                return t.flatten().expand(lens) if lens else t
            if t.dim() == 1:
                return t.view([-1 if i == axis else 1 for i in range(len(lens))]).expand(lens)
            return t.repeat_interleave(block, axis).narrow(axis, 0, lens[axis])

        a = x(lens, 3.0)
        want = (torch.round(a.double() / spread(scale).double()) + spread(zero)).clamp(-128, 127).to(torch.int8)
        case("quantizelinear", [a, scale, zero], want, axis=axis, block_size=block)
        q = torch.randint(-9, 9, lens).to(torch.int8)
        want = (q.float() - spread(zero).float()) * spread(scale)
        case("dequantizelinear", [q, scale, zero], want, axis=axis - len(lens), block_size=block)
        case("dequantizelinear", [q, scale], q.float() * spread(scale), axis=axis, block_size=block)


def einsums():
    made = 0
    while made < count:
        letters = random.sample(string.ascii_letters, random.randint(1, 5))
        sizes = {c: random.choice([1, 2, 3]) for c in letters}
        covered = [random.choice([1, 2, 3]) for _ in range(random.randint(0, 2))]
        dots = random.random() < 0.4
        terms, inputs = [], []
        for _ in range(random.randint(1, 3)):
            chosen = [random.choice(letters) for _ in range(random.randint(1, 4))]
            text, lens = "", []
            place = random.randint(0, len(chosen)) if dots else -1
            # A length of 1 broadcasts, but not along a diagonal.
            alone = {c: 1 if random.random() < 0.1 else sizes[c] for c in chosen}
            for i, c in enumerate(chosen + [None]):
                if i == place:
                    text += "..."
                    lens += [1 if random.random() < 0.2 else n for n in covered]
                if c is not None:
                    text += c
                    lens.append(alone[c])
            terms.append(text)
            inputs.append(torch.randn(lens, dtype=torch.float64))
        equation = random.choice([",", ", "]).join(terms)
        used = sorted({c for t in terms for c in t if c != "."})
        if random.random() < 0.75:
            result = random.sample(used, random.randint(0, len(used)))
            if dots:
                result.insert(random.randint(0, len(result)), "...")
            equation += "->" + "".join(result)
        try:
            want = torch.einsum(equation, *inputs)
        except RuntimeError:
            continue
        case("einsum", inputs, want, 1e-9, equation=equation)
        made += 1


def known_einsums():
    """The equations of upstream's tests with its shapes, and those that it refuses."""
    for equation, *shapes in [
        ("ij->ji", [2, 3]), ("ij->", [2, 3]), ("ij->j", [2, 3]), ("ij->i", [2, 3]), ("ij,j->i", [2, 3], [3]),
        ("ij,kj->ik", [2, 3], [2, 3]), ("i,i->", [3], [3]), ("ij,ij->", [2, 3], [2, 3]), ("ij,ij->ij", [2, 3], [2, 3]),
        ("i,j->ij", [3], [5]), ("ij,kl->ijkl", [2, 3], [2, 5]), ("ijk,ikl->ijl", [3, 2, 5], [3, 5, 3]),
        ("pqrs,tuqvr->pstuv", [2, 3, 5, 7], [1, 3, 3, 7, 5]), ("ii->i", [3, 3]), ("...ii->...i", [3, 3, 3]),
        ("iii->i", [3, 3, 3]), ("ii,i->i", [3, 3], [3]), ("ii->", [3, 3]), ("ii", [3, 3]), ("ij,jkl", [2, 2], [2, 2, 2]),
        ("i,ij->i", [3], [3, 4]), ("ij, jk -> ik", [3, 1], [2, 2]), ("bik,bkj->bij", [1, 3, 1], [2, 2, 4]),
        ("bik,bkj->bij", [1, 3, 2], [2, 1, 4]), ("bac,cd,def->ebc", [2, 2, 2], [2, 2], [2, 2, 2]),
        ("ik,jkl,il->ij", [2, 3], [5, 3, 7], [2, 7]), ("...ik,kj...->ij...", [2, 3, 2], [2, 4, 2]),
        ("...ik,kj...->ij...", [3, 2, 3, 2], [2, 4, 3, 2]), ("...qhd,...khd->...hqk", [2, 3, 2], [4, 3, 2]),
        ("...qhd,...khd", [3, 2, 3, 2], [3, 4, 3, 2]), ("..., ...", [2, 3], [2, 3]),
        ("bsnh,btnh->bnts", [2, 2, 2, 2], [2, 2, 2, 2]), ("bsnh,ctnh->nts", [2, 2, 2, 2], [2, 2, 2, 2]),
        ("bnst,chst->shn", [2, 2, 2, 2], [2, 2, 2, 2]), ("bcxd,bcyd->bcxy", [2, 2, 3, 2], [2, 2, 4, 2]),
        ("...qhd,...khd->...hqk", [3, 2, 3, 2], [3, 4, 3, 2]), ("i...k,k...j->i...j", [3, 2, 2], [2, 2, 3]),
        ("...j->...", [5, 5]), ("nhwpqc->nchpwq", [1, 2, 3, 2, 1, 2]),
        ("iijj->ij", [3, 3, 2, 2]), ("ii...->i...", [3, 3, 3]), ("...ii->...i", [2, 1, 3, 3]), ("aab,bcc->ac", [2, 2, 3], [3, 4, 4]),
        ("ij,jk->ik", [2, 0], [0, 3]), ("ij,jk->ik", [0, 2], [2, 3]), ("i,i->i", [0], [0]),
    ]:
        inputs = [torch.randn(lens, dtype=torch.float64) for lens in shapes]
        case("einsum", inputs, torch.einsum(equation, *inputs), 1e-9, equation=equation)


for make in [known_einsums, elementwise, pointwise, matrices, convolutions, normalization, rotary, quantization, einsums]:
    make()
print("\n".join(out))
