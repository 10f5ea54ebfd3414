//! The builds of C++ programs, as flags of the compiler.

/// How a program is compiled. A family's C++ is built with sanitizers. A release build takes as
/// long, and is for what it can change: code with `assert`, warnings that only the optimizer finds,
/// and benchmarks. One program of a family is enough, if it has every construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Build {
    /// `-O0`: the fastest to compile.
    Plain,
    /// `-O0` with AddressSanitizer, LeakSanitizer, UndefinedBehaviorSanitizer and the checks of the
    /// standard library. A finding ends the program.
    Sanitized,
    /// `-O1 -DNDEBUG`: without `assert`, and with what the optimizer warns of. `-O2` takes twice as
    /// long.
    Release,
}

impl Build {
    /// The builds of every test: one with sanitizers, one as shipped.
    pub(crate) const BOTH: [Build; 2] = [Build::Sanitized, Build::Release];

    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Build::Plain => &["-O0"],
            Build::Sanitized => &[
                "-O0",
                "-g1",
                "-fsanitize=address,undefined",
                // A third of the compiler's time; AddressSanitizer finds null pointers.
                "-fno-sanitize=null,alignment",
                "-fno-sanitize-recover=all",
                "-fno-omit-frame-pointer",
                "-D_GLIBCXX_ASSERTIONS",
            ],
            Build::Release => &["-O1", "-DNDEBUG"],
        }
    }
}
