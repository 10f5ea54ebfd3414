//! Derives inputs from inputs: changes bytes; moves, repeats and joins pieces; inserts words of the
//! languages.
//!
//! Invariant: a seed gives the same inputs on every machine. Coverage is not measured; libFuzzer
//! does that (see docs/fuzzing.md).

use std::path::{Path, PathBuf};

/// Longer inputs are truncated.
const MAX_LEN: usize = 16 << 10;

/// Pieces of all input languages.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "Tensor", "Tensor(a!)", "Tensor(a -> *)", "Tensor[]", "int[2]", "SymInt", "SymInt[]", "Scalar", "str", "Dict(", "Generator?", "?", "[]",
    "()", " -> ", "*, ", ", ", "=None", "=[]", "='x'", ".out", "_copy", "_", "__i", "::", "aten::", "...", "out", "self", "\n", "\r\n", "\t",
    "\0", " ", "  ", "- ", ": ", "\n- func: ", "\n  ", "dispatch:", "CPU: ", "CompositeImplicitAutograd: ", "structured: True",
    "structured_delegate: ", "autogen: ", "variants: function", "tags: ", "precomputed:", "ufunc_inner_loop:", "Generic: ", "True", "~", "&a ",
    "*a", "<<: ", "!!str ", "|\n", ">-\n", "'", "\"", "\\", "\\\"", "\\x", "\\u", "\\N{", "#", "%", "---\n", "{", "}", "[", "]", "(", ")", "<",
    ">", "grad", "grads[", "grad_", "result", "self_t", "self_p", ".sizes()", ".sym_size(", ".options()", "auto_linear", "not_implemented(",
    "non_differentiable", "output_differentiability: ", "${", "$", "{{", "}}", "{%", "%}", "{#", "#}", "| ", "loop.", "for x in list", "endfor",
    "if ", "else", "endif", "macro m()", "endmacro", "include '", "R\"(", ")\"", "//", "/*", "*/", "#define ", "\\\n", "template <", "namespace ",
    "TORCH_META_FUNC(", "TORCH_IMPL_FUNC(", "operator", "static ", "struct ", "noexcept", "= default;", ";", "def f(", "class C(", "return ",
    "lambda ", "'''", "\"\"\"", "f'", "rb'", "@", "async ", "import ", "é", "\u{feff}", "\u{2028}", "\u{e000}", "\u{1f600}", "0", "1", "-1",
    "9223372036854775808", "1e999", "0x", "../", "\n----\n",
];

/// A pseudorandom generator, xorshift64*; a seed always gives the same numbers.
pub struct Random(u64);

impl Random {
    /// Any seed is allowed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end.max(1)
    }

    fn range(&mut self, len: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.below(len + 1);
        start..(start + self.below(most + 1)).min(len)
    }
}

/// An input made from the corpus.
pub fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut data = corpus.get(random.below(corpus.len())).cloned().unwrap_or_default();
    for _ in 0..1 + random.below(6) {
        let at = random.below(data.len() + 1);
        match random.below(10) {
            0 => {
                let bit = 1 << random.below(8);
                data.get_mut(at).into_iter().for_each(|byte| *byte ^= bit);
            }
            1 => data.insert(at, random.below(256) as u8),
            2 => drop(data.drain(random.range(data.len(), 16))),
            3..=5 => {
                let range = random.range(data.len(), 8);
                let range = if random.below(2) == 0 { at..at } else { range };
                data.splice(range, WORDS[random.below(WORDS.len())].bytes());
            }
            6 => {
                let piece = data[random.range(data.len(), 64)].to_vec();
                data.splice(at..at, piece);
            }
            7 => {
                let other = &corpus[random.below(corpus.len())];
                let piece = other[random.range(other.len(), 256)].to_vec();
                let range = random.range(data.len(), 64);
                data.splice(range, piece);
            }
            8 => {
                let piece = data[random.range(data.len(), 8)].repeat(1 + random.below(80));
                data.splice(at..at, piece);
            }
            _ => data.truncate(at),
        }
    }
    data.truncate(MAX_LEN);
    data
}

/// The committed inputs of a target, sorted by name.
pub fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a readable entry").path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(&path).expect("a readable file"))).collect()
}
