//! How fast lines come and go: what bounds a step, whose arithmetic waits for them.

use super::{Generic, Kernel, LANES, Lanes, Simd, Tier};

/// Lines of memory to be read, or read and written back, as often as somebody measures it.
#[derive(Debug)]
pub struct Traffic {
    tier: Tier,
    lines: Vec<Lanes>,
}

impl Traffic {
    /// So many bytes, in lines of 64.
    pub fn new(tier: Tier, bytes: usize) -> Self {
        Self { tier, lines: vec![Lanes([1.0; LANES]); bytes.div_ceil(size_of::<Lanes>())] }
    }

    /// Reads each line once; the sum is there so that nothing is left out.
    pub fn read(&self) -> f32 {
        self.tier.dispatch(Call(Read(&self.lines)))
    }

    /// Reads each line once and writes it back with other numbers.
    pub fn rewrite(&mut self) {
        self.tier.dispatch(Call(Rewrite(&mut self.lines)));
    }
}

struct Call<K>(K);

impl<K: Kernel> Generic for Call<K> {
    type Output = K::Output;

    fn call<S: Simd>(self, simd: S) -> K::Output {
        simd.run(self.0)
    }
}

/// Lines that are under way together.
const CHAINS: usize = 8;

struct Read<'a>(&'a [Lanes]);

impl Kernel for Read<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f32 {
        let mut sums = [simd.splat(0.0); CHAINS];
        for lines in self.0.chunks_exact(CHAINS) {
            for (sum, line) in sums.iter_mut().zip(lines) {
                *sum = simd.add(*sum, simd.load(line));
            }
        }
        sums.into_iter().map(|sum| simd.sum(sum)).sum()
    }
}

struct Rewrite<'a>(&'a mut [Lanes]);

impl Kernel for Rewrite<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let factor = simd.splat(-1.0);
        for line in self.0 {
            simd.store(line, simd.mul(simd.load(line), factor));
        }
    }
}
