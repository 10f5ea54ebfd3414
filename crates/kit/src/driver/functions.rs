//! Functions of the caller by name, such as those of Python, which a family's templates call.
//!
//! Invariant: arguments and results are JSON, so that a family knows no language of a caller.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::Session;

/// Calls a function: its name, and the list of arguments as JSON. The result is JSON, or why there
/// is none.
type Call = dyn Fn(&str, &str) -> Result<String, String> + Send + Sync;

/// Functions of the caller.
pub struct CallerFunctions {
    names: Vec<String>,
    call: Box<Call>,
}

impl fmt::Debug for CallerFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CallerFunctions").field(&self.names).finish()
    }
}

impl CallerFunctions {
    /// Functions with these names, for [`Host::calling`](super::Host::calling).
    pub fn of_caller(
        names: Vec<String>,
        call: impl Fn(&str, &str) -> Result<String, String> + Send + Sync + 'static,
    ) -> Arc<dyn Any + Send + Sync> {
        Arc::new(CallerFunctions { names, call: Box::new(call) })
    }

    /// Those of a run, if its caller has any.
    pub fn of_session(session: &Session) -> Option<Arc<CallerFunctions>> {
        session.host.called()
    }

    /// Their names.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Calls one.
    ///
    /// # Errors
    /// It failed, or returned what JSON cannot say.
    pub fn call(&self, name: &str, arguments: &str) -> Result<String, String> {
        (self.call)(name, arguments)
    }
}
