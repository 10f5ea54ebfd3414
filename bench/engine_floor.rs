//! Measures the template engine alone: a number of renders with a total number of bytes, from a
//! prepared value.
//!
//! `cargo bench --bench engine_floor -- RENDERS BYTES` prints seconds, with as many threads as a
//! run. The template is like a small fragment: fields, a condition, a loop, and plain text up to
//! the mean length.

use std::time::Instant;

use minijinja::{Environment, UndefinedBehavior, Value, context};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

const FRAGMENT: &str = "{{ result }} {{ name }}({% for a in arguments %}{{ a.type }} {{ a.name }}{% if not loop.last %}, {% endif %}{% endfor %}) \
                        {\n{% if guard %}  {{ guard }}({{ name }});\n{% endif %}  return {{ called }}({{ name }});\n}\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo adds a flag of its own.
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse::<usize>().ok());
    let (Some(renders), Some(bytes)) = (numbers.next(), numbers.next()) else {
        eprintln!("usage: cargo bench --bench engine_floor -- RENDERS BYTES");
        return Ok(());
    };
    let argument = |name: &str| context! { type => "const at::Tensor &", name => name };
    let view = context! {
        result => "at::Tensor", name => "wrapper_CPU_add_Tensor", called => "at::native::add", guard => Some("check"),
        arguments => ["self", "other", "alpha"].map(argument).to_vec(),
    };
    let make = |text: String| -> Result<Environment<'static>, minijinja::Error> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_reload(false);
        environment.add_template_owned("fragment", text)?;
        Ok(environment)
    };
    let short = make(FRAGMENT.to_owned())?.get_template("fragment")?.render(view.clone())?;
    let padding = (bytes / renders.max(1)).saturating_sub(short.len());
    let environment = make(format!("{FRAGMENT}{}", "x".repeat(padding)))?;
    let started = Instant::now();
    let render = |_: usize| -> Result<usize, minijinja::Error> {
        let view: Value = view.clone();
        Ok(environment.get_template("fragment")?.render(view)?.len())
    };
    let made: usize = (0..renders).into_par_iter().map(render).sum::<Result<usize, _>>()?;
    assert!(made >= renders * short.len(), "all were made");
    println!("{:.6}", started.elapsed().as_secs_f64());
    Ok(())
}
