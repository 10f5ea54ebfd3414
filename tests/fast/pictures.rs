//! The pictures of the documentation: graphs that the kit draws, and bars of numbers in the tables
//! of pages. `docs/pictures/pictures.yaml` says what they show.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast pictures::` draws them again. Invariant: a number of a
//! picture is in the table beside it.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use libtest_mimic::Trial;
use serde::Deserialize;
use torchgen_base::render::Renderer;
use torchgen_kit::picture::{Graph, Look};
use torchgen_kit::site::Figure;

use crate::expected::assert_is_text_of_file;
use crate::root;
use crate::rules::read;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![pictures_are_current, numbers_are_read_from_tables]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pictures {
    graphs: BTreeMap<String, Drawn>,
    bars: BTreeMap<String, Bars>,
}

/// Boxes in the order in which they are written, and arrows between them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Drawn {
    about: String,
    boxes: serde_yaml::Mapping,
    arrows: Vec<(String, String)>,
}

/// A table, and the columns of numbers in it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bars {
    page: String,
    /// How the line of its headings begins.
    table: String,
    columns: Vec<String>,
    /// The columns that are about torchgen-rs.
    ours: Vec<String>,
    unit: String,
}

/// A row: its name, and a number for each column.
type Row = (String, Vec<f64>);

fn pictures_are_current() {
    let pictures: Pictures = serde_yaml::from_str(&read("docs/pictures/pictures.yaml")).expect("the pictures");
    let shown: String = ["ARCHITECTURE.md", "docs/libraries.md", "docs/speed.md"].map(read).concat();
    let check = |name: &str, text: &str| {
        assert!(shown.contains(&format!("pictures/{name}.svg)")), "no page shows {name}.svg");
        assert_is_text_of_file(&root().join(format!("docs/pictures/{name}.svg")), text);
    };
    for (name, drawn) in &pictures.graphs {
        check(name, &graph(drawn));
    }
    for (name, bars) in &pictures.bars {
        check(name, &bars.draw(&bars.rows(&read(&bars.page))));
    }
}

fn graph(drawn: &Drawn) -> String {
    let mut graph = Graph::default();
    let mut numbers = HashMap::new();
    for (name, lines) in &drawn.boxes {
        let lines = serde_yaml::from_value(lines.clone()).expect("lines");
        numbers.insert(name.as_str().expect("a name"), graph.add(Look::Node, lines));
    }
    for (from, to) in &drawn.arrows {
        graph.connect(numbers[from.as_str()], numbers[to.as_str()]);
    }
    let figure = Figure::new("", graph.picture(vec![drawn.about.clone()]));
    let renderer = Renderer::new("kit").expect("the templates");
    renderer.fragment("kit/site/figure.svg.j2", &figure).expect("a picture")
}

impl Bars {
    /// The rows that have a number in each column.
    fn rows(&self, page: &str) -> Vec<Row> {
        let cells =
            |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
        let mut lines = page.lines().skip_while(|line| !line.starts_with(&self.table));
        let headings = cells(lines.next().expect("the table"));
        let at = |column: &String| headings.iter().position(|own| own == column).expect("a column");
        let places: Vec<usize> = self.columns.iter().map(at).collect();
        let row = |line: &str| {
            let cells = cells(line);
            let number = |at: &usize| cells.get(*at)?.split([' ', ',']).next()?.parse().ok();
            Some((cells[0].replace('`', ""), places.iter().map(number).collect::<Option<Vec<f64>>>()?))
        };
        lines.skip(1).take_while(|line| line.starts_with('|')).filter_map(row).collect()
    }

    /// The picture: a bar for each number, with the number beside it.
    fn draw(&self, rows: &[Row]) -> String {
        const SCALE: f64 = 460.0;
        let most = rows.iter().flat_map(|(_, numbers)| numbers).fold(0.0_f64, |most, number| most.max(*number));
        let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let (mut body, mut y, mut words) = (String::new(), 4, Vec::new());
        let bar = |y: i32, column: &String, width: f64, text: &str| {
            let (middle, place) = (y + 10, 12.0 + width);
            let class = if self.ours.contains(column) { "ours" } else { "other" };
            format!(
                "<rect class=\"{class}\" x=\"4\" y=\"{y}\" width=\"{width:.1}\" height=\"12\"/>\
                 <text x=\"{place:.1}\" y=\"{middle}\">{}</text>\n",
                escaped(text)
            )
        };
        for (name, numbers) in rows {
            let _ = writeln!(body, "<text class=\"row\" x=\"4\" y=\"{}\">{}</text>", y + 14, escaped(name));
            y += 20;
            for (number, column) in numbers.iter().zip(&self.columns) {
                let text = format!("{number} {}, {column}", self.unit);
                body += &bar(y, column, (number / most * SCALE).max(1.0), &text);
                words.push(format!("{name}: {text}"));
                y += 16;
            }
            y += 6;
        }
        let (width, words) = (SCALE + 320.0, escaped(&words.join("; ")));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{words}\" width=\"{width}\" \
             height=\"{y}\" viewBox=\"0 0 {width} {y}\">\n{STYLE}\n{body}</svg>\n"
        )
    }
}

/// How bars look in light and in dark; ours and the others differ in lightness too.
const STYLE: &str = "<style>
text { font: 12px system-ui, sans-serif; fill: #1f2328 }
.row { font-weight: 600 }
.other { fill: #8c959f } .ours { fill: #0a58a8 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .ours { fill: #7ab8ff }
}
</style>";

fn numbers_are_read_from_tables() {
    let bars = Bars {
        page: String::new(),
        table: "| run".to_owned(),
        columns: vec!["a".to_owned(), "c".to_owned()],
        ours: vec!["c".to_owned()],
        unit: "s".to_owned(),
    };
    let page = "| other |\n\n| run | a | b | c |\n| --- | --- | --- | --- |\n| `x` | 1.5 s, 2 MB | 9 | 3, 4 |\n\
                | y | - | 9 | 1 |\n\n| z | 1 | 2 | 3 |\n";
    let rows = bars.rows(page);
    assert_eq!(rows, [("x".to_owned(), vec![1.5, 3.0])]);
    let drawn = bars.draw(&rows);
    assert!(
        drawn.contains("1.5 s, a") && drawn.contains("width=\"460.0\"") && drawn.contains("width=\"230.0\""),
        "{drawn}"
    );
}
