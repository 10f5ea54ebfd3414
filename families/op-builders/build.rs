//! Lists the files of this crate.

use torchgen_embedded::FileKind;
use torchgen_embedded::build::list;

fn main() {
    list(FileKind::Templates, "templates");
}
