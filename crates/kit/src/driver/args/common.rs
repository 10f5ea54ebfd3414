//! The flags beyond a command's own: which there are, and which of them a command has.
//!
//! Invariant: a flag is defined once, here, so that it has the same help everywhere. Every command
//! has those of [`Common<0>`]; a further one only where it has an effect.

use std::any::Any;
use std::ffi::OsString;
use std::ops::Deref;
use std::path::PathBuf;

use clap::builder::EnumValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};

use super::{ColorChoice, DIAGNOSTICS, INPUT, MAX_ERRORS, MessageFormat, OUTPUT, PERFORMANCE, threads};

/// The flags beyond a command's own. As arguments, all of them: those of a command that reads,
/// renders, and writes files that a later run can reuse.
#[derive(Debug, Clone, Default)]
pub struct CommonArgs {
    /// Directories of overlay templates.
    pub template_dir: Vec<PathBuf>,
    /// Directories of additional tables of facts.
    pub data_dir: Vec<PathBuf>,
    /// Where the Makefile fragment goes.
    pub depfile: Option<PathBuf>,
    /// Write nothing, and fail if an output would change.
    pub verify: bool,
    /// Remove files that an earlier run wrote and this one does not.
    pub prune: bool,
    /// Warnings are errors.
    pub strict: bool,
    /// Print no summary.
    pub quiet: bool,
    /// Print more.
    pub verbose: bool,
    /// The maximum number of errors to show; 0 means no limit.
    pub max_errors: usize,
    /// How to print diagnostics.
    pub message_format: MessageFormat,
    /// When to color diagnostics.
    pub color: ColorChoice,
    /// The number of threads.
    pub threads: Option<usize>,
    /// Print the time of stages.
    pub timings: bool,
    /// Where the events of the run go, for programs that draw them.
    pub trace: Option<PathBuf>,
    /// Generate even if nothing changed.
    pub force: bool,
}

/// `--template-dir`: the command renders templates.
pub const TEMPLATES: u16 = 1;
/// `--data-dir`: it uses the tables of facts.
pub const DATA: u16 = 1 << 1;
/// `--depfile`: build systems run it.
pub const DEPFILE: u16 = 1 << 2;
/// `--verify`: it writes files that it also wrote earlier.
pub const VERIFY: u16 = 1 << 3;
/// `--strict`: it warns.
pub const STRICT: u16 = 1 << 4;
/// `--threads` and `--timings`: it may take long.
pub const LONG: u16 = 1 << 5;
/// `--force` and `--prune`: it remembers its runs.
const REMEMBERED: u16 = 1 << 6;
const ALL: u16 = u16::MAX;

/// The help of `--timings`.
const TIMINGS: &str = "Print the time that each stage and each generator took

With a file, also write when each one ran, in the trace event format: open it in ui.perfetto.dev or chrome://tracing.";

/// A part of the flags: those that every command has, and the ones of a set.
#[derive(Debug, Clone, Default)]
pub struct Common<const SET: u16>(CommonArgs);

impl<const SET: u16> Deref for Common<SET> {
    type Target = CommonArgs;

    fn deref(&self) -> &CommonArgs {
        &self.0
    }
}

impl<const SET: u16> From<Common<SET>> for CommonArgs {
    fn from(common: Common<SET>) -> CommonArgs {
        common.0
    }
}

impl<const SET: u16> Args for Common<SET> {
    fn augment_args(command: Command) -> Command {
        command.args(definitions(SET))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.args(definitions(SET))
    }
}

impl<const SET: u16> FromArgMatches for Common<SET> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Common(CommonArgs::from_matches(matches)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = CommonArgs::from_matches(matches);
        Ok(())
    }
}

impl Args for CommonArgs {
    fn augment_args(command: Command) -> Command {
        command.args(definitions(ALL))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.args(definitions(ALL))
    }
}

impl FromArgMatches for CommonArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(CommonArgs::from_matches(matches))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = CommonArgs::from_matches(matches);
        Ok(())
    }
}

impl CommonArgs {
    /// What is given; the default of a flag that the command does not have.
    fn from_matches(matches: &ArgMatches) -> CommonArgs {
        CommonArgs {
            template_dir: all(matches, "template_dir"),
            data_dir: all(matches, "data_dir"),
            depfile: one(matches, "depfile"),
            verify: one(matches, "verify").unwrap_or_default(),
            prune: one(matches, "prune").unwrap_or_default(),
            strict: one(matches, "strict").unwrap_or_default(),
            quiet: one(matches, "quiet").unwrap_or_default(),
            verbose: one(matches, "verbose").unwrap_or_default(),
            max_errors: one(matches, "max_errors").unwrap_or(MAX_ERRORS),
            message_format: one(matches, "message_format").unwrap_or_default(),
            color: one(matches, "color").unwrap_or_default(),
            threads: one(matches, "threads"),
            timings: one::<OsString>(matches, "timings").is_some(),
            trace: one::<OsString>(matches, "timings").filter(|path| !path.is_empty()).map(PathBuf::from),
            force: one(matches, "force").unwrap_or_default(),
        }
    }
}

