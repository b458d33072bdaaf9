//! One number that tells models apart.

use model::{Algorithm, Domain, Encoding, Model};

/// A 64-bit checksum (FNV-1a) of all that the model's answers depend on; the same on every platform and in every build.
pub(crate) fn checksum(model: &Model) -> u64 {
    let mut sum = Fnv1a::default();
    for feature in model.schema.features() {
        sum.text(&feature.name);
        sum.domain(feature.domain.as_ref());
    }
    if let Some(response) = model.schema.response() {
        sum.text(&response.name);
        sum.domain(response.domain.as_ref());
    }
    // Nothing for the encoding that there was before there were others: its models keep their checksums.
    if model.encoding != Encoding::Auto {
        sum.text(model.encoding.name());
    }
    if let Encoding::Eigen { projections } = &model.encoding {
        sum.doubles(projections);
    }
    let labelling = &model.labelling;
    sum.text(model.category.name());
    sum.doubles(&[labelling.default_threshold]);
    sum.doubles(labelling.prior_class_distrib.as_deref().unwrap_or_default());
    sum.doubles(labelling.model_class_distrib.as_deref().unwrap_or_default());
    sum.bytes(&[u8::from(labelling.balance_classes)]);

    let Algorithm::DeepLearning(deep_learning) = &model.algorithm else { return sum.0 };
    sum.bytes(&[u8::from(deep_learning.layout.use_all_factor_levels)]);
    if let Some(scaling) = &deep_learning.layout.scaling {
        sum.doubles(&scaling.mul);
        sum.doubles(&scaling.sub);
    }
    if let Some(scaling) = deep_learning.response_scaling {
        sum.doubles(&[scaling.mul, scaling.sub]);
    }
    sum.text(deep_learning.distribution.name());
    sum.text(deep_learning.network.activation().name());
    for layer in deep_learning.network.layers() {
        for weight in &layer.weights {
            sum.bytes(&weight.to_le_bytes());
        }
        sum.doubles(&layer.biases);
        sum.doubles(&[layer.dropout_ratio]);
    }
    sum.0
}

struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv1a {
    fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The length goes first, so that `ab`, `c` and `a`, `bc` differ.
    fn text(&mut self, text: &str) {
        self.bytes(&(text.len() as u64).to_le_bytes());
        self.bytes(text.as_bytes());
    }

    fn doubles(&mut self, values: &[f64]) {
        self.bytes(&(values.len() as u64).to_le_bytes());
        for value in values {
            self.bytes(&value.to_le_bytes());
        }
    }

    fn domain(&mut self, domain: Option<&Domain>) {
        let levels = domain.map_or(&[][..], Domain::levels);
        self.bytes(&(levels.len() as u64).to_le_bytes());
        for level in levels {
            self.text(level);
        }
    }
}
