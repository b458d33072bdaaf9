//! `exp` and `ln`, the same bits on every platform.
//!
//! A score must not change with the machine's mathematics library, and `core` has none for generated sources. Both
//! functions are within 0.52 units in the last place (`tests.rs` holds them to `reference.csv`) and use nothing but the
//! four operations, comparisons and bit patterns. Their tables and `reference.csv` are written by `generate.py`.

mod exp;
mod exp_tables;
mod ln;
mod ln_tables;

pub use exp::exp;
pub use ln::ln;

/// The source of [`exp`], and that of its tables: generated programs carry the function, not another one like it.
pub const EXP_SOURCE: [&str; 2] = [include_str!("exp.rs"), include_str!("exp_tables.rs")];

/// The table of [`exp`]: 2^(i/128) as a double, and what that lacks.
pub fn exp_powers() -> &'static [(f64, f64); 128] {
    &exp_tables::POWERS
}

#[cfg(test)]
mod tests;
