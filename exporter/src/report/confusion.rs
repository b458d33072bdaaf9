//! Which classes are taken for which.

use super::facts::{Table, number};
use super::frames::Frame;
use super::page::{Block, Cell, Head, PageTable, shade};
use super::text;

/// More classes than this are no matrix that anybody reads.
const MOST_CLASSES: usize = 20;
/// So many confusions are listed then.
const MOST_PAIRS: usize = 25;
/// Up to so many classes there is room for two matrices side by side.
const FEW_COLUMNS: usize = 8;
/// Up to so many classes there is room for percentages.
const FEW_CLASSES: usize = 4;

/// A heat map of each frame, or a list of the most frequent confusions.
pub(super) fn blocks(frames: &[Frame<'_>]) -> Vec<Block> {
    let known = frames.iter().filter_map(|frame| Some((frame.name, Matrix::of(&frame.facts.confusion)?)));
    known
        .map(
            |(name, matrix)| {
                if matrix.classes.len() > MOST_CLASSES { pairs(name, &matrix) } else { map(name, &matrix) }
            },
        )
        .collect()
}

/// Actual classes by row, predicted ones by column.
struct Matrix<'t> {
    classes: Vec<&'t str>,
    counts: Vec<Vec<f64>>,
}

impl<'t> Matrix<'t> {
    fn of(table: &'t Table) -> Option<Self> {
        // Besides the classes: the name of the actual class, the error and the rate; a row of totals.
        let classes = table.header.len().checked_sub(3)?;
        let rows = table.rows.get(..classes).filter(|rows| !rows.is_empty())?;
        Some(Self {
            classes: table.header[1..=classes].iter().map(String::as_str).collect(),
            counts: rows.iter().map(|row| (1..=classes).map(|column| number(row.get(column))).collect()).collect(),
        })
    }

    fn total(&self, class: usize) -> f64 {
        self.counts[class].iter().sum()
    }

    fn wrong(&self, class: usize) -> f64 {
        self.total(class) - self.counts[class][class]
    }
}

fn map(frame: &str, matrix: &Matrix<'_>) -> Block {
    let classes = matrix.classes.len();
    let name = |class: &&str| Head { is_name: true, ..Head::number(&text::shown(class)) };
    let mut head = vec![Head::text("actual ↓ predicted →")];
    head.extend(matrix.classes.iter().map(name));
    head.extend([Head::number("error")]);
    let row = |class: usize| {
        let total = matrix.total(class);
        let mut cells = vec![Cell::name(matrix.classes[class]).header()];
        cells.extend(matrix.counts[class].iter().map(|&count| {
            let share = count / total;
            let cell = Cell::count(count).of_class(shade(share));
            if classes <= FEW_CLASSES { cell.over(text::percent(share)) } else { cell }
        }));
        let error = matrix.wrong(class) / total;
        cells.push(Cell::number(error, text::percent(error)));
        cells
    };
    let wrong: f64 = (0..classes).map(|class| matrix.wrong(class)).sum();
    let rows: f64 = (0..classes).map(|class| matrix.total(class)).sum();
    Block::Table(PageTable {
        caption: format!("Confusion matrix, {frame}"),
        class: if classes > FEW_COLUMNS { "heat wide" } else { "heat" },
        head,
        rows: (0..classes).map(row).collect(),
        folded: false,
        note: Some(format!(
            "{} of {} rows got another label than their class ({}). The stronger the colour of a cell, the larger its share of the actual class.",
            text::count(wrong),
            text::count(rows),
            text::percent(wrong / rows)
        )),
    })
}

fn pairs(frame: &str, matrix: &Matrix<'_>) -> Block {
    let classes = matrix.classes.len();
    let all = (0..classes).flat_map(|actual| (0..classes).map(move |predicted| (actual, predicted)));
    let wrong = all.filter(|(actual, predicted)| actual != predicted && matrix.counts[*actual][*predicted] > 0.0);
    let mut wrong: Vec<_> = wrong.collect();
    let most_first = |&(a, p): &(usize, usize)| -matrix.counts[a][p];
    wrong.sort_by(|a, b| most_first(a).total_cmp(&most_first(b)));
    let pairs = wrong.len();
    let row = |&(actual, predicted): &(usize, usize)| {
        let count = matrix.counts[actual][predicted];
        let share = count / matrix.total(actual);
        vec![
            Cell::name(matrix.classes[actual]).header(),
            Cell::name(matrix.classes[predicted]),
            Cell::count(count),
            Cell::number(share, text::percent(share)).of_class(shade(share)),
        ]
    };
    Block::Table(PageTable {
        caption: format!("The most frequent confusions, {frame}"),
        class: "heat",
        head: vec![Head::text("actual"), Head::text("predicted"), Head::number("rows"), Head::number("of the class")],
        rows: wrong.iter().take(MOST_PAIRS).map(row).collect(),
        folded: false,
        note: Some(format!(
            "There are {classes} classes, too many for a matrix here, and {} that are taken for each other: these are the first {}. \
             The confusion.csv of a run has all of them.",
            text::counted(pairs, "pair"),
            pairs.min(MOST_PAIRS)
        )),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(classes: usize) -> Table {
        let mut header = vec!["actual".to_owned()];
        header.extend((0..classes).map(|class| format!("<{class}>")));
        header.extend(["Error".to_owned(), "Rate".to_owned()]);
        let row = |class: usize| {
            let mut row = vec![format!("<{class}>")];
            row.extend(
                (0..classes)
                    .map(|other| if other == class { "9".to_owned() } else { usize::from(other == 0).to_string() }),
            );
            row.extend(["0.1".to_owned(), "1 / 10".to_owned()]);
            row
        };
        let rows = (0..classes).map(row).chain([vec!["Totals".to_owned(); classes + 3]]).collect();
        Table { header, rows }
    }

    #[test]
    fn a_matrix_has_a_cell_for_each_pair_of_classes() {
        let table = table(3);
        let Block::Table(map) = map("training", &Matrix::of(&table).expect("a matrix")) else {
            unreachable!("a table")
        };
        assert_eq!((map.rows.len(), map.rows[1].len()), (3, 5));
        assert_eq!((map.rows[1][1].text.as_str(), map.rows[1][1].below.as_str()), ("1", "10.0%"));
        assert!(map.note.is_some_and(|note| note.starts_with("2 of 29 rows")));
    }

    #[test]
    fn many_classes_are_a_list() {
        let table = table(30);
        let Block::Table(pairs) = pairs("training", &Matrix::of(&table).expect("a matrix")) else {
            unreachable!("a table")
        };
        assert_eq!(pairs.rows.len(), MOST_PAIRS);
        assert!(pairs.note.is_some_and(|note| note.contains("30 classes") && note.contains("29 pairs")));
    }

    #[test]
    fn no_matrix_is_no_block() {
        assert!(Matrix::of(&Table::default()).is_none());
    }
}
