//! The source with what is covered, its functions and the inputs of the tests, as one page.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use craig_c::{Answer, GeneratedTest, GoalReport, GoalState, TestReport, presumed_lines};

use crate::cli::page::source::is_input;
use crate::cli::page::source::lines_of;
use crate::cli::page::{escaped, page as whole_page};

/// Tests that a goal names, and values that a test shows, at most; the others are folded.
const MOST_SHOWN: usize = 8;

/// The name of the state of a goal.
fn state(goal: &GoalReport) -> &'static str {
    match goal.state {
        GoalState::Covered(_) => "covered",
        GoalState::Unreachable(_) => "unreachable",
        GoalState::Open(_) => "open",
    }
}

/// The class of a line: open goals come before unreachable ones, these before covered ones.
fn class(goals: &[&GoalReport]) -> Option<&'static str> {
    let has = |name: &str| goals.iter().any(|goal| state(goal) == name);
    ["open", "unreachable", "covered"]
        .into_iter()
        .find(|name| has(name))
}

/// How many goals are covered, unreachable and open.
#[derive(Clone, Copy, Default)]
struct Numbers {
    covered: usize,
    unreachable: usize,
    open: usize,
}

impl Numbers {
    fn add(&mut self, goal: &GoalReport) {
        *match goal.state {
            GoalState::Covered(_) => &mut self.covered,
            GoalState::Unreachable(_) => &mut self.unreachable,
            GoalState::Open(_) => &mut self.open,
        } += 1;
    }

    fn all(self) -> usize {
        self.covered + self.unreachable + self.open
    }

    /// The share of a number in percent; of nothing, all is covered.
    fn percent(self, part: usize) -> f64 {
        match self.all() {
            0 => 100.0,
            all => 100.0 * part as f64 / all as f64,
        }
    }

    /// What can be covered and is, in percent.
    fn reached(self) -> f64 {
        let own = Self {
            unreachable: 0,
            ..self
        };
        own.percent(self.covered)
    }

    fn bar(self) -> String {
        format!(
            "<span class=\"bar\"><span class=\"c\" style=\"width:{:.1}%\"></span><span class=\"u\" style=\"width:{:.1}%\"></span></span>",
            self.percent(self.covered),
            self.percent(self.unreachable)
        )
    }

    fn row(self, name: &str) -> String {
        format!(
            "<tr><td>{name}</td><td>{}</td><td class=\"number\">{:.1} %</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>\n",
            self.bar(),
            self.reached(),
            self.all(),
            self.covered,
            self.unreachable,
            self.open
        )
    }
}

/// The place of a line on the page.
fn anchor(goal: &GoalReport, files: &[&str]) -> String {
    let file = files.iter().position(|file| *file == goal.file);
    format!("f{}l{}", file.unwrap_or_default(), goal.line)
}

/// What is known about a goal, with links to its tests. Several on one line are told apart by their columns.
fn note(goal: &GoalReport, has_column: bool) -> String {
    let place = match has_column {
        true => format!("column {}: ", goal.column),
        false => String::new(),
    };
    let text = escaped(&format!("{place}{}", goal.text));
    let rest = match &goal.state {
        GoalState::Covered(tests) => {
            let link = |test: &usize| format!("<a href=\"#t{0}\">{0}</a>", test + 1);
            let links: Vec<String> = tests.iter().take(MOST_SHOWN).map(link).collect();
            let more = if tests.len() > MOST_SHOWN { ", .." } else { "" };
            format!("by {}{more}", links.join(", "))
        }
        GoalState::Unreachable(why) | GoalState::Open(why) => {
            format!("{} ({})", state(goal), escaped(why))
        }
    };
    format!("<span class=\"note {}\">{text}: {rest}</span>", state(goal))
}

