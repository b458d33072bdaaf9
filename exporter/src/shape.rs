//! What has to fit together in a model before it is written, and after it was read.

use model::{Algorithm, Category, DeepLearning, Domain, Model};

/// Parts of a model that do not fit each other. The names are those of the keys in a MOJO.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum ShapeError {
    #[error("`cats`: the first {cats} columns should be the categorical ones, column {column} is not of that order")]
    ColumnOrder { cats: usize, column: usize },
    #[error("`cat_offsets`: expected {expected} numbers, found {found}")]
    OffsetCount { expected: usize, found: usize },
    #[error("`cat_offsets`: number {index} should be {expected} by the domains, found {found}")]
    Offset { index: usize, expected: usize, found: usize },
    #[error("`{key}`: expected {expected} numbers, found {found}")]
    Length { key: &'static str, expected: usize, found: usize },
    #[error("`neural_network_sizes`: the columns make {expected} inputs, the network has {found}")]
    Inputs { expected: usize, found: usize },
    #[error("`neural_network_sizes`: the response needs {expected} outputs, the network has {found}")]
    Outputs { expected: usize, found: usize },
    #[error("`category`: a {category} model needs {expected} as its response, found {found}")]
    Response { category: Category, expected: &'static str, found: String },
}

impl ShapeError {
    /// Checks that columns, inputs, network and response of a model fit each other.
    pub(crate) fn check(model: &Model) -> Result<(), Self> {
        let outputs = check_response(model)?;
        if let Algorithm::DeepLearning(deep_learning) = &model.algorithm {
            check_layout(model, deep_learning)?;
            let found = deep_learning.network.outputs();
            if found != outputs {
                return Err(Self::Outputs { expected: outputs, found });
            }
        }
        Ok(())
    }
}

/// Checks the classes, and says how many numbers the algorithm has to give.
fn check_response(model: &Model) -> Result<usize, ShapeError> {
    let category = model.category;
    let classes = model.schema.classes().map(Domain::len);
    let (fits, expected) = match category {
        Category::Regression => (model.schema.response().is_some() && classes.is_none(), "a number"),
        Category::Binomial => (classes == Some(2), "a column of two levels"),
        Category::Multinomial => (classes.is_some_and(|count| count >= 2), "a column of two levels or more"),
    };
    if !fits {
        let found = match (model.schema.response(), classes) {
            (None, _) => "none".to_owned(),
            (_, None) => "a number".to_owned(),
            (_, Some(count)) => format!("a column of {count} levels"),
        };
        return Err(ShapeError::Response { category, expected, found });
    }
    let Some(outputs) = classes else { return Ok(1) };
    let labelling = &model.labelling;
    check_length("prior_class_distrib", labelling.prior_class_distrib.as_deref(), outputs)?;
    check_length("model_class_distrib", labelling.model_class_distrib.as_deref(), outputs)?;
    Ok(outputs)
}

fn check_layout(model: &Model, deep_learning: &DeepLearning) -> Result<(), ShapeError> {
    let (features, layout) = (model.schema.features(), &deep_learning.layout);
    let cats = features.iter().take_while(|feature| feature.domain.is_some()).count();
    if let Some(late) = features[cats..].iter().position(|feature| feature.domain.is_some()) {
        return Err(ShapeError::ColumnOrder { cats: layout.cat_offsets.len().saturating_sub(1), column: cats + late });
    }
    if layout.cat_offsets.len() != cats + 1 {
        return Err(ShapeError::OffsetCount { expected: cats + 1, found: layout.cat_offsets.len() });
    }
    let levels: Vec<usize> = features.iter().filter_map(|feature| feature.domain.as_ref()).map(Domain::len).collect();
    let fitting = model::InputLayout::new(&levels, features.len() - cats, layout.use_all_factor_levels, None);
    for (index, (&found, &expected)) in layout.cat_offsets.iter().zip(&fitting.cat_offsets).enumerate() {
        if found != expected {
            return Err(ShapeError::Offset { index, expected, found });
        }
    }
    if layout.numerics != fitting.numerics {
        return Err(ShapeError::Length { key: "nums", expected: fitting.numerics, found: layout.numerics });
    }
    if let Some(scaling) = &layout.scaling {
        check_length("norm_mul", Some(&scaling.mul), layout.numerics)?;
        check_length("norm_sub", Some(&scaling.sub), layout.numerics)?;
    }
    let found = deep_learning.network.inputs();
    if found != fitting.inputs() {
        return Err(ShapeError::Inputs { expected: fitting.inputs(), found });
    }
    Ok(())
}

fn check_length(key: &'static str, values: Option<&[f64]>, expected: usize) -> Result<(), ShapeError> {
    match values {
        Some(values) if values.len() != expected => Err(ShapeError::Length { key, expected, found: values.len() }),
        _ => Ok(()),
    }
}
