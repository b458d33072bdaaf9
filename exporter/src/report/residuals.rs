//! Where the predictions of a regression lie against the actual values.

use model::ln;

use super::axis::Axis;
use super::frames::Frame;
use super::page::{Block, Figure, SHADES};
use super::svg::Plot;
use super::text;

/// Two plots for each frame.
pub(super) fn blocks(frames: &[Frame<'_>]) -> Vec<Block> {
    Block::figures(frames.iter().flat_map(|frame| density(frame).into_iter().chain(histogram(frame))))
        .into_iter()
        .collect()
}

fn density(frame: &Frame<'_>) -> Option<Figure> {
    let table = &frame.facts.predicted_actual;
    let squares: Vec<_> = table.pairs("actual", "predicted").into_iter().zip(table.pairs("side", "rows")).collect();
    let most = squares.iter().map(|(_, (_, rows))| *rows).fold(0.0, f64::max);
    let corner = |all: fn(f64, f64) -> f64, start: f64, reach: f64| {
        squares.iter().fold(start, |bound, ((x, y), (side, _))| all(bound, all(x + reach * side, y + reach * side)))
    };
    let (low, high) = (corner(f64::min, f64::INFINITY, 0.0), corner(f64::max, f64::NEG_INFINITY, 1.0));
    if squares.is_empty() {
        return None;
    }
    let title = format!("Predicted against actual, {}", frame.name);
    let known: f64 = squares.iter().map(|(_, (_, rows))| rows).sum();
    let description =
        format!("{title}: {} rows in squares, in a stronger colour where there are more rows.", text::count(known));
    let axes = (Axis::between("actual", low, high, 5), Axis::between("predicted", low, high, 5));
    let mut plot = Plot::new(&format!("density-{}", frame.name), &title, &description, axes, 290.0);
    for (place, shade) in SHADES.iter().enumerate().skip(1) {
        // By the logarithm: most squares have few rows, and few squares most.
        let is_of_shade = |rows: f64| (1.0 + ln(rows) / ln(most.max(2.0)) * 7.0).round() as usize == place;
        let cells = squares.iter().filter(|(_, (_, rows))| is_of_shade(*rows));
        plot.boxes(shade, cells.map(|&((x, y), (side, _))| [(x, y), (x + side, y + side)]), 0.0);
    }
    plot.line("reference", &[(low, low), (high, high)]);
    let beyond = frame.facts.metric("nobs").unwrap_or(known) - known;
    let note = (beyond > 0.0).then(|| format!("{} more lie beyond the plot.", text::counted(beyond as usize, "row")));
    let keys = vec![("h2", "1 row".to_owned()), ("h8", format!("{} rows", text::count(most)))];
    Some(Figure { title, keys: if most > 1.0 { keys } else { Vec::new() }, svg: plot.finish(), note })
}

fn histogram(frame: &Frame<'_>) -> Option<Figure> {
    let table = &frame.facts.residuals;
    let bins: Vec<_> = table.pairs("lower", "upper").into_iter().zip(table.numbers("rows")).collect();
    let inside = || bins.iter().filter(|((lower, upper), _)| lower.is_finite() && upper.is_finite());
    let most = inside().map(|(_, rows)| *rows).fold(0.0, f64::max);
    let (low, high) = (inside().next()?.0.0, inside().next_back()?.0.1);
    let title = format!("Residuals, {}", frame.name);
    let all: f64 = bins.iter().map(|(_, rows)| rows).sum();
    let description = format!(
        "{title}: how the actual values less the predicted ones are spread over {} rows, from {} to {}.",
        text::count(all),
        text::figure(low),
        text::figure(high)
    );
    let axes = (Axis::between("actual − predicted", low, high, 5), Axis::spanning("rows", 0.0, most, 5));
    let mut plot = Plot::new(&format!("residuals-{}", frame.name), &title, &description, axes, 290.0);
    plot.boxes("bar-a", inside().map(|&((lower, upper), rows)| [(lower, 0.0), (upper, rows)]), 1.0);
    if low < 0.0 && high > 0.0 {
        plot.line("rule", &[(0.0, 0.0), (0.0, most)]);
    }
    let beyond = bins.iter().filter_map(|&((lower, upper), rows)| {
        let rows = text::counted(rows as usize, "row");
        if lower == f64::NEG_INFINITY {
            Some(format!("{rows} below {}", text::brief(upper)))
        } else if upper == f64::INFINITY {
            Some(format!("{rows} from {} up", text::brief(lower)))
        } else {
            None
        }
    });
    let beyond: Vec<_> = beyond.collect();
    let note = (!beyond.is_empty()).then(|| format!("Beyond the plot: {}.", beyond.join(", ")));
    Some(Figure { title, keys: Vec::new(), svg: plot.finish(), note })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::facts::{FrameFacts, Table};

    fn table(header: &[&str], rows: &[&[&str]]) -> Table {
        let owned = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect();
        Table { header: owned(header), rows: rows.iter().map(|row| owned(row)).collect() }
    }

    #[test]
    fn what_lies_beyond_is_said() {
        let facts = FrameFacts {
            metrics: vec![("nobs".to_owned(), 30.0)],
            residuals: table(
                &["lower", "upper", "rows"],
                &[&["-inf", "-1", "1"], &["-1", "0", "9"], &["0", "1", "20"]],
            ),
            predicted_actual: table(
                &["actual", "predicted", "side", "rows"],
                &[&["0", "1", "1", "7"], &["3", "3", "1", "20"]],
            ),
            ..FrameFacts::default()
        };
        let frame = Frame { name: "training", class: "first", facts: &facts };
        let histogram = histogram(&frame).expect("bins");
        assert_eq!(histogram.note.as_deref(), Some("Beyond the plot: 1 row below −1."));
        let density = density(&frame).expect("squares");
        assert_eq!(density.note.as_deref(), Some("3 rows more lie beyond the plot."));
        assert!(density.svg.contains(r#"class="h8""#) && !density.svg.contains("NaN"));
    }
}
