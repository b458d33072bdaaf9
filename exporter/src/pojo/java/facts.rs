//! What the templates are told about a model. Each part of the class has its own.

use model::{Algorithm, Category, Domain, Model};
use serde::Serialize;

use super::answer::AnswerFacts;
use super::genmodel::GenModelFacts;
use super::golden::GoldenFacts;
use super::literal::{calls, text};
use super::names::comment;
use super::net::NetFacts;
use super::row::RowFacts;
use super::schema::SchemaFacts;
use super::{JavaError, JavaOptions};
use crate::artifact::Artifact;

#[derive(Serialize)]
pub(super) struct Facts<'a> {
    version: &'static str,
    timestamp: String,
    uuid: String,
    class: &'a str,
    title: String,
    schema: SchemaFacts,
    row: RowFacts,
    net: NetFacts,
    answer: AnswerFacts,
    golden: GoldenFacts,
    /// What H2O's runtime asks of a class that is one of its models.
    genmodel: Option<GenModelFacts>,
    helpers: Helpers,
}

/// The methods that take long lists apart, where there are such lists.
#[derive(Serialize)]
struct Helpers {
    texts: bool,
    integers: bool,
    divided: bool,
}

impl<'a> Facts<'a> {
    pub fn new(artifact: &'a Artifact, options: &'a JavaOptions) -> Result<Self, JavaError> {
        let model = &artifact.model;
        let Algorithm::DeepLearning(net) = &model.algorithm else {
            return Err(JavaError::Algorithm { algorithm: model.algorithm_name() });
        };
        let schema = SchemaFacts::new(model);
        let row = RowFacts::new(model, &net.layout);
        let genmodel = options.genmodel.then(|| GenModelFacts::new(model));
        let golden = if options.genmodel { GoldenFacts::of_columns(artifact) } else { GoldenFacts::of_cells(artifact) };
        let helpers = {
            let mut lists = vec![row.first_inputs.as_str()];
            match &genmodel {
                Some(genmodel) => lists.extend(genmodel.lists()),
                None => lists.extend(schema.lists().into_iter().chain([golden.cells.as_str()])),
            }
            let call = |function| lists.iter().any(|list| calls(list, function));
            Helpers { texts: call("texts"), integers: call("integers"), divided: call("divided") }
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            timestamp: comment(&artifact.info.timestamp),
            uuid: text(&artifact.info.uuid),
            class: &options.class,
            title: title(model),
            schema,
            row,
            net: NetFacts::new(model.category, &net.network),
            answer: AnswerFacts::new(model, net),
            golden,
            genmodel,
            helpers,
        })
    }
}

/// What the model does, in a sentence.
fn title(model: &Model) -> String {
    let columns = match model.schema.features().len() {
        1 => "a column".to_owned(),
        count => format!("{count} columns"),
    };
    let response = model.schema.response().map_or("the response", |response| response.name.as_str());
    let response = comment(response);
    let classes = model.schema.classes().map_or(0, Domain::len);
    match model.category {
        Category::AutoEncoder => format!("Reconstructs rows of {columns}."),
        Category::Regression => format!("Predicts {response}, a number, from {columns}."),
        Category::Binomial | Category::Multinomial => {
            format!("Predicts {response}, one of {classes} classes, from {columns}.")
        }
    }
}
