//! Compiles and runs C++ programs for tests, each once for a hash of its inputs.
//!
//! A [`Program`] names its sources, include directories and flags. The hash covers the text of each
//! source and of each file below its include directories, its flags, the compiler's version and,
//! for a run, its arguments and environment. The results are kept in `target/cxx`, so that a test
//! whose C++ did not change compiles and runs nothing. Failures are not kept: they are tried again.
//! Programs share objects (`objects.rs`) and precompiled headers.
//!
//! Sources are compiled in parallel. Tests and processes that need the same program wait for the
//! one that builds it.
//!
//! ```ignore
//! let said = Program::new("graph").generated(&out).build(Build::Sanitized).run();
//! assert_eq!(said, "ok\n");
//! ```

mod builds;
mod compilers;
mod errors;
mod key;
mod objects;
mod units;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use walkdir::{DirEntry, WalkDir};

use super::processor;
use crate::trial;
pub(crate) use builds::Build;
pub(crate) use compilers::{by_clang, clang, compiler, quick};
use compilers::{sanitizing, version};
pub(crate) use errors::errors_by_place;
pub(crate) use key::Key;
pub(crate) use units::is_further_part;

/// The headers of the standard library that families' sources include.
const STANDARD: &str = include_str!("standard.h");

/// A C++ program or shared library, before it is compiled.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    name: String,
    sources: Vec<PathBuf>,
    generated: Vec<PathBuf>,
    texts: Vec<(String, String)>,
    includes: Vec<PathBuf>,
    system: Vec<PathBuf>,
    precompiled: Option<String>,
    standard: String,
    warnings: Vec<String>,
    flags: Vec<String>,
    links: Vec<String>,
    build: Build,
    shared: bool,
    compiler: &'static OsStr,
}

impl Program {
    /// A program without sources, in C++17, with warnings as errors. The name appears only in file
    /// names and messages.
    pub(crate) fn new(name: &str) -> Program {
        Program {
            name: name.to_owned(),
            sources: Vec::new(),
            generated: Vec::new(),
            texts: Vec::new(),
            includes: Vec::new(),
            system: Vec::new(),
            precompiled: None,
            standard: "c++17".to_owned(),
            warnings: ["-Wall", "-Wextra", "-Werror"].map(str::to_owned).to_vec(),
            flags: Vec::new(),
            links: Vec::new(),
            build: Build::Plain,
            shared: false,
            compiler: compiler(),
        }
    }

    /// The same for one of several programs of a family: clang++ compiles it, where that is
    /// installed, with the standard library's headers precompiled. Another program has the family's
    /// constructs for the machine's compiler.
    pub(crate) fn quick(name: &str) -> Program {
        Program::new(name).compiler(quick()).precompiled(STANDARD)
    }

    /// Adds a source file.
    pub(crate) fn source(mut self, path: impl Into<PathBuf>) -> Program {
        self.sources.push(path.into());
        self
    }

    /// Adds a source that a test holds as text; `name` ends in `.cpp`.
    pub(crate) fn text(mut self, name: &str, text: &str) -> Program {
        assert!(name.ends_with(".cpp") && !name.contains('/'), "the name of a source: {name}");
        self.texts.push((name.to_owned(), text.to_owned()));
        self
    }

    /// Adds an include directory. The hash covers all files below it, so it should hold little else
    /// than headers.
    pub(crate) fn include(mut self, directory: impl Into<PathBuf>) -> Program {
        self.includes.push(directory.into());
        self
    }

    /// Adds a directory of generated files: the directory itself for includes, and every `.cpp`
    /// below it as a source.
    ///
    /// The precompiled headers of the standard library hide missing includes. So a program with
    /// them also compiles the sources of a directory as one (`units.rs`), in half the time.
    #[track_caller]
    pub(crate) fn generated(mut self, directory: &Path) -> Program {
        let sources = files(directory);
        self.generated.extend(sources.into_iter().filter(|path| path.extension() == Some(OsStr::new("cpp"))));
        assert!(!self.generated.is_empty(), "no .cpp below {}", directory.display());
        self.include(directory)
    }

    /// Adds an include directory of headers that never change at that path, as those of an
    /// installed torch. Only its path is hashed, and warnings in it are ignored.
    pub(crate) fn system(mut self, directory: impl Into<PathBuf>) -> Program {
        self.system.push(directory.into());
        self
    }

