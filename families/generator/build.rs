//! Lists the files of this crate.

use torchgen_embedded::Kind;
use torchgen_embedded::build::list;

fn main() {
    list(Kind::Templates, "templates");
}
