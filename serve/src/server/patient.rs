//! A connection whose other end has to take what is written, within a time.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream that breaks off when a write has made no progress for so long. A client that reads nothing would hold its
/// connection, and the answer, for ever.
pub(super) struct Patient<S> {
    stream: S,
    patience: Duration,
    /// When it ends.
    end: Pin<Box<Sleep>>,
    /// Whether a write waits for the other end.
    waits: bool,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, patience: Duration) -> Self {
        Self { stream, patience, end: Box::pin(sleep(patience)), waits: false }
    }

    /// The outcome of a write, or that it has waited too long.
    fn judge<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits = false;
            return written;
        }
        if !self.waits {
            self.waits = true;
            self.end.as_mut().reset(Instant::now() + self.patience);
        }
        ready!(self.end.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(flushed, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(shut, context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_reader_may_be_slow_but_not_still() {
        const PATIENCE: Duration = Duration::from_secs(10);
        let (ours, mut theirs) = duplex(10);
        let mut ours = Patient::new(ours, PATIENCE);
        let reading = async {
            let mut bytes = [0; 10];
            for _ in 0..3 {
                sleep(PATIENCE * 9 / 10).await;
                theirs.read_exact(&mut bytes).await.expect("more to read");
            }
        };
        let (written, ()) = tokio::join!(ours.write_all(&[7; 40]), reading);
        written.expect("the reader takes a little every time");
        let still = ours.write_all(&[7]).await.expect_err("nobody reads any more");
        assert_eq!(still.kind(), io::ErrorKind::TimedOut);
    }
}
