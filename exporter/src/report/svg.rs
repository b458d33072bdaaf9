//! Drawings, written by hand: their colours are classes of the page's style, which knows dark from light and screen from
//! paper.

use std::fmt::Write;

use super::axis::Axis;
use super::text::escaped;

/// How wide a plot is; pages scale it. Texts have their right size on a phone.
const WIDTH: f64 = 380.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 14.0;
const BOTTOM: f64 = 38.0;
/// The width of a digit of an axis, and of a letter of a note.
const DIGIT: f64 = 6.2;
const BOLD: f64 = 7.2;
/// Between a point and its note.
const GAP: f64 = 7.0;

/// A plot with two axes, drawn from the back to the front.
pub(super) struct Plot {
    svg: String,
    x: Axis,
    y: Axis,
    left: f64,
    height: f64,
}

/// Where a text is, seen from its point. It goes to the other side where there is no room.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Right,
    AboveLeft,
    BelowLeft,
    BelowRight,
}

impl Plot {
    /// A frame with its axes. `id` is unique in the page; `description` says in words what the plot shows.
    pub(super) fn new(id: &str, title: &str, description: &str, axes: (Axis, Axis), height: f64) -> Self {
        let (x, y) = axes;
        let longest = y.ticks.iter().map(|tick| tick.text.chars().count()).max().unwrap_or(0);
        let left = longest as f64 * DIGIT + if y.label.is_empty() { 12.0 } else { 26.0 };
        let mut plot = Self { svg: String::new(), x, y, left, height };
        let (title, description) = (escaped(title), escaped(description));
        plot.push(format_args!(
            r#"<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="{id}-t {id}-d"><title id="{id}-t">{title}</title><desc id="{id}-d">{description}</desc>"#
        ));
        plot.axes();
        plot
    }

