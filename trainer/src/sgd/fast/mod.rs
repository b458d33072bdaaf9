//! The fast engine.

#![expect(clippy::inline_always, reason = "what is not inlined into `Simd::run` is compiled without the tier's instructions")]

mod backward;
mod draws;
mod forward;
mod layer;
mod output;
mod rule;
mod step;
#[cfg(test)]
mod tests;
mod terms;
mod units;
mod update;
mod work;
