//! `torchgen-rs lsp`: a language server for the YAML of all families.
//!
//! Editors start it and talk to it over standard input and output, as version 3.17 of the Language
//! Server Protocol says. Diagnostics are those of `check`, facts those of `model`, layout that of
//! `format`: the server runs them with the texts that editors show, and has no rules of its own.
//!
//! Invariant: messages are served in order, but for requests that a later one cancels. A request is
//! answered from the texts as they are now and the last facts without an error. A panic is an error
//! reply, never the end of the server.

mod actions;
mod complete;
mod diagnostics;
mod edits;
mod entries;
mod hover;
mod index;
mod kernels;
mod marks;
mod navigate;
mod own_yaml;
mod project;
mod requests;
mod schema;
mod server;
mod text;
mod texts;
mod uri;
mod words;
mod worker;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam_channel::{Receiver, select, unbounded};
use gen_lsp_types::{CancelParams, LspNotificationMethod, LspRequestMethod};
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response};

use self::server::Server;

/// Serves a client until it says to exit.
///
/// # Errors
/// The client breaks the protocol, or its streams close before the handshake.
pub(crate) fn serve(connection: &Connection) -> Result<(), ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    let mut server = Server::new(&params, connection.sender.clone());
    connection.initialize_finish(id, server.capabilities())?;
    server.begin();
    let messages = messages(connection);
    let mut queue = VecDeque::new();
    loop {
        if queue.is_empty() {
            select! {
                recv(messages) -> message => match message {
                    Ok(message) => queue.push_back(message),
                    // The client is gone.
                    Err(_) => return Ok(()),
                },
                recv(server.worker.done) -> done => if let Ok(done) = done {
                    server.finish(done);
                },
            }
        }
        queue.extend(messages.try_iter());
        match queue.pop_front() {
            Some(Message::Request(request)) if request.method == LspRequestMethod::Shutdown.as_str() => {
                server.send(Response::new_ok(request.id, ()).into());
                queue.into_iter().chain(messages.iter()).find(|message| is_exit(message, &server));
                return Ok(());
            }
            Some(Message::Request(request)) => match queue.iter().any(|message| cancels(message, &request.id)) {
                true => server.send(server::cancelled(request.id).into()),
                false => answer(&mut server, request),
            },
            Some(Message::Notification(notification)) => server.notice(notification),
            Some(Message::Response(_)) | None => {}
        }
    }
}

/// The messages of a client, as many as there are: a request is served after a look at those that
/// follow.
fn messages(connection: &Connection) -> Receiver<Message> {
    let (sender, messages) = unbounded();
    let receiver = connection.receiver.clone();
    // It ends with the streams, or with the server.
    thread::spawn(move || receiver.iter().try_for_each(|message| sender.send(message)));
    messages
}

/// Whether a message after `shutdown` ends the server. Requests are refused then.
fn is_exit(message: &Message, server: &Server) -> bool {
    if let Message::Request(request) = message {
        let message = "the server is shutting down".to_owned();
        server.send(Response::new_err(request.id.clone(), ErrorCode::InvalidRequest as i32, message).into());
    }
    matches!(message, Message::Notification(notification) if notification.method == LspNotificationMethod::Exit.as_str())
}

/// Whether a message cancels a request.
fn cancels(message: &Message, id: &RequestId) -> bool {
    let Message::Notification(Notification { method, params }) = message else { return false };
    let cancelled = (method == LspNotificationMethod::CancelRequest.as_str())
        .then(|| server::read_parameters::<CancelParams>(params.clone()))
        .flatten();
    cancelled.is_some_and(|params| server::request_id(params.id) == *id)
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
