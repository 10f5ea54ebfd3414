//! The templates of PyTorch's family, with the rules of the torch version that a file is of.

use std::sync::LazyLock;

use crate::model::Loaded;
use torchgen_base::render::Renderer;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::rules::Rules;

/// Those for a file; without one, for the newest version.
pub(crate) fn renderer(loaded: Option<&Loaded>) -> &Renderer {
    static EMBEDDED: LazyLock<Renderer> = LazyLock::new(|| with_rules(Tables::embedded()));
    match loaded {
        Some(loaded) if !std::ptr::eq::<Tables>(&*loaded.tables, Tables::embedded()) => {
            loaded.renderer.get_or_init(|| with_rules(&loaded.tables))
        }
        _ => &EMBEDDED,
    }
}

fn with_rules(tables: &Tables) -> Renderer {
    // Tests render all of them.
    #[allow(clippy::expect_used)]
    let mut renderer = Renderer::new("torch").expect("templates compile");
    Rules::serve(tables, &mut renderer);
    renderer
}
