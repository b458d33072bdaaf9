//! An answer that is sent while it is made.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use http_body::Frame;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::timeout;

use crate::error::ServeError;

/// Takes the parts of an answer. So many bytes wait for the client and no more: some clients send their whole body before
/// they read, and of those only the short answers can be held.
pub(super) struct Outgoing {
    parts: mpsc::UnboundedSender<Result<Bytes, io::Error>>,
    room: Arc<Semaphore>,
    limit: usize,
    patience: Duration,
}

/// What the permits of the room are counted in.
const UNIT: usize = 1 << 10;

impl Outgoing {
    /// An answer of which so many bytes may wait, and the body that sends it.
    pub fn new(limit: usize, patience: Duration) -> (Self, Body) {
        let (parts, receiver) = mpsc::unbounded_channel();
        let room = Arc::new(Semaphore::new((limit / UNIT).clamp(1, Semaphore::MAX_PERMITS)));
        let body = OutgoingBody { parts: receiver, room: Arc::clone(&room) };
        (Self { parts, room, limit, patience }, Body::new(body))
    }

    /// Sends a part, once there is room for it.
    pub async fn send(&mut self, part: Vec<u8>) -> Result<(), ServeError> {
        let units = u32::try_from(units(part.len())).map_err(|_| ServeError::AnswerTooLong { limit: self.limit })?;
        if units as usize > self.limit / UNIT {
            return Err(ServeError::AnswerTooLong { limit: self.limit });
        }
        match timeout(self.patience, self.room.acquire_many(units)).await {
            Ok(Ok(room)) => room.forget(),
            _ => return Err(ServeError::AnswerTooLong { limit: self.limit }),
        }
        self.parts.send(Ok(part.into())).map_err(|_| ServeError::BodyBrokenOff)
    }

    /// Ends the answer so that the client sees that it is not whole.
    pub fn break_off(self) {
        // Where the client is gone nobody has to be told.
        let _ = self.parts.send(Err(io::ErrorKind::BrokenPipe.into()));
    }
}

fn units(bytes: usize) -> usize {
    bytes.div_ceil(UNIT)
}

struct OutgoingBody {
    parts: mpsc::UnboundedReceiver<Result<Bytes, io::Error>>,
    room: Arc<Semaphore>,
}

impl http_body::Body for OutgoingBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.parts.poll_recv(context).map(|part| {
            Some(part?.map(|bytes| {
                self.room.add_permits(units(bytes.len()));
                Frame::data(bytes)
            }))
        })
    }
}