    /// A line from value to value, with gaps where there is none.
    pub(super) fn line(&mut self, class: &str, points: &[(f64, f64)]) {
        let mut path = String::new();
        let mut is_drawing = false;
        for &(x, y) in points {
            if x.is_nan() || y.is_nan() {
                is_drawing = false;
                continue;
            }
            let (x, y) = self.at(x, y);
            let command = if is_drawing { 'L' } else { 'M' };
            is_drawing = true;
            let _ = write!(path, "{command}{} {}", short(x), short(y));
        }
        if !path.is_empty() {
            self.push(format_args!(r#"<path class="{class}" d="{path}"/>"#));
        }
    }

    /// Rectangles from corner to corner, all of one class, with a gap between neighbours.
    pub(super) fn boxes(&mut self, class: &str, corners: impl IntoIterator<Item = [(f64, f64); 2]>, gap: f64) {
        let mut path = String::new();
        for [(x0, y0), (x1, y1)] in corners {
            let ((x0, y0), (x1, y1)) = (self.at(x0, y0), self.at(x1, y1));
            let (left, right) = (x0 + gap / 2.0, (x1 - gap / 2.0).max(x0 + gap / 2.0 + 0.5));
            let _ = write!(path, "M{0} {1}H{2}V{3}H{0}z", short(left), short(y0), short(right), short(y1));
        }
        if !path.is_empty() {
            self.push(format_args!(r#"<path class="{class}" d="{path}"/>"#));
        }
    }

    /// Small filled circles.
    pub(super) fn dots(&mut self, class: &str, points: &[(f64, f64)]) {
        for &(x, y) in points.iter().filter(|(x, y)| !x.is_nan() && !y.is_nan()) {
            let (x, y) = self.at(x, y);
            self.push(format_args!(r#"<circle class="{class}" cx="{}" cy="{}" r="2.6"/>"#, short(x), short(y)));
        }
    }

    /// A ring around a point.
    pub(super) fn ring(&mut self, class: &str, (x, y): (f64, f64)) {
        let (x, y) = self.at(x, y);
        self.push(format_args!(r#"<circle class="ring {class}" cx="{}" cy="{}" r="5"/>"#, short(x), short(y)));
    }

    /// A text beside a point, kept within the drawing.
    pub(super) fn note(&mut self, text: &str, (x, y): (f64, f64), place: Place) {
        let (x, y) = self.at(x, y);
        let (from_left, from_right) = (x - self.left, WIDTH - RIGHT - x);
        let room = text.chars().count() as f64 * BOLD + GAP;
        let is_left = match place {
            Place::AboveLeft | Place::BelowLeft => from_left > room || from_left > from_right,
            Place::Right | Place::BelowRight => from_right < room && from_left > from_right,
        };
        let (x, anchor) = if is_left { (x - GAP, "end") } else { (x + GAP, "start") };
        let y = y + match place {
            Place::Right => 4.0,
            Place::AboveLeft if y > TOP + 16.0 => -6.0,
            Place::AboveLeft | Place::BelowLeft | Place::BelowRight => 15.0,
        };
        self.text("note", anchor, x, y.clamp(TOP + 10.0, self.height - BOTTOM - 4.0), text);
    }

    /// The drawing as an element of HTML.
    pub(super) fn finish(mut self) -> String {
        self.svg.push_str("</svg>");
        self.svg
    }

    fn axes(&mut self) {
        let (bottom, right) = (self.height - BOTTOM, WIDTH - RIGHT);
        let (mut grid, mut texts) = (String::new(), Vec::new());
        for tick in &self.y.ticks {
            let y = self.at(f64::NAN, tick.value).1;
            let _ = write!(grid, "M{} {}H{}", short(self.left), short(y), short(right));
            texts.push(("end", self.left - 6.0, y + 3.8, tick.text.clone()));
        }
        for tick in &self.x.ticks {
            let x = self.at(tick.value, f64::NAN).0;
            let _ = write!(grid, "M{} {}v4", short(x), short(bottom));
            texts.push(("middle", x, bottom + 16.0, tick.text.clone()));
        }
        self.push(format_args!(r#"<path class="grid" d="{grid}"/>"#));
        for (anchor, x, y, text) in texts {
            self.text("tick", anchor, x, y, &text);
        }
        let (x, y) = (self.x.label.clone(), self.y.label.clone());
        self.text("label", "middle", f64::midpoint(self.left, right), self.height - 4.0, &x);
        if !y.is_empty() {
            let middle = f64::midpoint(TOP, bottom);
            let y = escaped(&y);
            self.push(format_args!(
                r#"<text class="label" text-anchor="middle" transform="translate(11 {}) rotate(-90)">{y}</text>"#,
                short(middle)
            ));
        }
    }

    fn text(&mut self, class: &str, anchor: &str, x: f64, y: f64, text: &str) {
        let text = escaped(text);
        self.push(format_args!(
            r#"<text class="{class}" text-anchor="{anchor}" x="{}" y="{}">{text}</text>"#,
            short(x),
            short(y)
        ));
    }

    /// Where values are in the drawing; beyond the axes at their ends.
    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let bottom = self.height - BOTTOM;
        let (width, height) = (WIDTH - RIGHT - self.left, bottom - TOP);
        (self.left + self.x.place(x) * width, bottom - self.y.place(y) * height)
    }

    fn push(&mut self, part: std::fmt::Arguments<'_>) {
        // Writing to a text cannot fail.
        let _ = self.svg.write_fmt(part);
    }
}

/// Columns of these heights, the largest being 1, for a line of text that has room for so many.
pub(super) fn columns(class: &str, heights: &[f64], room: usize) -> String {
    const COLUMN: usize = 5;
    const HEIGHT: f64 = 24.0;
    let mut path = String::new();
    for (place, height) in heights.iter().enumerate().filter(|(_, height)| **height > 0.0) {
        // What is there is seen.
        let height = (height * HEIGHT).max(1.0).round();
        let _ = write!(path, "M{} {HEIGHT}v-{height}h4v{height}z", place * COLUMN);
    }
    let width = room * COLUMN;
    format!(
        r#"<svg class="{class}" viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path d="{path}"/></svg>"#
    )
}

/// A bar that fills a share of its line.
pub(super) fn bar(share: f64) -> String {
    // Not `clamp`: what is no number has no length.
    let width = short(if share > 0.0 { share.min(1.0) * 100.0 } else { 0.0 });
    format!(
        r#"<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="{width}" height="8"/></svg>"#
    )
}

/// A coordinate, to a tenth.
fn short(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot() -> Plot {
        let axes = (Axis::of_shares("<x>"), Axis::of_shares("y & z"));
        Plot::new("id", "a <title>", "what it \"says\"", axes, 200.0)
    }

    #[test]
    fn texts_are_escaped_and_the_drawing_is_named() {
        let mut plot = plot();
        plot.note("</svg>", (0.5, 0.5), Place::Right);
        let svg = plot.finish();
        assert!(svg.contains("<title id=\"id-t\">a &lt;title&gt;</title>"), "{svg}");
        assert!(svg.contains("what it &quot;says&quot;") && svg.contains("&lt;x&gt;") && svg.contains("y &amp; z"));
        assert_eq!(svg.matches("</svg>").count(), 1);
    }

    #[test]
    fn lines_have_gaps_where_values_are_missing_and_stay_inside() {
        let mut plot = plot();
        plot.line("a", &[(0.0, 0.0), (0.2, f64::NAN), (0.4, 0.5), (9.0, 9.0)]);
        let (left, right) = (plot.left, WIDTH - RIGHT);
        let at = |x: f64| short(left + x * (right - left));
        let expected = format!("d=\"M{} 162M{} 86L{} 10\"", at(0.0), at(0.4), at(1.0));
        let svg = plot.finish();
        assert!(svg.contains(&expected), "{svg} lacks {expected}");
    }

    #[test]
    fn notes_turn_to_the_side_that_has_room() {
        let mut plot = plot();
        plot.note("threshold 0.5", (0.99, 0.5), Place::Right);
        assert!(plot.finish().contains(r#"class="note" text-anchor="end""#));
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([1.0, 1.25, 0.04, 99.96].map(short), ["1", "1.2", "0", "100"]);
        assert!(bar(2.0).contains(r#"width="100""#));
        assert!(columns("spark", &[0.0, 1.0, 0.001], 3).contains("d=\"M5 24v-24h4v24zM10 24v-1h4v1z\""));
    }
}
