//! The plot of `lop compare`: size in tokens over the number of tests and over time, one line per strategy,
//! as in Figure 5 of the paper on Pardis.

use std::error::Error;
use std::path::Path;

use lop::Report;
use plotters::coord::Shift;
use plotters::prelude::*;

use crate::exit::Failure;
use crate::target;

const SIZE: (u32, u32) = (1280, 560);
const FONT: &str = "sans-serif";

/// Colours that most people can distinguish: those of M. Okabe and K. Ito, without the yellow, which is
/// too bright for a line, and some of P. Tol's.
const COLOURS: [RGBColor; 12] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(136, 34, 85),
    RGBColor(153, 153, 51),
    RGBColor(51, 34, 136),
    RGBColor(119, 119, 119),
    RGBColor(170, 68, 153),
];

/// The most characters of a title that fit.
const TITLE_LENGTH: usize = 90;

/// The x axis of a panel.
struct Axis {
    name: &'static str,
    of: fn(tests: u64, seconds: f64) -> f64,
}

const AXES: [Axis; 2] = [
    Axis { name: "tests", of: |tests, _| tests as f64 },
    Axis { name: "seconds", of: |_, seconds| seconds },
];

/// Checks that a plot can be written, before anything is run.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    target::check(path, "plot", &["svg"], "SVG files")
}

/// Draws the curves of several runs over the same input.
pub(crate) fn draw(path: &Path, title: &str, runs: &[(String, &Report)]) -> Result<(), Failure> {
    panels(path, title, runs).map_err(|error| target::failed(path, "plot", &error))
}

fn panels(path: &Path, title: &str, runs: &[(String, &Report)]) -> Result<(), Box<dyn Error>> {
    let canvas = SVGBackend::new(path, SIZE).into_drawing_area();
    canvas.fill(&WHITE)?;
    // XML files must not contain control characters; file names may.
    let mut title: String = title.replace(char::is_control, "\u{fffd}");
    if let Some((end, _)) = title.char_indices().nth(TITLE_LENGTH) {
        title.replace_range(end.., "…");
    }
    let body = canvas.titled(&title, (FONT, 20))?;
    for (index, (axis, panel)) in AXES.iter().zip(body.split_evenly((1, AXES.len()))).enumerate() {
        self::panel(&panel, axis, runs, index == 0)?;
    }
    canvas.present()?;
    Ok(())
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    axis: &Axis,
    runs: &[(String, &Report)],
    with_legend: bool,
) -> Result<(), Box<dyn Error>> {
    let curves: Vec<Vec<(f64, f64)>> = runs.iter().map(|(_, report)| curve(report, axis)).collect();
    let points = || curves.iter().flatten();
    let right = points().map(|(x, _)| *x).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let (low, high) =
        points().fold((f64::MAX, 1.0f64), |(low, high), (_, y)| (low.min(*y), high.max(*y)));
    // The axis spans a factor of ten at least, with the curves in its middle.
    let room = (10.0 / (high / low)).sqrt().max(1.25);
    let heights = (low / room..high * room).log_scale();
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(48)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..right * 1.02, heights)?;
    chart
        .configure_mesh()
        .x_desc(axis.name)
        .y_desc("tokens left")
        .axis_desc_style((FONT, 16))
        .label_style((FONT, 13))
        .light_line_style(TRANSPARENT)
        .y_label_formatter(&|y| crate::view::number(*y as u64))
        .x_label_formatter(&|x| label(*x, right))
        .draw()?;
    for (index, (curve, (name, _))) in curves.iter().zip(runs).enumerate() {
        let style = COLOURS[index % COLOURS.len()].stroke_width(2);
        let line = chart.draw_series(LineSeries::new(curve.iter().copied(), style))?;
        if with_legend {
            let key = move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style);
            line.label(name.as_str()).legend(key);
        }
    }
    if with_legend {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .legend_area_size(32)
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.2))
            .label_font((FONT, 14))
            .draw()?;
    }
    Ok(())
}

/// The size over time as steps: it stays the same until the next improvement.
fn curve(report: &Report, axis: &Axis) -> Vec<(f64, f64)> {
    let at = |tests: u64, elapsed: std::time::Duration| (axis.of)(tests, elapsed.as_secs_f64());
    // The axis is logarithmic, and 0 has no logarithm.
    let height = |tokens: usize| tokens.max(1) as f64;
    let mut left = height(report.original.tokens);
    let mut curve = vec![(0.0, left)];
    for improvement in &report.improvements {
        let x = at(improvement.tests, improvement.elapsed);
        curve.push((x, left));
        left = height(improvement.tokens);
        curve.push((x, left));
    }
    curve.push((at(report.counts.tests, report.counts.elapsed), left));
    curve
}

/// A number on an axis, with digits that suit the length of the axis.
fn label(x: f64, right: f64) -> String {
    match right {
        100.0.. => crate::view::number(x.round() as u64),
        10.0.. => format!("{x:.0}"),
        1.0.. => format!("{x:.1}"),
        0.1.. => format!("{x:.2}"),
        _ => format!("{x:.4}"),
    }
}