/// The value of an argument, if the command has it and there is one.
fn one<T: Any + Clone + Send + Sync>(matches: &ArgMatches, id: &str) -> Option<T> {
    matches.try_get_one(id).ok().flatten().cloned()
}

/// All values of an argument, if the command has it.
fn all<T: Any + Clone + Send + Sync>(matches: &ArgMatches, id: &str) -> Vec<T> {
    matches.try_get_many(id).ok().flatten().map(|values| values.cloned().collect()).unwrap_or_default()
}

/// The flags of every command, and those of a set. The first are also accepted before the command.
fn definitions(set: u16) -> Vec<Arg> {
    let flag = |id: &'static str, heading, help: &'static str| {
        Arg::new(id).long(id).action(ArgAction::SetTrue).help_heading(heading).help(help)
    };
    let value = |id: &'static str, long: &'static str, name, heading, help: &'static str| {
        Arg::new(id).long(long).value_name(name).help_heading(heading).help(help)
    };
    let dirs = |id, long, help| {
        let dir = value(id, long, "DIR", INPUT, help).value_parser(value_parser!(PathBuf)).action(ArgAction::Append);
        dir.hide_short_help(true)
    };
    let of_some = [
        (
            TEMPLATES,
            dirs(
                "template_dir",
                "template-dir",
                "Replace templates with those of the same name in this directory; can be repeated",
            ),
        ),
        (
            DATA,
            dirs(
                "data_dir",
                "data-dir",
                "Extend the tool's tables of facts with those of the same name in this directory; can be repeated",
            ),
        ),
        (
            DEPFILE,
            value("depfile", "depfile", "FILE", OUTPUT, "Write a Makefile fragment that lists all inputs and outputs")
                .value_parser(value_parser!(PathBuf))
                .hide_short_help(true),
        ),
        (VERIFY, flag("verify", OUTPUT, "Write nothing, and fail if an output would change")),
        (
            REMEMBERED,
            flag("prune", OUTPUT, "Remove files that an earlier run of the same command wrote and this one does not")
                .hide_short_help(true),
        ),
        (STRICT, flag("strict", DIAGNOSTICS, "Treat warnings as errors")),
    ];
    let of_all = [
        flag("quiet", DIAGNOSTICS, "Print no summary; results and diagnostics stay")
            .short('q')
            .overrides_with("verbose"),
        flag("verbose", DIAGNOSTICS, "Print more: the files that changed, and notes").short('v'),
        value("max_errors", "max-errors", "N", DIAGNOSTICS, "Maximum number of errors to show; 0 means no limit")
            .value_parser(value_parser!(usize))
            .default_value("100")
            .hide_short_help(true),
        value("message_format", "message-format", "FORMAT", DIAGNOSTICS, "How to print diagnostics")
            .value_parser(EnumValueParser::<MessageFormat>::new())
            .default_value("human")
            .hide_short_help(true),
        value("color", "color", "WHEN", DIAGNOSTICS, "When to color diagnostics")
            .value_parser(EnumValueParser::<ColorChoice>::new())
            .default_value("auto")
            .hide_short_help(true),
    ];
    let last = [
        (
            LONG,
            value("threads", "threads", "N", PERFORMANCE, "Number of threads [default: one per core]")
                .short('j')
                .visible_alias("jobs")
                .value_parser(threads)
                .hide_short_help(true),
        ),
        (
            LONG,
            value("timings", "timings", "FILE", PERFORMANCE, "Print the time that each stage and each generator took")
                .long_help(TIMINGS)
                .value_parser(value_parser!(OsString))
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("")
                .hide_short_help(true),
        ),
        (
            REMEMBERED,
            flag("force", PERFORMANCE, "Generate even if nothing changed since the last run").hide_short_help(true),
        ),
    ];
    let wanted = |(bits, arg): (u16, Arg)| (set & bits != 0).then_some(arg);
    let of_all = of_all.into_iter().map(|arg| arg.global(true));
    of_some.into_iter().filter_map(wanted).chain(of_all).chain(last.into_iter().filter_map(wanted)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_has_the_flags_of_its_set() {
        let names = |set| definitions(set).iter().map(|arg| arg.get_id().to_string()).collect::<Vec<_>>();
        assert_eq!(names(0), ["quiet", "verbose", "max_errors", "message_format", "color"]);
        assert_eq!(names(VERIFY | STRICT)[..2], ["verify", "strict"]);
        assert_eq!(names(ALL).len(), 14);
    }

    #[test]
    fn missing_flags_have_their_defaults() {
        let parse = |line: &str| {
            let command = Common::<STRICT>::augment_args(Command::new("x"));
            let matches = command.try_get_matches_from(line.split(' ')).expect("flags");
            Common::<STRICT>::from_arg_matches(&matches).expect("flags")
        };
        let args = parse("x --strict -v");
        assert!(args.strict && args.verbose && !args.quiet && !args.force);
        assert_eq!((args.max_errors, args.threads), (MAX_ERRORS, None));
        let args = parse("x -v -q");
        assert!(args.quiet && !args.verbose);
        let args = parse("x -q --max-errors 3 --color never");
        assert_eq!((args.quiet, args.max_errors, args.color), (true, 3, ColorChoice::Never));
    }
}
