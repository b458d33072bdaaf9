//! Ctrl-C and SIGTERM.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::output;

/// Watches for ctrl-C and SIGTERM. While there is something to finish first, the first of them asks for the end; otherwise,
/// and the second time, the process ends at once.
#[derive(Clone, Default)]
pub struct Interrupt {
    finishing: Arc<AtomicBool>,
    asked: Arc<AtomicBool>,
    promise: Arc<Mutex<&'static str>>,
}

/// A process has one handler, and `quickstart` goes through several commands.
static WATCHING: OnceLock<Interrupt> = OnceLock::new();

impl Interrupt {
    /// Starts watching. `promise` says what the first signal leads to.
    pub fn watch(promise: &'static str) -> Self {
        let interrupt = WATCHING.get_or_init(Self::start).clone();
        *interrupt.promise.lock().unwrap_or_else(PoisonError::into_inner) = promise;
        interrupt.asked.store(false, Ordering::Relaxed);
        interrupt
    }

    fn start() -> Self {
        let interrupt = Self::default();
        let Self { finishing, asked, promise } = interrupt.clone();
        let handler = move || {
            if !finishing.load(Ordering::Relaxed) || asked.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            output::note(*promise.lock().unwrap_or_else(PoisonError::into_inner));
        };
        if ctrlc::set_handler(handler).is_err() {
            output::warning("ctrl-C will end the command at once");
        }
        interrupt
    }

    /// Says whether there is something to finish from now on.
    pub fn finish_first(&self, finishing: bool) {
        self.finishing.store(finishing, Ordering::Relaxed);
    }

    /// Set once the end is asked for.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.asked)
    }
}
