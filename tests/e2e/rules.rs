//! What real H2O refuses, we refuse: `tests/oracle/rules.json` has its verdict on many requests.

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use trainer::{Frame, PARAMETERS, ReadOptions, TrainParams, TrainPlan, Trained, train};

use crate::oracle::{data, params};

/// Where we differ on purpose, and why.
const EXCEPTIONS: [(&str, &str); 14] = [
    ("train_samples_per_iteration -3", "it has no meaning"),
    ("class_sampling_factors zero", "a class would be left out, which every try then finds empty"),
    ("class_sampling_factors negative", "a class would be left out, which every try then finds empty"),
    ("epochs -1", "a negative number of epochs is a slip of the hand"),
    ("autoencoder, unknown response", "a column that is not there is a slip of the hand"),
    ("autoencoder, skip leaves no row", "it would have learned nothing"),
    ("unknown ignored column", "a column that is not there is a slip of the hand"),
    ("stopping_metric anomaly_score for margin", "it is for isolation forests and has no value here"),
    ("stopping_metric anomaly_score for claim", "it is for isolation forests and has no value here"),
    ("stopping_metric anomaly_score for tier", "it is for isolation forests and has no value here"),
    ("string predictor kept", "text is dropped in any case, where H2O's assertion fails"),
    ("validation without a common predictor", "its metrics would be those of missing values"),
    ("validation without labels", "there would be no metrics"),
    ("validation with an unseen class", "its rows count as unlabelled, where H2O fails"),
];

pub fn tests() -> Vec<Trial> {
    let cases: Vec<Value> = serde_json::from_str(include_str!("../oracle/rules.json")).expect("the file is whole");
    cases.into_iter().filter(is_supported).map(trial).collect()
}

fn trial(case: Value) -> Trial {
    let name = format!("rules::{}", case["name"].as_str().expect("each case has a name"));
    Trial::test(name, move || compare(&case))
}

/// Whether the trainer has every parameter of a case: those of later work are left out.
fn is_supported(case: &Value) -> bool {
    let mut names = case["parameters"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    // Weights and biases to start from are files here: their refusals are among those of the command.
    names.all(|name| PARAMETERS.iter().any(|parameter| parameter.name == name)) && case["start"].is_null()
}

fn compare(case: &Value) -> Result<(), Failed> {
    // Some requests H2O only finds wanting when the job runs.
    let refused = case["verdict"]["refused"].is_array() || case["verdict"]["failed"].is_string();
    let wanted = if refused { "refused" } else { "accepted" };
    let found = match trained(case) {
        Ok(_) => "accepted".to_owned(),
        Err(refusal) => format!("refused: {}", refusal.message().unwrap_or_default()),
    };
    let excepted = EXCEPTIONS.iter().any(|(name, _)| case["name"] == *name);
    let agrees = found.starts_with(wanted);
    if agrees == excepted { Err(format!("{found}, H2O: {}", case["verdict"]).into()) } else { Ok(()) }
}

fn trained(case: &Value) -> Result<Trained, Failed> {
    let mut params: TrainParams = params(case)?;
    // As in the command.
    let known = std::mem::take(&mut params.pretrained_autoencoder).0;
    let mut pretrained = known.map(|path| exporter::read_mojo(&path)).transpose()?.map(|artifact| artifact.model);
    if let Some(donor) = case["donor"].as_str() {
        let mut case = case.clone();
        case["donor"] = Value::Null;
        case["parameters"]["autoencoder"] = (donor == "autoencoder").into();
        pretrained = Some(trained(&case)?.model);
        params.pretrained_autoencoder.0 = Some("donor.zip".into());
    }
    let options = ReadOptions {
        column_types: params.column_types.0.clone(),
        header: case["header"].as_bool(),
        ..ReadOptions::default()
    };
    let read = |file: &str, text: &str| match (case[file].as_str(), case[text].as_str()) {
        (Some(name), _) => Frame::read(&data(name), &options, &mut |_| {}).map(Some),
        (None, Some(text)) => Frame::read_from(text.as_bytes(), "text", &options, &mut |_| {}).map(Some),
        (None, None) => Ok(None),
    };
    let training = read("train", "text")?.ok_or("no training frame")?;
    let validation = read("valid", "valid_text")?;
    let mut plan = TrainPlan::new(params, &training, validation.as_ref())?;
    pretrained.map_or(Ok(()), |model| plan.start_from_autoencoder(&model))?;
    // Some fail only when the net runs away.
    Ok(train(&plan, &mut ())?)
}
