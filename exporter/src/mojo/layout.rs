//! Every name in a MOJO, for its writer and its reader.

/// What we write for the release that made the archive: the one whose format it is, and that we did. H2O's runtime wants
/// a text here that is no number.
pub const H2O_VERSION: &str = concat!("3.46.0.11-aqueduct-", env!("CARGO_PKG_VERSION"));

/// The version of the format for Deep Learning that we write, and the newest that we read.
pub const MOJO_VERSION: &str = "1.10";

/// The oldest version for Deep Learning.
pub(crate) const OLDEST_MOJO_VERSION: f64 = 1.0;

/// From this version on an archive names its encoding.
pub(crate) const VERSION_WITH_ENCODING: f64 = 1.1;

/// The algorithm in a writer's and in a reader's words.
pub(crate) const ALGO: &str = "deeplearning";
pub(crate) const ALGORITHM: &str = "Deep Learning";

/// Further names of the encoding in which columns enter the net as they are.
pub(crate) const PLAIN_ENCODINGS: [&str; 2] = ["OneHotInternal", "SortByResponse"];

/// Sections of `model.ini`.
pub(crate) mod section {
    pub(crate) const INFO: &str = "[info]";
    pub(crate) const COLUMNS: &str = "[columns]";
    pub(crate) const DOMAINS: &str = "[domains]";
    pub(crate) const ALL: [&str; 3] = [INFO, COLUMNS, DOMAINS];
}

/// Entries of the archive.
pub(crate) mod entry {
    pub(crate) const MODEL_INI: &str = "model.ini";
    /// What H2O says of the making of a model.
    pub(crate) const DETAILS: &str = "experimental/modelDetails.json";
    pub(crate) const PROFILE: &str = "aqueduct/profile.json";
    pub(crate) const GOLDEN: &str = "aqueduct/golden.json";

    /// The columns that a user sends, where they are not the model's own.
    pub(crate) const ORIG_NAMES: &str = "_orig_names";

    /// The levels of one of those columns, where it is categorical.
    pub(crate) fn orig_domain_values(column: usize) -> String {
        format!("_orig_domain_values_{column}")
    }

    /// The version of our own entries.
    pub(crate) const OWN_VERSION: u32 = 1;

    /// The file of the n-th domain, as `[domains]` names it.
    pub(crate) fn domain_file(n: usize) -> String {
        format!("d{n:03}.txt")
    }

    /// The entry of a domain file.
    pub(crate) fn domain(file: &str) -> String {
        format!("domains/{file}")
    }
}

/// Keys of `[info]`, in the order in which H2O writes them.
pub(crate) mod key {
    pub(crate) const H2O_VERSION: &str = "h2o_version";
    pub(crate) const MOJO_VERSION: &str = "mojo_version";
    pub(crate) const LICENSE: &str = "license";
    pub(crate) const ALGO: &str = "algo";
    pub(crate) const ALGORITHM: &str = "algorithm";
    pub(crate) const ENDIANNESS: &str = "endianness";
    pub(crate) const CATEGORY: &str = "category";
    pub(crate) const UUID: &str = "uuid";
    pub(crate) const SUPERVISED: &str = "supervised";
    pub(crate) const N_FEATURES: &str = "n_features";
    pub(crate) const N_CLASSES: &str = "n_classes";
    pub(crate) const N_COLUMNS: &str = "n_columns";
    pub(crate) const N_DOMAINS: &str = "n_domains";
    pub(crate) const OFFSET_COLUMN: &str = "offset_column";
    pub(crate) const FOLD_COLUMN: &str = "fold_column";
    pub(crate) const BALANCE_CLASSES: &str = "balance_classes";
    pub(crate) const DEFAULT_THRESHOLD: &str = "default_threshold";
    pub(crate) const PRIOR_CLASS_DISTRIB: &str = "prior_class_distrib";
    pub(crate) const MODEL_CLASS_DISTRIB: &str = "model_class_distrib";
    pub(crate) const TIMESTAMP: &str = "timestamp";
    pub(crate) const ESCAPE_DOMAIN_VALUES: &str = "escape_domain_values";

    pub(crate) const MINI_BATCH_SIZE: &str = "mini_batch_size";
    pub(crate) const NUMS: &str = "nums";
    pub(crate) const CATS: &str = "cats";
    pub(crate) const CAT_OFFSETS: &str = "cat_offsets";
    pub(crate) const NORM_MUL: &str = "norm_mul";
    pub(crate) const NORM_SUB: &str = "norm_sub";
    pub(crate) const NORM_RESP_MUL: &str = "norm_resp_mul";
    pub(crate) const NORM_RESP_SUB: &str = "norm_resp_sub";
    pub(crate) const USE_ALL_FACTOR_LEVELS: &str = "use_all_factor_levels";
    pub(crate) const ACTIVATION: &str = "activation";
    pub(crate) const DISTRIBUTION: &str = "distribution";
    pub(crate) const MEAN_IMPUTATION: &str = "mean_imputation";
    pub(crate) const CAT_MODES: &str = "cat_modes";
    pub(crate) const NEURAL_NETWORK_SIZES: &str = "neural_network_sizes";
    pub(crate) const HIDDEN_DROPOUT_RATIOS: &str = "hidden_dropout_ratios";
    pub(crate) const GENMODEL_ENCODING: &str = "_genmodel_encoding";
    pub(crate) const N_ORIG_NAMES: &str = "_n_orig_names";
    pub(crate) const N_ORIG_DOMAIN_VALUES: &str = "_n_orig_domain_values";
    pub(crate) const ORIG_PROJECTION_ARRAY: &str = "_orig_projection_array";

    /// How many levels one of the columns has that a user sends; 0 for a number.
    pub(crate) fn m_orig_domain_values(column: usize) -> String {
        format!("_m_orig_domain_values_{column}")
    }

    /// The weights below layer `l`, which counts from the first hidden one.
    pub(crate) fn weight_layer(l: usize) -> String {
        format!("weight_layer{l}")
    }

    /// The biases of layer `l`.
    pub(crate) fn bias_layer(l: usize) -> String {
        format!("bias_layer{l}")
    }
}
