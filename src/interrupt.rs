//! Ctrl-C and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::output;

/// Watches for ctrl-C and SIGTERM. While there is something to finish first, the first of them asks for the end; otherwise,
/// and the second time, the process ends at once.
pub struct Interrupt {
    finishing: Arc<AtomicBool>,
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Starts watching. `promise` says what the first signal leads to.
    pub fn watch(promise: &'static str) -> Self {
        let interrupt = Self { finishing: Arc::default(), asked: Arc::default() };
        let (finishing, asked) = (Arc::clone(&interrupt.finishing), Arc::clone(&interrupt.asked));
        let handler = move || {
            if !finishing.load(Ordering::Relaxed) || asked.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            output::note(promise);
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
