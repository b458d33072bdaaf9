//! Models as Java classes.

mod answers;
mod export;
mod users;

use libtest_mimic::Trial;

pub fn tests() -> Vec<Trial> {
    [answers::tests(), export::tests(), users::tests()].into_iter().flatten().collect()
}