    /// Compiles as another standard than C++17, such as `c++20`.
    pub(crate) fn standard(mut self, standard: &str) -> Program {
        self.standard = standard.to_owned();
        self
    }

    /// Chooses other warnings than `-Wall -Wextra -Werror`.
    pub(crate) fn warnings(mut self, flags: &[&str]) -> Program {
        self.warnings = flags.iter().map(|&flag| flag.to_owned()).collect();
        self
    }

    /// Compiles a header once for all programs with the same flags, and includes it before each
    /// source. Use it for headers that take seconds to compile, such as torch's.
    pub(crate) fn precompiled(mut self, header: &str) -> Program {
        self.precompiled = Some(header.to_owned());
        self
    }

    /// Adds a flag of the compiler. It must not name a temporary directory, because it is part of
    /// the hash.
    pub(crate) fn flag(mut self, flag: impl Into<String>) -> Program {
        self.flags.push(flag.into());
        self
    }

    /// Adds a flag of the linker, as `-L…` or `-l…`.
    pub(crate) fn link(mut self, flag: impl Into<String>) -> Program {
        self.links.push(flag.into());
        self
    }

    /// Chooses the build; [`Build::Plain`] is the default. The standard library's headers are
    /// precompiled for one with sanitizers: the one as shipped shows that no `#include` is missing.
    pub(crate) fn build(mut self, build: Build) -> Program {
        self.build = build;
        if build == Build::Sanitized {
            self.precompiled.get_or_insert_with(|| STANDARD.to_owned());
            if self.compiler == compiler() {
                self.compiler = sanitizing();
            }
        }
        self
    }

    /// Compiles with another compiler than [`compiler`], as one that [`clang`] finds.
    pub(crate) fn compiler(mut self, compiler: &'static OsStr) -> Program {
        self.compiler = compiler;
        self
    }

    /// Makes a shared library with every symbol resolved instead of a program.
    pub(crate) fn shared(mut self) -> Program {
        self.shared = true;
        self
    }

    /// Compiles and links, and returns the path of the program, which remains valid until `target`
    /// is removed.
    ///
    /// # Panics
    ///
    /// If the compiler fails, with its output.
    #[track_caller]
    pub(crate) fn built(&self) -> PathBuf {
        self.tried().unwrap_or_else(|text| panic!("{} does not compile as {:?}:\n{text}", self.name, self.build))
    }

    /// The same, or the compiler's output.
    pub(crate) fn tried(&self) -> Result<PathBuf, String> {
        let directory = directory().join(format!("{}-{}", self.name, self.hash()));
        let artifact = directory.join(if self.shared { format!("lib{}.so", self.name) } else { self.name.clone() });
        let _lock = locked(&directory);
        if !artifact.is_file() {
            self.make(&directory, &artifact)?;
        }
        Ok(artifact)
    }

    /// Compiles, links and runs the program without arguments, and returns its standard output.
    ///
    /// # Panics
    ///
    /// If the compiler or the program fails, or a sanitizer reports an error, with all output.
    #[track_caller]
    pub(crate) fn run(&self) -> String {
        self.run_with(&[], &[])
    }

