//! Where a job is done: at once, or by a processor of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

use crate::error::ServeError;
use crate::registry::ServedModel;

/// How long a job takes, counted in weights of a net that are multiplied (about a nanosecond each).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Work(usize);

impl Work {
    /// What is done where the request is read: about a millisecond.
    pub const SMALL: Self = Self(1_000_000);

    /// To read this many bytes, and score this many rows.
    pub fn new(bytes: usize, rows: usize, model: &ServedModel) -> Self {
        /// Reading a byte takes about as long as so many weights.
        const BYTE: usize = 8;
        Self(bytes.saturating_mul(BYTE).saturating_add(rows.saturating_mul(model.row_cost())))
    }
}

/// The processors that do large jobs.
#[derive(Debug)]
pub(super) struct Processors {
    /// One permit for each: more large jobs at once would only take turns.
    idle: Arc<Semaphore>,
    /// One permit for each large job that may wait for a processor.
    waiting: Semaphore,
    most_waiting: usize,
}

impl Processors {
    pub fn new(most_waiting: usize) -> Self {
        let most_waiting = most_waiting.min(Semaphore::MAX_PERMITS);
        let processors = available_parallelism().map_or(1, usize::from);
        Self { idle: Arc::new(Semaphore::new(processors)), waiting: Semaphore::new(most_waiting), most_waiting }
    }

    /// Does a job: at once where it is small, because handing it over would take longer; else where it keeps no other
    /// request waiting, and refused where too many such jobs wait already or the deadline passes first. A job that
    /// panics is an internal error and no more.
    pub async fn run<T: Send + 'static>(
        &self,
        work: Work,
        deadline: Instant,
        job: impl FnOnce() -> Result<T, ServeError> + Send + 'static,
    ) -> Result<T, ServeError> {
        // What the job had in its hands when it panicked is dropped with it.
        let job = || catch_unwind(AssertUnwindSafe(job)).unwrap_or(Err(ServeError::Internal));
        if work <= Work::SMALL {
            return job();
        }
        let done = async {
            let permit = self.processor().await?;
            let job = move || {
                let outcome = job();
                drop(permit);
                outcome
            };
            spawn_blocking(job).await.unwrap_or(Err(ServeError::Internal))
        };
        timeout_at(deadline, done).await.unwrap_or(Err(ServeError::Deadline))
    }

    /// A processor to score with: one that is idle, or the next after those who wait already.
    async fn processor(&self) -> Result<OwnedSemaphorePermit, ServeError> {
        let idle = Arc::clone(&self.idle);
        if let Ok(one) = Arc::clone(&idle).try_acquire_owned() {
            return Ok(one);
        }
        let _place = self.waiting.try_acquire().map_err(|_| ServeError::Busy { limit: self.most_waiting })?;
        idle.acquire_owned().await.map_err(|_| ServeError::Internal)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::fixtures::{regression, served};

    fn later() -> Instant {
        Instant::now() + Duration::from_mins(1)
    }

    fn large() -> Work {
        Work::new(usize::MAX, usize::MAX, &served(regression()))
    }

    #[tokio::test]
    async fn small_and_large_jobs_are_done_and_a_panic_is_an_error() {
        let processors = Processors::new(1);
        for work in [Work::SMALL, large()] {
            assert_eq!(processors.run(work, later(), || Ok(7)).await, Ok(7));
            assert_eq!(
                processors.run(work, later(), || Err::<(), _>(ServeError::NotRows)).await,
                Err(ServeError::NotRows)
            );
            let panics = || [(); 0].get(1).map(|()| 7).ok_or(()).map_err(|()| ServeError::NotRows);
            assert_eq!(processors.run(work, later(), panics).await, Err(ServeError::NotRows));
            let panics = || Ok(Vec::<usize>::new()[1]);
            assert_eq!(processors.run(work, later(), panics).await, Err(ServeError::Internal));
        }
    }

    #[tokio::test]
    async fn jobs_over_the_limit_are_refused_at_once_and_late_ones_at_their_deadline() {
        let processors = Processors::new(1);
        let all = u32::try_from(processors.idle.available_permits()).expect("a few");
        let all = Arc::clone(&processors.idle).acquire_many_owned(all).await.expect("they are idle");

        let soon = Instant::now() + Duration::from_millis(1);
        assert_eq!(processors.run(large(), soon, || Ok("late")).await, Err(ServeError::Deadline));
        let waits = processors.run(large(), later(), || Ok("done"));
        let refused = async {
            let refused = processors.run(large(), later(), || Ok("done")).await;
            assert_eq!(refused, Err(ServeError::Busy { limit: 1 }));
            assert_eq!(processors.run(Work::SMALL, later(), || Ok("small")).await, Ok("small"));
            drop(all);
        };
        let (waited, ()) = tokio::join!(waits, refused);
        assert_eq!(waited, Ok("done"));
        assert_eq!(processors.run(large(), later(), || Ok("again")).await, Ok("again"));
    }
}
