//! The file. Colours are classes of its style, which knows dark from light and screen from paper.

use std::fmt::{Arguments, Write};

use super::DRAWING_START;
use super::edges::{Kind, STRENGTHS, Stroke};
use super::stage::{COLUMNS_LEFT, DETAILS_RIGHT, INPUTS_LEFT, RADIUS, Row, Stage};
use crate::text::{count, escaped};

const STYLE: &str = include_str!("../../../templates/drawing/style.css");

/// Inputs of a column that are drawn one by one, and what they take.
const MOST_INPUTS: usize = 8;
const INPUT: f64 = 7.0;

/// From line to line.
const LINE: f64 = 18.0;

/// A drawing, growing.
pub(super) struct Svg {
    text: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64, title: &str, description: &str) -> Self {
        let (title, description) = (escaped(title), escaped(description));
        let mut svg = Self { text: String::new() };
        svg.push(format_args!(
            "{DRAWING_START} width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"title desc\">\n<title id=\"title\">{title}</title>\n<desc id=\"desc\">{description}</desc>\n\
             <style>{STYLE}</style>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n\
             <text class=\"title\" x=\"{COLUMNS_LEFT}\" y=\"40\">{title}</text>\n\
             <text class=\"soft\" x=\"{COLUMNS_LEFT}\" y=\"62\">{description}</text>\n"
        ));
        svg
    }

    /// All weights between two stages.
    pub(super) fn band(&mut self, left: f64, left_height: f64, right: f64, right_height: f64, middle: f64) {
        let [left_half, right_half] = [left_height, right_height].map(|height| height / 2.0 - 3.0);
        let (bend, top, bottom) = (left.midpoint(right), middle - left_half, middle + left_half);
        let (right_top, right_bottom) = (middle - right_half, middle + right_half);
        self.push(format_args!(
            "<path class=\"band\" d=\"M{left} {top}C{bend} {top} {bend} {right_top} {right} {right_top}V{right_bottom}C{bend} \
             {right_bottom} {bend} {bottom} {left} {bottom}z\"/>\n"
        ));
    }

    pub(super) fn edges(&mut self, strokes: &[Stroke]) {
        const WIDTHS: [(f64, f64); STRENGTHS] = [(0.8, 0.35), (1.2, 0.55), (1.8, 0.8), (2.6, 1.0)];
        for (strength, (width, opacity)) in WIDTHS.into_iter().enumerate() {
            for (kind, class) in [(Kind::Levels, "levels"), (Kind::Up, "up"), (Kind::Down, "down")] {
                let mut path = String::new();
                for Stroke { from: (x0, y0), to: (x1, y1), .. } in
                    strokes.iter().filter(|stroke| stroke.strength == strength && stroke.kind == kind)
                {
                    let bend = x0.midpoint(*x1);
                    // Writing to a text cannot fail.
                    let _ = write!(path, "M{x0} {y0}C{bend} {y0} {bend} {y1} {x1} {y1}");
                }
                if !path.is_empty() {
                    self.push(format_args!(
                        "<path class=\"edge {class}\" stroke-width=\"{width}\" opacity=\"{opacity}\" d=\"{path}\"/>\n"
                    ));
                }
            }
        }
    }

    /// Names of columns, what they are, and a square for each input.
    pub(super) fn columns(&mut self, stage: &Stage, middle: f64) {
        for (row, shown) in stage.rows.iter().enumerate() {
            let (y, base) = (stage.y(row, middle), stage.y(row, middle) + 4.5);
            match shown {
                Row::Gap(text) => self.text("soft", COLUMNS_LEFT, base, "start", &format!("⋮ {text}")),
                Row::Item { name, detail, inputs, .. } => {
                    self.text("head", COLUMNS_LEFT, base, "start", name);
                    self.text("soft", DETAILS_RIGHT, base, "end", detail);
                    for input in 0..(*inputs).min(MOST_INPUTS) {
                        let x = INPUTS_LEFT + input as f64 * INPUT;
                        self.push(format_args!(
                            "<rect class=\"input\" x=\"{x}\" y=\"{}\" width=\"5\" height=\"10\" rx=\"1\"/>\n",
                            y - 5.0
                        ));
                    }
                    if *inputs > MOST_INPUTS {
                        let x = INPUTS_LEFT + MOST_INPUTS as f64 * INPUT + 2.0;
                        self.text("soft", x, base, "start", &format!("+{}", count((inputs - MOST_INPUTS) as f64)));
                    }
                }
            }
        }
    }

    /// The units of a layer, and what they mean.
    pub(super) fn units(&mut self, stage: &Stage, middle: f64) {
        let x = stage.x;
        for (row, shown) in stage.rows.iter().enumerate() {
            let y = stage.y(row, middle);
            match shown {
                Row::Gap(text) => {
                    for dot in [-6.0, 0.0, 6.0] {
                        self.push(format_args!("<circle class=\"dot\" cx=\"{x}\" cy=\"{}\" r=\"1.8\"/>\n", y + dot));
                    }
                    self.text("soft halo", x + RADIUS + 6.0, y + 4.0, "start", text);
                }
                Row::Item { name, .. } => {
                    self.push(format_args!("<circle class=\"unit\" cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\"/>\n"));
                    if !name.is_empty() {
                        self.text("head", x + RADIUS + 10.0, y + 4.5, "start", name);
                    }
                }
            }
        }
    }

    /// Lines below each other, the first of them a heading.
    pub(super) fn caption(&mut self, x: f64, y: f64, anchor: &str, lines: &[String]) {
        for (number, line) in lines.iter().enumerate() {
            let class = if number == 0 { "head" } else { "soft" };
            self.text(class, x, y + LINE * number as f64, anchor, line);
        }
    }

    /// What lines mean, of those that there are.
    pub(super) fn legend(&mut self, y: f64, strokes: &[Stroke], has_channels: bool) {
        let mut x = COLUMNS_LEFT;
        let entries = [
            (Kind::Up, "up", "weight above 0"),
            (Kind::Down, "down", "weight below 0"),
            (Kind::Levels, "levels", "weights of all levels together"),
        ];
        for (kind, class, text) in entries {
            if strokes.iter().any(|stroke| stroke.kind == kind) {
                self.push(format_args!(
                    "<path class=\"edge {class}\" stroke-width=\"2.2\" d=\"M{x} {}h22\"/>\n",
                    y - 4.0
                ));
                self.text("soft", x + 30.0, y, "start", text);
                x += 52.0 + text.chars().count() as f64 * 6.4;
            }
        }
        let channels = if has_channels { "; of two channels the larger one" } else { "" };
        self.text("soft", x, y, "start", &format!("the largest of each layer are drawn{channels}"));
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn text(&mut self, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escaped(text);
        self.push(format_args!("<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>\n"));
    }

    fn push(&mut self, markup: Arguments<'_>) {
        // Writing to a text cannot fail.
        let _ = self.text.write_fmt(markup);
    }
}
