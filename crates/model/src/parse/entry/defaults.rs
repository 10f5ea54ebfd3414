//! Checks `defaults:` of library.yaml, before entries get them.
//!
//! Invariant: an error in a default is reported once, not for each entry.

use super::{EntryOptions, device_check, registration, variants, written_tags};
use crate::records::DefaultsRecord;
use torchgen_base::diag::Diagnostics;

/// The defaults without those that no entry can have.
pub fn checked(mut defaults: DefaultsRecord, options: EntryOptions, diagnostics: &mut Diagnostics) -> DefaultsRecord {
    let mut keep = |check: &dyn Fn(&mut Diagnostics)| {
        let mut found = Diagnostics::new();
        check(&mut found);
        let is_right = !found.has_errors();
        diagnostics.extend(found);
        is_right
    };
    if !keep(&|found| _ = variants(defaults.variants.as_ref(), found)) {
        defaults.variants = None;
    }
    if !keep(&|found| _ = device_check(defaults.device_check.as_ref(), found)) {
        defaults.device_check = None;
    }
    if !keep(&|found| _ = registration::registration(defaults.registration.as_ref(), found)) {
        defaults.registration = None;
    }
    if !keep(&|found| _ = written_tags(defaults.tags.as_ref(), options, found)) {
        defaults.tags = None;
    }
    defaults
}
