//! The frames that a model was judged on, in the order in which a report names them: the one that decided comes first.

use super::facts::{FrameFacts, ReportFacts};

/// A frame with its name and the class of its marks.
#[derive(Clone, Copy)]
pub(super) struct Frame<'f> {
    pub name: &'static str,
    pub class: &'static str,
    pub facts: &'f FrameFacts,
}

/// Those of which something is known: validation, which decides where it is there, then what was held out, then training.
pub(super) fn frames(facts: &ReportFacts) -> Vec<Frame<'_>> {
    let all = [
        ("validation", &facts.validation),
        ("cross-validation", &facts.cross_validation),
        ("training", &facts.training),
    ];
    let known = all.into_iter().filter(|(_, facts)| !facts.is_empty());
    known.zip(["first", "second", "third"]).map(|((name, facts), class)| Frame { name, class, facts }).collect()
}
