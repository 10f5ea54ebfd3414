//! The diagnostics of the family.

torchgen_base::diag::codes::codes! {
    UNKNOWN_UNIT: "TG9901" "unknown-unit" Error "A unit is defined by a unit that does not exist.";
}
