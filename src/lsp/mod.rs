//! `torchgen-rs lsp`: a language server for the YAML of all families.
//!
//! Editors start it and talk to it over standard input and output, as version 3.17 of the Language
//! Server Protocol says. Diagnostics are those of `check`, facts those of `model`, layout that of
//! `format`: the server runs them with the texts that editors show, and has no rules of its own.
//!
//! Invariant: a request is answered from the texts as they are now and the last facts without an
//! error. A panic is an error reply, never the end of the server.

mod complete;
mod diagnostics;
mod entries;
mod hover;
mod index;
mod marks;
mod navigate;
mod project;
mod requests;
mod schema;
mod server;
mod text;
mod uri;
mod words;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crossbeam_channel::select;
use lsp_server::{Connection, ErrorCode, Message, ProtocolError, Request, Response};
use lsp_types::InitializeParams;

use self::server::Server;

/// Serves a client until it says to exit.
///
/// # Errors
/// The client breaks the protocol, or its streams close before it says `exit`.
pub(crate) fn serve(connection: &Connection) -> Result<(), ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    // A client with odd parameters gets the defaults.
    let params: InitializeParams = serde_json::from_value(params).unwrap_or_default();
    let mut server = Server::new(&params, connection.sender.clone());
    connection.initialize_finish(id, server.capabilities())?;
    server.begin();
    loop {
        select! {
            recv(connection.receiver) -> message => match message {
                Ok(Message::Request(request)) => {
                    if connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    answer(&mut server, request);
                }
                Ok(Message::Notification(notification)) => server.notice(notification),
                Ok(Message::Response(_)) => {}
                // The client is gone.
                Err(_) => return Ok(()),
            },
            recv(server.worker.done) -> done => if let Ok(done) = done {
                server.finish(done);
            },
        }
    }
}

/// Answers a request, unless the answer comes later.
fn answer(server: &mut Server, request: Request) {
    let id = request.id.clone();
    let result = catch_unwind(AssertUnwindSafe(|| requests::answer(server, request)));
    let response = match result {
        Ok(None) => return,
        Ok(Some(Ok(result))) => Response::new_ok(id, result),
        Ok(Some(Err((code, message)))) => Response::new_err(id, code as i32, message),
        Err(_) => {
            let message = "the server has a bug here: it panicked".to_owned();
            Response::new_err(id, ErrorCode::InternalError as i32, message)
        }
    };
    server.send(response.into());
}