    /// Like [`Program::run`], with arguments and environment variables.
    #[track_caller]
    pub(crate) fn run_with(&self, arguments: &[&str], environment: &[(&str, &str)]) -> String {
        let program = self.built();
        let mut key = Key::default();
        arguments.iter().for_each(|argument| key.add(argument.as_bytes()));
        key.add(b"environment");
        environment.iter().for_each(|(name, value)| key.add(format!("{name}={value}").as_bytes()));
        let said = program.with_file_name(format!("run-{}", key.hex()));
        let _lock = locked(&said);
        if let Ok(text) = fs::read_to_string(&said) {
            return text;
        }
        let output = command(&program, arguments, environment);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{} as {:?} ended with {}:\n{text}{errors}",
            self.name,
            self.build,
            output.status
        );
        write(&said, &text);
        text
    }

    /// Compiles, links and runs a program that must fail, for example by `abort` or a sanitizer,
    /// and returns its output on both streams. It is for tests of wrong usage. Runs are not kept.
    ///
    /// # Panics
    ///
    /// If it does not compile, or does not fail.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: &[&str]) -> String {
        let output = command(&self.built(), arguments, &[]);
        let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!output.status.success(), "{} does not fail:\n{text}", self.name);
        text
    }

    /// The compiler's errors for a program that must not compile, for tests of what a type forbids.
    ///
    /// # Panics
    ///
    /// If it compiles.
    #[track_caller]
    pub(crate) fn refused(&self) -> String {
        let text = self.errors();
        assert!(!text.is_empty(), "{} compiles, and must not", self.name);
        text
    }

    /// All errors of the compiler, warnings included; empty if every source compiles.
    pub(crate) fn errors(&self) -> String {
        let directory = directory().join(format!("{}-errors-{}", self.name, self.hash()));
        let said = directory.join("errors");
        let _lock = locked(&directory);
        if let Ok(text) = fs::read_to_string(&said) {
            return text;
        }
        fs::create_dir_all(&directory).expect("a directory below target");
        let text = self.compile(&directory, true).err().unwrap_or_default();
        write(&said, &text);
        text
    }

    /// Checks that every source compiles without warnings.
    pub(crate) fn compiles(&self) {
        let directory = directory().join(format!("{}-checked-{}", self.name, self.hash()));
        let _lock = locked(&directory);
        fs::create_dir_all(&directory).expect("a directory below target");
        if !directory.join("done").is_file() {
            self.compile(&directory, true).unwrap_or_else(|text| panic!("{}:\n{text}", self.name));
            write(&directory.join("done"), "");
        }
    }

    /// The header that programs with these flags include first, compiled. Another build can use it
    /// with the same flags and `-include`.
    #[track_caller]
    pub(crate) fn compiled_header(&self) -> PathBuf {
        let text = self.precompiled.as_ref().expect("a program with a precompiled header");
        self.header(text, &self.header_flags()).unwrap_or_else(|text| panic!("{}:\n{text}", self.name))
    }

    /// The hash of the program's inputs.
    fn hash(&self) -> String {
        let mut key = self.surroundings();
        self.links.iter().for_each(|flag| key.add(flag.as_bytes()));
        key.add(if self.shared { b"shared" } else { b"program" });
        key.add(self.precompiled.as_deref().unwrap_or_default().as_bytes());
        for (name, text) in &self.texts {
            key.add(name.as_bytes());
            key.add(text.as_bytes());
        }
        for source in self.sources.iter().chain(&self.generated) {
            key.add(source.file_name().expect("a source is a file").as_encoded_bytes());
            key.add(&read(source));
        }
        for directory in &self.includes {
            for file in files(directory) {
                let name = file.strip_prefix(directory).expect("a file below its directory");
                key.add(name.as_os_str().as_encoded_bytes());
                key.add(&read(&file));
            }
        }
        key.hex()
    }

    /// The part of the hash that covers how each source is compiled.
    fn surroundings(&self) -> Key {
        let mut key = Key::default();
        key.add(version(self.compiler).as_bytes());
        key.add(self.compiler.as_encoded_bytes());
        self.all_flags().iter().for_each(|flag| key.add(flag.as_bytes()));
        self.system.iter().for_each(|directory| key.add(directory.as_os_str().as_encoded_bytes()));
        key
    }

    fn all_flags(&self) -> Vec<String> {
        let mut flags = vec![format!("-std={}", self.standard)];
        flags.extend(self.build.flags().iter().map(|&flag| flag.to_owned()));
        flags.extend(self.warnings.iter().chain(&self.flags).cloned());
        flags.push("-pthread".to_owned());
        // For programs too, so that they share objects and precompiled headers with libraries.
        flags.push("-fPIC".to_owned());
        flags
    }

    /// The flags of sources and of the precompiled header.
    fn header_flags(&self) -> Vec<String> {
        let mut flags = self.all_flags();
        for directory in &self.system {
            flags.extend(["-isystem".to_owned(), directory.display().to_string()]);
        }
        flags
    }

    /// Compiles and links into `directory`. The artifact gets its final name when it is complete.
    fn make(&self, directory: &Path, artifact: &Path) -> Result<(), String> {
        fs::create_dir_all(directory).expect("a directory below target");
        let objects = self.compile(directory, false)?;
        let partial = directory.join("partial");
        let mut link = Command::new(self.compiler);
        link.args(self.build.flags()).arg("-pthread").args(&objects).arg("-o").arg(&partial);
        if self.shared {
            link.args(["-shared", "-Wl,-z,defs"]);
        }
        finished(link.args(&self.links))?;
        fs::rename(&partial, artifact).expect("a name in the same directory");
        Ok(())
    }

    /// The precompiled header of these flags.
    fn header(&self, text: &str, flags: &[String]) -> Result<PathBuf, String> {
        let mut key = self.surroundings();
        key.add(text.as_bytes());
        let directory = directory().join(format!("header-{}", key.hex()));
        let header = directory.join("all.h");
        let _lock = locked(&directory);
        let compiled = directory.join("all.h.gch");
        if !compiled.is_file() {
            fs::create_dir_all(&directory).expect("a directory below target");
            write(&header, text);
            let partial = directory.join("partial");
            let mut command = Command::new(self.compiler);
            command.args(flags).args(["-x", "c++-header"]).arg(&header).arg("-o").arg(&partial);
            if version(self.compiler).contains("clang") {
                command.arg("-fpch-instantiate-templates");
            }
            trial::shared("precompiled header", || finished(&mut command))?;
            fs::rename(&partial, &compiled).expect("a name in the same directory");
        }
        Ok(header)
    }

    /// Compiles every source, in parallel, and returns the objects in order, or all errors
    /// together. With `syntax`, only checks them: the paths are then of no files.
    fn compile(&self, directory: &Path, syntax: bool) -> Result<Vec<PathBuf>, String> {
        let mut sources = self.sources.clone();
        match self.precompiled.as_deref() == Some(STANDARD) {
            true => sources.extend(units::together(&self.generated, &self.includes, directory)),
            false => sources.extend_from_slice(&self.generated),
        }
        for (name, text) in &self.texts {
            let path = directory.join(name);
            write(&path, text);
            sources.push(path);
        }
        assert!(!sources.is_empty(), "{} has no sources", self.name);
        let mut flags = self.header_flags();
        if let Some(header) = &self.precompiled {
            let header = self.header(header, &flags)?;
            flags.extend(["-include".to_owned(), header.display().to_string(), "-Winvalid-pch".to_owned()]);
        }
        let compile = |source: &PathBuf| {
            let mut command = Command::new(self.compiler);
            command.args(&flags);
            for directory in &self.includes {
                command.arg("-I").arg(directory);
            }
            if syntax {
                if version(self.compiler).contains("clang") {
                    command.args(["-ferror-limit=0", "-fshow-overloads=best"]);
                }
                return finished(command.arg("-fsyntax-only").arg(source)).map(|()| PathBuf::new());
            }
            let mut key = self.surroundings();
            key.add(self.precompiled.as_deref().unwrap_or_default().as_bytes());
            objects::object(&self::directory(), key, source, &self.includes, command)
        };
        let results: Vec<_> = sources.par_iter().map(|source| trial::counted(|| compile(source))).collect();
        let (results, seconds): (Vec<_>, Vec<f64>) = results.into_iter().unzip();
        trial::add_processor_seconds(seconds.into_iter().sum());
        let errors: String = results.iter().filter_map(|result| result.as_ref().err()).cloned().collect();
        if errors.is_empty() { Ok(results.into_iter().flatten().collect()) } else { Err(errors) }
    }
}

/// Where results are kept.
fn directory() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target directory").join("cxx")
}

/// Takes the lock of a path, for this process and thread; dropping the guard releases it.
fn locked(path: &Path) -> File {
    let parent = path.parent().expect("a path below target");
    fs::create_dir_all(parent).expect("a directory below target");
    let name = path.file_name().expect("a named path").to_string_lossy();
    let file = File::create(parent.join(format!("{name}.lock"))).expect("a lock file below target");
    file.lock().expect("a lock below target");
    file
}

/// All files below a directory, sorted, without hidden ones.
#[track_caller]
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(directory).sort_by_file_name().into_iter();
    // The generator's manifest is not C++, and contains paths of the run.
    let shown = |entry: &DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
    entries
        .filter_entry(shown)
        .map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", directory.display())))
        .filter(|entry| entry.file_type().is_file())
        .map(DirEntry::into_path)
        .collect()
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Runs a step of the compiler. If it fails, its output is the error.
fn finished(command: &mut Command) -> Result<(), String> {
    let output = processor::output(command).unwrap_or_else(|error| panic!("{command:?}: {error}"));
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

fn command(program: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied());
    processor::output(&mut command).unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}
