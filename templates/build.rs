//! Lists the files of this crate.

fn main() {
    torchgen_embedded::build::list(torchgen_embedded::FileKind::Templates, ".");
}
