//! Where replicas meet: each goes on from what the mean of all of them says.
//!
//! Weights and what is remembered of them are averaged in the order of the replicas, each replica doing a slice of it, so
//! that the result depends on nothing but their number. The mean of several ADADELTA replicas falls short of where one would have
//! got with as many rows: its weights move on by a share of how they moved between earlier meetings (block momentum,
//! Chen and Huo, 2016).

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::barrier::{Attendance, Barrier};
use super::step::FastStep;
use crate::kernel::{Lanes, flat, flat_mut};

/// The place where replicas meet.
#[derive(Debug)]
pub(super) struct Meeting {
    barrier: Barrier,
    /// What each replica has.
    published: Vec<RwLock<Vec<Lanes>>>,
    slices: Vec<Mutex<Slice>>,
    /// Whether each line holds weights or biases, and nothing remembered.
    is_weight: Vec<bool>,
    /// The share of the last move that is made again.
    block_momentum: f32,
    /// What the meetings took, and how many they were.
    took: Mutex<(Duration, u32)>,
    #[cfg(test)]
    pub delay: Option<fn(usize)>,
}

/// The lines that one of the replicas averages.
#[derive(Debug)]
struct Slice {
    lines: Range<usize>,
    mean: Vec<Lanes>,
    /// Where the weights were after the last meeting, and how they moved in it.
    base: Vec<Lanes>,
    moved: Vec<Lanes>,
}

impl Meeting {
    /// A meeting of so many replicas of this one.
    pub fn new(replicas: usize, step: &FastStep, block_momentum: f32) -> Self {
        let (mut lines, mut is_weight) = (Vec::new(), Vec::new());
        for layer in &step.layers {
            lines.extend_from_slice(&layer.matrix);
            is_weight.extend((0..layer.matrix.len()).map(|line| line % layer.stride() < layer.lines));
            lines.extend_from_slice(&layer.biases);
            is_weight.extend((0..layer.biases.len()).map(|line| line < layer.output_lines()));
            lines.extend_from_slice(&layer.means);
            is_weight.extend(layer.means.iter().map(|_| false));
        }
        let slice = |number: usize| {
            let range = number * lines.len() / replicas..(number + 1) * lines.len() / replicas;
            Slice {
                mean: vec![Lanes::default(); range.len()],
                base: lines[range.clone()].to_vec(),
                moved: vec![Lanes::default(); range.len()],
                lines: range,
            }
        };
        Self {
            barrier: Barrier::new(replicas),
            slices: (0..replicas).map(slice).map(Mutex::new).collect(),
            published: (0..replicas).map(|_| RwLock::new(lines.clone())).collect(),
            is_weight,
            block_momentum,
            took: Mutex::default(),
            #[cfg(test)]
            delay: None,
        }
    }

    /// What a meeting took so far on average, waiting included, as the first replica saw it.
    pub fn cost(&self) -> Option<Duration> {
        let (took, meetings) = *self.took.lock().unwrap_or_else(PoisonError::into_inner);
        (meetings > 0).then(|| took / meetings)
    }

    /// Has the others know, should the thread of a replica panic between two meetings.
    pub fn attend(&self) -> Attendance<'_> {
        self.barrier.attend()
    }

    /// Waits for all replicas, of which this is number `number`, and sets it to what they make together. Where one of them is
    /// gone there is no meeting.
    pub fn meet(&self, number: usize, step: &mut FastStep) {
        let start = Instant::now();
        self.publish(number, step);
        if !self.wait(number) {
            return;
        }
        self.average(number);
        if !self.wait(number) {
            return;
        }
        self.take_over(step);
        if number == 0 {
            let mut took = self.took.lock().unwrap_or_else(PoisonError::into_inner);
            *took = (took.0 + start.elapsed(), took.1 + 1);
        }
    }

    #[cfg_attr(not(test), expect(unused_variables, reason = "only tests delay a replica"))]
    fn wait(&self, number: usize) -> bool {
        #[cfg(test)]
        if let Some(delay) = self.delay {
            delay(number);
        }
        self.barrier.wait()
    }

    fn publish(&self, number: usize, step: &FastStep) {
        let mut lines = self.published[number].write().unwrap_or_else(PoisonError::into_inner);
        let mut rest = lines.as_mut_slice();
        for layer in &step.layers {
            for part in [&layer.matrix, &layer.biases, &layer.means] {
                let (first, others) = rest.split_at_mut(part.len());
                first.copy_from_slice(part);
                rest = others;
            }
        }
    }

    fn average(&self, number: usize) {
        let published: Vec<_> =
            self.published.iter().map(|lines| lines.read().unwrap_or_else(PoisonError::into_inner)).collect();
        let Slice { lines, mean, base, moved } = &mut *self.slice(number);
        let share = 1.0 / published.len() as f32;
        mean.fill(Lanes::default());
        for all in &published {
            for (mean, x) in flat_mut(mean).iter_mut().zip(flat(&all[lines.clone()])) {
                *mean += x * share;
            }
        }
        if self.block_momentum == 0.0 {
            return;
        }
        let lines = mean.iter_mut().zip(base).zip(moved).zip(&self.is_weight[lines.clone()]);
        for (((mean, base), moved), _) in lines.filter(|(_, is_weight)| **is_weight) {
            for ((mean, base), moved) in mean.0.iter_mut().zip(&mut base.0).zip(&mut moved.0) {
                *moved = self.block_momentum * *moved + (*mean - *base);
                *base += *moved;
                *mean = *base;
            }
        }
    }

    fn take_over(&self, step: &mut FastStep) {
        let mut slices = self.slices.iter();
        let mut next = || slices.next().map(|slice| slice.lock().unwrap_or_else(PoisonError::into_inner));
        let (mut slice, mut taken) = (next(), 0);
        for layer in &mut step.layers {
            for part in [&mut layer.matrix, &mut layer.biases, &mut layer.means] {
                let mut filled = 0;
                while let Some(current) = slice.as_ref().filter(|_| filled < part.len()) {
                    let count = (part.len() - filled).min(current.mean.len() - taken);
                    part[filled..filled + count].copy_from_slice(&current.mean[taken..taken + count]);
                    (filled, taken) = (filled + count, taken + count);
                    if taken == current.mean.len() {
                        (slice, taken) = (next(), 0);
                    }
                }
            }
        }
    }

    fn slice(&self, number: usize) -> MutexGuard<'_, Slice> {
        self.slices[number].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
