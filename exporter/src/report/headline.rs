//! What the model is, in a title, a sentence and a list.

use model::{Algorithm, Category};

use super::facts::ReportFacts;
use super::{net, text};

/// What a report begins with.
#[derive(Debug, serde::Serialize)]
pub(super) struct Headline {
    /// What the model does.
    action: &'static str,
    /// What it does it to; a name from outside.
    object: String,
    lead: String,
    entries: Vec<(&'static str, String)>,
}

impl Headline {
    pub(super) fn of(facts: &ReportFacts) -> Self {
        let columns = text::counted(facts.model.schema.features().len(), "column");
        let response = facts.model.schema.response();
        let (action, object) = match response.filter(|_| facts.model.category != Category::AutoEncoder) {
            Some(response) => ("Predicting", text::shown(&response.name)),
            None if facts.model.category == Category::AutoEncoder => ("An autoencoder of", columns.clone()),
            None => ("Predicting", "a column".to_owned()),
        };
        Self { action, object, lead: lead(facts, &columns), entries: entries(facts) }
    }

    /// The title of the window.
    pub(super) fn title(&self) -> String {
        format!("{} {}", self.action, self.object)
    }
}

fn lead(facts: &ReportFacts, columns: &str) -> String {
    let Algorithm::DeepLearning(net) = &facts.model.algorithm else { return String::new() };
    let classes = facts.model.schema.classes().map_or(&[][..], |domain| domain.levels());
    let what = match (facts.model.category, classes) {
        (Category::AutoEncoder, _) => "Learns the rows themselves".to_owned(),
        (Category::Regression, _) => format!("A number with a {} distribution, from {columns}", net.distribution),
        (_, [first, second]) => {
            format!("Two classes, {} and {}, from {columns}", text::shortened(first, 40), text::shortened(second, 40))
        }
        (_, classes) => format!("{} classes, from {columns}", text::count(classes.len() as f64)),
    };
    let network = &net.network;
    format!("{what}, through a net of {} units with {}.", net::units(network), network.activation().name())
}

fn entries(facts: &ReportFacts) -> Vec<(&'static str, String)> {
    let mut entries = vec![("Trained", format!("{} by {}", moment(&facts.timestamp), text::shown(&facts.trained_by)))];
    if let Some(run) = &facts.run {
        let epochs = format!("{} epochs in {}", text::brief(run.epochs), text::duration(run.training_seconds));
        entries.push(("Training", format!("{epochs}; {}", run.stopped_by)));
        let threads = text::counted(run.threads as usize, "thread");
        entries.push(("Engine", format!("{}, {threads}", text::shown(&run.engine))));
    }
    if let Some(seed) = facts.parameters.iter().find(|parameter| parameter.name == "seed") {
        entries.push(("Seed", text::shown(&seed.effective)));
    }
    let frames = [("training_frame", "Training data"), ("validation_frame", "Validation data")];
    for (name, title) in frames {
        let parameter = facts.parameters.iter().find(|parameter| parameter.name == name);
        if let Some(files) = parameter.map(|p| p.effective.as_str()).filter(|files| !files.is_empty()) {
            entries.push((title, text::shortened(files, 200)));
        }
    }
    entries
}

/// `2026-11-30T15:00:36.751Z` to the minute, other texts as they are.
fn moment(timestamp: &str) -> String {
    let minute = timestamp.get(..16).filter(|_| timestamp.ends_with('Z'));
    match minute.and_then(|minute| minute.split_once('T')) {
        Some((day, time)) => format!("{day} {time} UTC"),
        None => text::shown(timestamp),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_shown_to_the_minute() {
        assert_eq!(moment("2026-11-30T15:00:36.751Z"), "2026-11-30 15:00 UTC");
        assert_eq!(moment("yesterday"), "yesterday");
    }
}
