//! `torchgen-rs gen-version-header`: puts the parts of a version into a header.
//!
//! Invariant: the rest of the template is unchanged. Rule: PyTorch's
//! tools/setup_helpers/gen_version_header.py.

use super::MANAGER;
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::render::Renderer;
use torchgen_generators::args::VersionHeaderArgs;
use torchgen_kit::driver::output;
use torchgen_kit::driver::report::Summary;
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::codes;

/// What the template has for the parts of a version.
const PLACES: [&str; 3] = ["@TORCH_VERSION_MAJOR@", "@TORCH_VERSION_MINOR@", "@TORCH_VERSION_PATCH@"];

/// Runs the job.
///
/// # Errors
/// A file cannot be read or written, or there is no version in it.
pub fn generate(args: &VersionHeaderArgs, session: &mut Session) -> Result<Summary, JobError> {
    let bytes = session.read_bytes(&args.version_path)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let Some(parts) = parts(text.trim()) else {
        let (end, start) = (text.trim_end().len(), text.len() - text.trim_start().len());
        let file = session.sources.add(args.version_path.to_string_lossy(), text);
        let found = Diagnostic::new(&codes::ILLEGAL_VALUE, "this is not a version of three numbers");
        session.diagnostics.push(found.at(Span::new(file, start.min(end), end)).help("write it as `2.15.0a0`"));
        return Err(JobError::Input);
    };
    let template = session.read_bytes(&args.template_path)?;
    let template = String::from_utf8_lossy(&template).into_owned();
    let text = PLACES.iter().zip(parts).fold(template, |text, (place, part)| text.replace(place, &part.to_string()));
    let renderer = Renderer::new("torch")?;
    output::write_file(&args.common, MANAGER, &args.output_path, text, renderer, session)
}

/// The numbers that a version begins with.
fn parts(version: &str) -> Option<[u64; 3]> {
    let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
    let numbers: Vec<u64> = version[..end].split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn versions() {
        assert_eq!(parts("2.15.0a0+git123"), Some([2, 15, 0]));
        assert_eq!(parts("2.15.0"), Some([2, 15, 0]));
        assert_eq!(parts("2.15"), None);
        assert_eq!(parts("a"), None);
        assert_eq!(parts(""), None);
    }
}
