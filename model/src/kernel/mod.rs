//! The net inputs of a whole layer, by the widest instructions that the machine has: the room of the scoring kernels.
//!
//! There is one loop, in [`units`], of ordinary Rust. Here it is compiled once more for each instruction set. What [`dense`]
//! says of the order of additions holds in each: the same bits on every machine.
//!
//! [`dense`]: crate::dense

#[cfg(test)]
mod tests;
mod units;

use units::nets;
pub(crate) use units::{Inputs, filled_blocks};

/// The instructions that a machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tier(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
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
        match name {
            #[cfg(target_arch = "x86_64")]
            "avx512" => is_x86_feature_detected!("avx512f").then_some(Self(Kind::Avx512)),
            #[cfg(target_arch = "x86_64")]
            "avx2" => is_x86_feature_detected!("avx2").then_some(Self(Kind::Avx2)),
            "portable" => Some(Self(Kind::Portable)),
            _ => None,
        }
    }

    /// Sets `nets` to the sums of all channels of all units, unit by unit, in the order of [`dot`](crate::dot) for one channel
    /// and of [`dot_two_channels`](crate::dot_two_channels) for two.
    #[expect(unsafe_code, reason = "the room for what needs instructions that not every machine has")]
    pub fn nets(self, channels: usize, weights: &[f32], inputs: Inputs<'_>, out: &mut [f64]) {
        match self.0 {
            // SAFETY: `Kind` is private, and `Tier::named` yields `Avx512` only when the CPU reports it.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => unsafe { nets_avx512(channels, weights, inputs, out) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => unsafe { nets_avx2(channels, weights, inputs, out) },
            Kind::Portable => nets::<2>(channels, weights, inputs, out),
        }
    }
}

/// The portable loop under AVX-512: same source, same order of additions, same bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn nets_avx512(channels: usize, weights: &[f32], inputs: Inputs<'_>, out: &mut [f64]) {
    nets::<4>(channels, weights, inputs, out);
}

/// The portable loop under AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn nets_avx2(channels: usize, weights: &[f32], inputs: Inputs<'_>, out: &mut [f64]) {
    nets::<4>(channels, weights, inputs, out);
}