/// The page.
pub(super) fn page(file: &Path, kind: &str, report: &TestReport) -> String {
    let mut files: Vec<&str> = report.goals.iter().map(|goal| goal.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    let mut all = Numbers::default();
    let mut functions: BTreeMap<&str, (Numbers, &GoalReport)> = BTreeMap::new();
    for goal in &report.goals {
        all.add(goal);
        let own = functions
            .entry(&goal.function)
            .or_insert((Numbers::default(), goal));
        own.0.add(goal);
    }
    let mut html = format!(
        "<p><span class=\"badge covered\">{:.1} %</span> of the {kind} that can be covered are: {} of {} covered, {} \
         proved unreachable, {} open; {} tests.</p>\n<p><span class=\"note covered\">covered</span><span class=\"note \
         unreachable\">unreachable</span><span class=\"note open\">open</span></p>\n<h2>Functions</h2>\n<div \
         class=\"wide\"><table><tr><th>function</th><th></th><th class=\"number\">share</th><th \
         class=\"number\">goals</th><th class=\"number\">covered</th><th class=\"number\">unreachable</th><th \
         class=\"number\">open</th></tr>\n",
        all.reached(),
        all.covered,
        all.all(),
        all.unreachable,
        all.open,
        report.tests.len()
    );
    for (name, (numbers, first)) in &functions {
        let link = format!(
            "<a href=\"#{}\">{}</a>",
            anchor(first, &files),
            escaped(name)
        );
        html += &numbers.row(&link);
    }
    html += &all.row("all");
    html += "</table></div>\n";
    html += &tests(report, &files);
    for note in &report.notes {
        let _ = writeln!(html, "<p class=\"faint\">note: {}</p>", escaped(note));
    }
    for name in &files {
        source(&mut html, name, file, report, &files);
    }
    whole_page(&format!("{}: tests for {kind}", file.display()), &html)
}

/// The inputs of each test, with links to the lines that it covers.
fn tests(report: &TestReport, files: &[&str]) -> String {
    let mut html = String::from(
        "<h2>Tests</h2>\n<div class=\"wide\"><table><tr><th class=\"number\">test</th><th>inputs, in their order</th>\
         <th>covers lines</th></tr>\n",
    );
    for (number, test) in (1..).zip(&report.tests) {
        let goals = test.goals.iter().map(|&goal| &report.goals[goal]);
        let mut lines: Vec<String> = goals
            .map(|goal| format!("<a href=\"#{}\">{}</a>", anchor(goal, files), goal.line))
            .collect();
        lines.dedup();
        let _ = writeln!(
            html,
            "<tr id=\"t{number}\"><td class=\"number\">{number}</td><td>{}</td><td>{}</td></tr>",
            folded(&inputs(test)),
            lines.join(" ")
        );
    }
    html + "</table></div>\n"
}

/// What a test gives to the program.
fn inputs(test: &GeneratedTest) -> Vec<String> {
    let Answer::Unsafe(found) = &test.report.answer else {
        return Vec::new();
    };
    let steps = found.path.iter().filter(|step| is_input(step));
    let values = steps.filter_map(|step| step.chosen.as_ref());
    values
        .map(|value| {
            let function = value.function.as_deref().unwrap_or_default();
            format!(
                "<code>{}() = {}</code>",
                escaped(function),
                escaped(&value.literal)
            )
        })
        .collect()
}

/// A list, whose rest is folded.
fn folded(list: &[String]) -> String {
    match list.split_at_checked(MOST_SHOWN) {
        None if list.is_empty() => "<span class=\"faint\">none</span>".to_owned(),
        Some((first, rest)) if !rest.is_empty() => format!(
            "{}<details><summary>{} more</summary>{}</details>",
            first.join("<br>"),
            rest.len(),
            rest.join("<br>")
        ),
        _ => list.join("<br>"),
    }
}

/// A file: each line with goals is coloured by them, and they are listed behind it.
fn source(html: &mut String, name: &str, file: &Path, report: &TestReport, files: &[&str]) {
    let mut lines: BTreeMap<u32, Vec<&GoalReport>> = BTreeMap::new();
    for goal in report.goals.iter().filter(|goal| goal.file == name) {
        lines.entry(goal.line).or_default().push(goal);
    }
    let own_name = file.display().to_string();
    let own_text = lines_of(&own_name).join("\n");
    let own_lines = presumed_lines(&own_name, &own_text);
    // The text of a file that line markers name is behind them, in the given file.
    let of_file = own_lines.iter().filter(|line| line.file == name);
    let mut shown: Vec<(u32, String)> = of_file
        .map(|line| (line.line, line.text.to_owned()))
        .collect();
    if shown.is_empty() {
        shown = (1..).zip(lines_of(name)).collect();
    }
    // Of several lines with one number, generated code has the statement in the last one.
    let last: BTreeMap<u32, usize> = (shown.iter().enumerate())
        .map(|(place, &(number, _))| (number, place))
        .collect();
    let _ = writeln!(
        html,
        "<h2>{}</h2>\n<div class=\"code\"><table>",
        escaped(name)
    );
    for (place, (number, text)) in shown.into_iter().enumerate() {
        let own = lines.get(&number).filter(|_| last[&number] == place);
        let goals = own.map_or(&[][..], Vec::as_slice);
        let has_columns = goals.iter().any(|goal| goal.column != goals[0].column);
        let notes: Vec<String> = goals.iter().map(|goal| note(goal, has_columns)).collect();
        let class = class(goals).map_or_else(String::new, |name| format!(" class=\"is-{name}\""));
        let id = goals.first().map_or_else(String::new, |goal| {
            format!(" id=\"{}\"", anchor(goal, files))
        });
        let _ = writeln!(
            html,
            "<tr{class}{id}><td class=\"number\">{number}</td><td><pre>{}</pre></td><td class=\"notes\">{}</td></tr>",
            escaped(&text),
            notes.concat()
        );
    }
    html.push_str("</table></div>\n");
}
