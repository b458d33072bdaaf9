//! The body of a request: is it short and quick enough?

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::http::header::EXPECT;
use http_body_util::BodyExt;
use hyper::body::Body as _;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::encoding::Encoding;
use crate::error::ServeError;
use crate::limits::Limits;

/// A body as it arrives, unpacked.
pub(crate) struct Incoming {
    body: Body,
    encoding: Encoding,
    /// What has arrived and is not unpacked.
    packed: Bytes,
    limit: usize,
    timeout: Duration,
    /// Whether the client asked to be told before it sends the body.
    waits: bool,
}

/// As much of a body as was wanted.
pub(crate) enum Read {
    Whole(Vec<u8>),
    /// There is more.
    Part(Vec<u8>),
}

/// A short body that is JSON; `expected` says of what shape.
pub(crate) async fn read_json<T: DeserializeOwned>(
    request: Request,
    limits: &Limits,
    expected: &str,
) -> Result<T, ServeError> {
    let (head, body) = request.into_parts();
    let body = Incoming::new(&head.headers, body, limits)?.whole().await?;
    serde_json::from_slice(&body).map_err(|_| ServeError::InvalidRequest { problem: format!("expected {expected}") })
}

impl Incoming {
    pub fn new(headers: &HeaderMap, body: Body, limits: &Limits) -> Result<Self, ServeError> {
        let encoding = Encoding::of(headers, limits.body_bytes)?;
        let waits = headers.contains_key(EXPECT);
        Ok(Self { body, encoding, packed: Bytes::new(), limit: limits.body_bytes, timeout: limits.body_timeout, waits })
    }

    /// The whole body.
    pub async fn whole(&mut self) -> Result<Vec<u8>, ServeError> {
        let late = ServeError::BodyTimeout { limit: self.timeout };
        let (limit, patience) = (self.limit, self.timeout);
        let read = async {
            if self.announced() > limit && self.encoding.is_identity() {
                return Err(ServeError::BodyTooLong { limit });
            }
            match self.up_to(limit).await? {
                Read::Whole(whole) => Ok(whole),
                Read::Part(_) => Err(ServeError::BodyTooLong { limit }),
            }
        };
        timeout(patience, read).await.unwrap_or(Err(late))
    }

    /// The body, or what is left of it, up to a length or a little more.
    pub async fn start(&mut self, length: usize) -> Result<Read, ServeError> {
        let late = ServeError::BodyTimeout { limit: self.timeout };
        timeout(self.timeout, self.up_to(length)).await.unwrap_or(Err(late))
    }

    async fn up_to(&mut self, length: usize) -> Result<Read, ServeError> {
        /// What is believed of an announced length before the bytes are there.
        const RESERVED: usize = 64 << 10;
        let mut read = Vec::with_capacity(self.announced().min(RESERVED));
        while let Some(piece) = self.piece().await? {
            read.extend_from_slice(&piece);
            if read.len() > length {
                return Ok(Read::Part(read));
            }
        }
        Ok(Read::Whole(read))
    }

    async fn piece(&mut self) -> Result<Option<Bytes>, ServeError> {
        if self.packed.is_empty() {
            match self.chunk().await? {
                Some(chunk) => self.packed = chunk,
                None => return Ok(Some(self.encoding.finish()?.into()).filter(|rest: &Bytes| !rest.is_empty())),
            }
        }
        if self.encoding.is_identity() {
            return Ok(Some(std::mem::take(&mut self.packed)));
        }
        let piece = self.packed.split_to(self.packed.len().min(Encoding::PIECE));
        Ok(Some(self.encoding.unpack(&piece)?.into()))
    }

    /// Takes the rest of a body that is refused, if it is not huge. Most clients look at the answer only when they have sent
    /// everything, and see a broken connection if the server closes it before.
    pub async fn discard(&mut self) {
        const WORTHWHILE: usize = 64 << 20;
        // A client that asked whether to send the body has not begun.
        if self.waits {
            return;
        }
        let patience = self.timeout;
        let take = async {
            let mut left = WORTHWHILE.checked_sub(self.announced());
            while let (Some(bytes), Ok(Some(chunk))) = (left, self.chunk().await) {
                left = bytes.checked_sub(chunk.len());
            }
        };
        // Late or not, the answer is the same.
        let _ = timeout(patience, take).await;
    }

    fn announced(&self) -> usize {
        usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX)
    }

    async fn chunk(&mut self) -> Result<Option<Bytes>, ServeError> {
        while let Some(frame) = self.body.frame().await {
            let frame = frame.map_err(|_| ServeError::BodyBrokenOff)?;
            if let Ok(chunk) = frame.into_data() {
                return Ok(Some(chunk));
            }
        }
        Ok(None)
    }
}
