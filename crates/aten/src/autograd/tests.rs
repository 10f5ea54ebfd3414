//! Kernels, view replays and factories of a few operators in full, and the diagnostics for
//! operators that cannot have any.
//!
//! Cases are in `cases.txt` in the folder of this module. With `UPDATE_EXPECT=1` in the environment
//! the tests rewrite the expected text; review it before you commit.

use super::{trace_type, variable_factories};
use torchgen_base::render::Fragment;
use torchgen_generators::testing::{CopyVariants, derivative_cases, with_autograd};
use torchgen_generators::{AutogradContext, Errors, ad_inplace_or_view, view_funcs};

/// The texts of the generator of that name, in order.
fn texts(generator: &str, ctx: &AutogradContext) -> Result<Vec<Fragment>, Errors> {
    Ok(match generator {
        "trace_type" => trace_type::kernels(ctx)?.into_iter().flat_map(|k| [k.definition, k.registration]).collect(),
        "ad_inplace_or_view" => ad_inplace_or_view::kernels(ctx, "Scope::")?
            .into_iter()
            .flat_map(|kernel| [kernel.definition, Some(kernel.registration)])
            .flatten()
            .collect(),
        "view_funcs" => {
            view_funcs::replays(ctx)?.into_iter().flat_map(|replay| [replay.declaration, replay.definition]).collect()
        }
        "variable_factories" => variable_factories::functions(ctx)?.into_iter().map(|(_, text)| text).collect(),
        _ => panic!("no generator is called {generator}"),
    })
}

/// A case's title is a generator and a name.
#[test]
fn cases() {
    derivative_cases("src/autograd/tests/cases.txt", |title, target, yaml| {
        let (generator, _) = title.split_once(": ").unwrap();
        with_autograd(target, CopyVariants::Optional, yaml.0, yaml.1, |ctx| {
            Ok(texts(generator, ctx)?.iter().map(|text| text.as_str()).collect())
        })
    });
}
