//! Where threads wait for each other, and nobody waits for one that is gone.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A barrier of a fixed number of threads, to be passed again and again, that breaks when one of them panics. With that of
/// the standard library the others would wait for ever.
#[derive(Debug)]
pub(super) struct Barrier {
    threads: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: usize,
    passed: u64,
    is_broken: bool,
}

/// That a thread takes part, until this is dropped.
pub(super) struct Attendance<'b>(&'b Barrier);

impl Barrier {
    pub fn new(threads: usize) -> Self {
        Self { threads, state: Mutex::default(), changed: Condvar::new() }
    }

    /// Watches over the thread: if it panics, the barrier breaks.
    pub fn attend(&self) -> Attendance<'_> {
        Attendance(self)
    }

    /// Waits for all threads. `false` where one of them is gone.
    #[must_use]
    pub fn wait(&self) -> bool {
        let mut state = self.state();
        let passed = state.passed;
        state.waiting += 1;
        if state.waiting == self.threads {
            (state.waiting, state.passed) = (0, passed + 1);
            self.changed.notify_all();
        }
        while state.passed == passed && !state.is_broken {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.is_broken
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Attendance<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.state().is_broken = true;
            self.0.changed.notify_all();
        }
    }
}
