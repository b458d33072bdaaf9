//! The net inputs of a whole layer, by the widest instructions that the machine has: the room of the scoring kernels.
//!
//! There is one loop, in [`sums`], over weights in an order of their own, [`Packed`], and the inputs that are not 0, [`Terms`]. It
//! is generic over [`Simd`], marked `#[inline(always)]`, and compiled here for each instruction set. What [`dense`] says of the
//! order of additions holds in each: the same bits on every machine.
//!
//! [`dense`]: crate::dense

#![expect(clippy::inline_always, reason = "what is not inlined into a tier is compiled without its instructions")]
#![expect(unsafe_code, reason = "the room for what needs instructions that not every machine has")]

mod packed;
mod simd;
mod sums;
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use packed::Packed;
use simd::Portable;
#[cfg(target_arch = "x86_64")]
use simd::{Avx2, Avx512};
use sums::nets;
pub use terms::Terms;

/// The instructions that a machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tier(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Portable,
}

impl Tier {
    /// The names that [`named`](Self::named) knows, the fastest first.
    pub const NAMES: [&'static str; 3] = ["avx512", "avx2", "portable"];

    /// The fastest one of this machine.
    pub fn best() -> Self {
        Self::NAMES.into_iter().find_map(Self::named).unwrap_or(Self(Kind::Portable))
    }

    /// The one of this name, where the machine has it.
    pub fn named(name: &str) -> Option<Self> {
        let kind = match name {
            #[cfg(target_arch = "x86_64")]
            "avx512" => Kind::Avx512(Avx512::detect()?),
            #[cfg(target_arch = "x86_64")]
            "avx2" => Kind::Avx2(Avx2::detect()?),
            "portable" => Kind::Portable,
            _ => return None,
        };
        Some(Self(kind))
    }

    /// Sets `out`, which has the [`stride`](Packed::stride) of the layer, to the sums of all channels of all units, unit by
    /// unit, in the order of [`dot`](crate::dot) for one channel and of [`dot_two_channels`](crate::dot_two_channels) for two.
    pub fn nets(self, layer: &Packed, terms: &Terms, out: &mut [f64]) {
        match self.0 {
            // SAFETY: an `Avx512` exists only where the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512(simd) => unsafe { nets_avx512(simd, layer, terms, out) },
            // SAFETY: likewise an `Avx2`.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2(simd) => unsafe { nets_avx2(simd, layer, terms, out) },
            Kind::Portable => nets(Portable, layer, terms, out),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn nets_avx512(simd: Avx512, layer: &Packed, terms: &Terms, out: &mut [f64]) {
    nets(simd, layer, terms, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn nets_avx2(simd: Avx2, layer: &Packed, terms: &Terms, out: &mut [f64]) {
    nets(simd, layer, terms, out);
}
