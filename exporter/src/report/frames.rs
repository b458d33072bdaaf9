//! The two frames of a training, in the order in which a report names them: the one that decided comes first.

use super::facts::{FrameFacts, ReportFacts};

/// A frame with its name and the class of its marks.
#[derive(Clone, Copy)]
pub(super) struct Frame<'f> {
    pub name: &'static str,
    pub class: &'static str,
    pub facts: &'f FrameFacts,
}

/// Those of which something is known: validation, which decides where it is there, then training.
pub(super) fn frames(facts: &ReportFacts) -> Vec<Frame<'_>> {
    let both = [("validation", &facts.validation), ("training", &facts.training)];
    let known = both.into_iter().filter(|(_, facts)| !facts.is_empty());
    known.zip(["first", "second"]).map(|((name, facts), class)| Frame { name, class, facts }).collect()
}
