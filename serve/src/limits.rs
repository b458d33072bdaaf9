//! How much one client may ask for.

use std::time::Duration;

/// Limits on requests and connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body, unpacked, that is held in memory as a whole; more is refused with 413. CSV, NDJSON and Arrow streams
    /// are not, and may be of any length; of them it bounds a line or a message. Default 64 MiB.
    pub body_bytes: usize,
    /// Rows of a request; more is refused with 400. Default: no limit.
    pub rows: usize,
    /// Bytes of an answer that is held in memory, because the body is still being read or the client does not take it. A
    /// request that would get a longer one is refused with 400 or, once its answer has begun, broken off. Default 64 MiB.
    pub answer_bytes: usize,
    /// Open connections; further ones wait to be accepted. Default 1,000, below the usual limit of 1,024 open files.
    pub connections: usize,
    /// Requests at a time on a connection of HTTP/2; further ones wait. Default 128.
    pub streams: u32,
    /// From the moment a connection is open, or its last answer sent, until the whole header of the next request is
    /// there: the bound for slow clients and for idle ones. Default 75 s, longer than common load balancers keep an
    /// idle connection, so that they never send on one that is being closed.
    pub header_timeout: Duration,
    /// From a request's header until its whole body is there, or, of a body that is read piece by piece, from one piece to
    /// the next; then 408. Default 30 s.
    pub body_timeout: Duration,
    /// How long a client may take nothing of its answer; then the connection is broken off. Default 30 s.
    pub write_timeout: Duration,
    /// From the moment a request is read until its answer begins; then 504. Default 60 s.
    pub request_timeout: Duration,
    /// Large requests that wait, with their bodies in memory, while others keep all processors busy; further ones are
    /// refused with 503. Default 64.
    pub waiting_jobs: usize,
    /// How long requests in flight may take to finish once the server stops. Default 10 s.
    pub shutdown_deadline: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 64 << 20,
            rows: usize::MAX,
            answer_bytes: 64 << 20,
            connections: 1_000,
            streams: 128,
            header_timeout: Duration::from_secs(75),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            request_timeout: Duration::from_mins(1),
            waiting_jobs: 64,
            shutdown_deadline: Duration::from_secs(10),
        }
    }
}
