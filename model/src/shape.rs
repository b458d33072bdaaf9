//! What has to fit together in a model before it scores: every reader asks, and so does every writer.

use crate::activation::{Activation, Nonlinearity};
use crate::deep_learning::DeepLearning;
use crate::encoding::{Encoding, Hashing, InputLayout, LimitedLevels};
use crate::model::{Algorithm, Category, Model};
use crate::schema::{Domain, Feature};

/// Parts of a model that do not fit each other. What is in backticks has the same name in a MOJO and in a checkpoint.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the fields are what the messages say")]
pub enum ShapeError {
    #[error("a model of category {category} needs {expected} as its response, found {found}")]
    Response { category: Category, expected: &'static str, found: String },
    #[error("an autoencoder has activation {activation}: expected one of a single channel, such as Tanh or Rectifier")]
    Channels { activation: Activation },
    #[error("`{list}`: expected {expected} numbers, one for each class, found {found}")]
    Classes { list: &'static str, expected: usize, found: usize },
    #[error("`default_threshold`: expected a finite number, found {found}")]
    Threshold { found: f64 },
    #[error("an Eigen encoding needs {expected} projections, one for each level, found {found}")]
    Projections { expected: usize, found: usize },
    #[error("an EnumLimited encoding does not fit column `{column}` and its levels")]
    Limited { column: String },
    #[error("an EnumLimited encoding needs an entry for each of {expected} columns, found {found}")]
    LimitedColumns { expected: usize, found: usize },
    #[error("column {column} (counted from 0) is categorical and follows a numeric one: categorical ones come first")]
    ColumnOrder { column: usize },
    #[error("`cat_offsets`: expected {expected} numbers, found {found}")]
    OffsetCount { expected: usize, found: usize },
    #[error("`cat_offsets`: number {index} should be {expected} by the domains, found {found}")]
    Offset { index: usize, expected: usize, found: usize },
    #[error("the columns are {expected} numeric ones after the categorical ones, the input layout has {found}")]
    Numerics { expected: usize, found: usize },
    #[error("the scaling of inputs, `{list}`: expected {expected} numbers, found {found}")]
    Scaling { list: &'static str, expected: usize, found: usize },
    #[error("the columns make {expected} inputs, the network has {found}")]
    Inputs { expected: usize, found: usize },
    #[error("levels share {slots} slots, expected at least 1 and fewer than they have inputs")]
    Slots { slots: usize },
    #[error("an autoencoder cannot have levels that share slots")]
    HashedAutoEncoder,
    #[error("the answer needs {expected} outputs, the network has {found}")]
    Outputs { expected: usize, found: usize },
}

impl Model {
    /// Checks that columns, inputs, network and response fit each other. Scoring a model that passes does not panic.
    pub fn check(&self) -> Result<(), ShapeError> {
        let expected = self.check_response()?;
        let Algorithm::DeepLearning(deep_learning) = &self.algorithm;
        self.check_encoding()?;
        deep_learning.check(&self.encoding.columns(self.schema.features()))?;
        let found = deep_learning.network.outputs();
        let activation = deep_learning.network.activation();
        if self.category == Category::AutoEncoder && activation.nonlinearity() == Nonlinearity::Maxout {
            return Err(ShapeError::Channels { activation });
        }
        if self.category == Category::AutoEncoder && deep_learning.layout.hashing.is_some() {
            return Err(ShapeError::HashedAutoEncoder);
        }
        if found == expected { Ok(()) } else { Err(ShapeError::Outputs { expected, found }) }
    }

    fn check_encoding(&self) -> Result<(), ShapeError> {
        match &self.encoding {
            Encoding::Auto | Encoding::Binary | Encoding::LabelEncoder => Ok(()),
            Encoding::Eigen { projections } => {
                let features = self.schema.features().iter();
                let levels = features.filter_map(|feature| feature.domain.as_ref()).map(Domain::len);
                let (expected, found) = (levels.sum(), projections.len());
                if found == expected { Ok(()) } else { Err(ShapeError::Projections { expected, found }) }
            }
            Encoding::EnumLimited { limited, .. } => self.check_limited(limited),
        }
    }

    fn check_limited(&self, limited: &[Option<LimitedLevels>]) -> Result<(), ShapeError> {
        let features = self.schema.features();
        if limited.len() != features.len() {
            return Err(ShapeError::LimitedColumns { expected: features.len(), found: limited.len() });
        }
        for (feature, limited) in features.iter().zip(limited) {
            let Some(LimitedLevels { domain, codes }) = limited else { continue };
            let levels = feature.domain.as_ref().map(Domain::len);
            if levels != Some(codes.len()) || codes.iter().any(|&code| code as usize >= domain.len()) {
                return Err(ShapeError::Limited { column: feature.name.clone() });
            }
        }
        Ok(())
    }

    /// Checks the classes, and says how many numbers the algorithm has to give.
    fn check_response(&self) -> Result<usize, ShapeError> {
        let category = self.category;
        let classes = self.schema.classes().map(Domain::len);
        let (fits, expected) = match category {
            Category::Regression => (self.schema.response().is_some() && classes.is_none(), "a number"),
            Category::Binomial => (classes == Some(2), "a column of two levels"),
            Category::Multinomial => (classes.is_some_and(|count| count > 2), "a column of more than two levels"),
            Category::AutoEncoder => (self.schema.response().is_none(), "none"),
        };
        if !fits {
            let found = match (self.schema.response(), classes) {
                (None, _) => "none".to_owned(),
                (_, None) => "a number".to_owned(),
                (_, Some(count)) => format!("a column of {count} levels"),
            };
            return Err(ShapeError::Response { category, expected, found });
        }
        let Some(outputs) = classes else {
            let Algorithm::DeepLearning(deep_learning) = &self.algorithm;
            return Ok(if category == Category::AutoEncoder { deep_learning.network.inputs() } else { 1 });
        };
        let labelling = &self.labelling;
        check_classes("prior_class_distrib", labelling.prior_class_distrib.as_deref(), outputs)?;
        check_classes("model_class_distrib", labelling.model_class_distrib.as_deref(), outputs)?;
        if !labelling.default_threshold.is_finite() {
            return Err(ShapeError::Threshold { found: labelling.default_threshold });
        }
        Ok(outputs)
    }
}

impl DeepLearning {
    /// Checks that these columns make the inputs of the net. Nothing of the layout is computed with before it is known to
    /// be the one that the columns have.
    fn check(&self, features: &[Feature]) -> Result<(), ShapeError> {
        let layout = &self.layout;
        let levels: Vec<usize> =
            features.iter().map_while(|feature| feature.domain.as_ref()).map(Domain::len).collect();
        let numerics = features.len() - levels.len();
        if let Some(late) = features[levels.len()..].iter().position(|feature| feature.domain.is_some()) {
            return Err(ShapeError::ColumnOrder { column: levels.len() + late });
        }
        let fitting = InputLayout::new(&levels, numerics, layout.use_all_factor_levels, None);
        if layout.cat_offsets.len() != fitting.cat_offsets.len() {
            let (expected, found) = (fitting.cat_offsets.len(), layout.cat_offsets.len());
            return Err(ShapeError::OffsetCount { expected, found });
        }
        for (index, (&found, &expected)) in layout.cat_offsets.iter().zip(&fitting.cat_offsets).enumerate() {
            if found != expected {
                return Err(ShapeError::Offset { index, expected, found });
            }
        }
        if layout.numerics != numerics {
            return Err(ShapeError::Numerics { expected: numerics, found: layout.numerics });
        }
        if let Some(scaling) = &layout.scaling {
            check_scaling("mul", &scaling.mul, numerics)?;
            check_scaling("sub", &scaling.sub, numerics)?;
        }
        if let Some(Hashing { slots, .. }) =
            layout.hashing.filter(|h| h.slots == 0 || h.slots >= fitting.level_inputs())
        {
            return Err(ShapeError::Slots { slots });
        }
        let fitting = InputLayout { hashing: layout.hashing, ..fitting };
        let (expected, found) = (fitting.inputs(), self.network.inputs());
        if found == expected { Ok(()) } else { Err(ShapeError::Inputs { expected, found }) }
    }
}

fn check_classes(list: &'static str, shares: Option<&[f64]>, expected: usize) -> Result<(), ShapeError> {
    match shares {
        Some(shares) if shares.len() != expected => Err(ShapeError::Classes { list, expected, found: shares.len() }),
        _ => Ok(()),
    }
}

fn check_scaling(list: &'static str, numbers: &[f64], expected: usize) -> Result<(), ShapeError> {
    let found = numbers.len();
    if found == expected { Ok(()) } else { Err(ShapeError::Scaling { list, expected, found }) }
}
