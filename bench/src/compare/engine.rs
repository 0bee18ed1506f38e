//! Engines as a file describes them: what is run, and how its answer is read.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::problem::{Kind, Problem};
use crate::answer::Answer;
use crate::process::Ended;

/// The engines that are known without a file.
pub(super) const KNOWN: &str = include_str!("../../engines.toml");

/// For a column of the index: words of its value, in which a `*` takes a part, and what each adds to the command.
type Fields = BTreeMap<String, Vec<(String, Vec<String>)>>;

/// An engine.
#[derive(Clone, Debug, Default)]
pub(super) struct Engine {
    /// Its name; a `*` in it has been replaced.
    pub(super) name: String,
    pub(super) kinds: Vec<Kind>,
    pub(super) command: Vec<String>,
    pub(super) version: Vec<String>,
    pub(super) judges: Vec<Judge>,
    /// Whether compressed files are unpacked for it.
    pub(super) is_unpacked: bool,
    good: Signs,
    bad: Signs,
    /// The exit codes without an answer; without them, every other code is one.
    unknown: Option<Vec<i64>>,
    /// What makes an answer none.
    none: Signs,
    fields: Fields,
}

/// Exit codes and texts that stand for an answer.
#[derive(Clone, Debug, Default)]
struct Signs {
    codes: Vec<i64>,
    texts: Vec<String>,
}

/// A judge of evidence.
#[derive(Clone, Debug, Default)]
pub(super) struct Judge {
    pub(super) name: String,
    command: Vec<String>,
    accepted: Vec<String>,
    undecided: Vec<i64>,
    /// The answer whose evidence it judges.
    when: String,
}

/// What stands for the words in braces.
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) evidence: &'a str,
    pub(super) craig: &'a str,
    pub(super) own: &'a str,
    pub(super) cpu: f64,
    pub(super) wall: f64,
    pub(super) megabytes: u64,
}

impl Place<'_> {
    fn filled(&self, word: &str) -> String {
        word.replace("{file}", self.file)
            .replace("{evidence}", self.evidence)
            .replace("{craig}", self.craig)
            .replace("{self}", self.own)
            .replace("{cpu}", &self.cpu.to_string())
            .replace("{wall}", &self.wall.to_string())
            .replace("{megabytes}", &self.megabytes.to_string())
    }
}

impl Signs {
    fn fit(&self, ended: &Ended) -> bool {
        let has = |text: &String| ended.stdout.lines().any(|line| has_parts(line, text));
        ended
            .code
            .is_some_and(|code| self.codes.contains(&code.into()))
            || self.texts.iter().any(has)
    }
}

impl Engine {
    /// The command about a problem.
    pub(super) fn command(&self, problem: &Problem, place: &Place<'_>) -> Vec<String> {
        self.words(&self.command, problem, place)
    }

    fn words(&self, template: &[String], problem: &Problem, place: &Place<'_>) -> Vec<String> {
        let each = template.iter().flat_map(|word| match word.as_str() {
            "{fields}" => self.of_fields(problem),
            word => vec![place.filled(word)],
        });
        each.collect()
    }

    /// The judges of the evidence for an answer, with their commands.
    pub(super) fn judges(
        &self,
        answer: Answer,
        problem: &Problem,
        place: &Place<'_>,
    ) -> Vec<(&Judge, Vec<String>)> {
        let fit = self.judges.iter();
        let fit = fit.filter(|judge| judge.when.is_empty() || judge.when == answer.word());
        fit.map(|judge| (judge, self.words(&judge.command, problem, place)))
            .collect()
    }

    /// What the columns of the index add.
    fn of_fields(&self, problem: &Problem) -> Vec<String> {
        let mut words = Vec::new();
        for (column, patterns) in &self.fields {
            for word in problem.field(column).split_whitespace() {
                let found = patterns.iter().find_map(|(pattern, added)| {
                    let part = taken(pattern, word)?;
                    Some(added.iter().map(move |it| it.replace("{*}", part)))
                });
                words.extend(found.into_iter().flatten());
            }
        }
        words
    }

    /// The answer of a run. `Unknown` if a limit ended it, whatever was printed.
    pub(super) fn answer(&self, ended: &Ended) -> Answer {
        let is_none = |code: i32| match &self.unknown {
            Some(codes) => codes.contains(&code.into()),
            None => true,
        };
        match (self.good.fit(ended), self.bad.fit(ended), ended.code) {
            _ if ended.is_limited || self.none.fit(ended) => Answer::Unknown,
            (true, false, _) => Answer::Good,
            (false, true, _) => Answer::Bad,
            (false, false, Some(code)) if is_none(code) => Answer::Unknown,
            _ => Answer::Failed,
        }
    }
}

impl Judge {
    /// The word for the result of a judge that has ended.
    pub(super) fn word(&self, ended: &Ended) -> &'static str {
        let accepts = |line: &str| self.accepted.iter().any(|text| line.starts_with(text));
        let is_undecided = |code: i32| self.undecided.contains(&code.into());
        if ended.stdout.lines().any(accepts) {
            "accepted"
        } else if ended.is_limited || ended.code.is_some_and(is_undecided) {
            "undecided"
        } else {
            "REJECTED"
        }
    }
}

/// Whether a line has the parts of a text between its `*`, in their order.
fn has_parts(line: &str, text: &str) -> bool {
    let mut rest = Some(line);
    for part in text.split('*') {
        rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
    }
    rest.is_some()
}

/// The part of a text that the `*` of a pattern takes; all of it has to fit.
fn taken<'a>(pattern: &str, text: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((head, tail)) => text.strip_prefix(head)?.strip_suffix(tail),
        None => (pattern == text).then_some(""),
    }
}

/// The engine of a name, such as `craig:pdr,pdr-predecessors`.
///
/// # Errors
/// If there is none.
pub(super) fn named(engines: &[Engine], name: &str) -> Result<Engine, String> {
    let exact = engines.iter().find(|engine| engine.name == name);
    let found = exact.map(|engine| (engine, "")).or_else(|| {
        let mut fit = engines.iter().filter(|it| it.name.contains('*'));
        fit.find_map(|engine| Some((engine, taken(&engine.name, name)?)))
    });
    let Some((engine, part)) = found else {
        let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
        return Err(format!(
            "there is no engine {name}: expected one of {}",
            names.join(", ")
        ));
    };
    let mut items = part.split(',');
    let first = items.next().unwrap_or_default();
    let rest: Vec<String> = items.map(|option| format!("--{option}")).collect();
    let command = engine.command.iter().flat_map(|word| {
        let own = word.replace("{*}", first);
        let n_rest = if *word == own { 0 } else { rest.len() };
        [std::slice::from_ref(&own), &rest[..n_rest]].concat()
    });
    Ok(Engine {
        name: name.to_owned(),
        command: command.collect(),
        ..engine.clone()
    })
}

/// Reads a file with engines.
///
/// # Errors
/// The place and what was expected there.
pub(super) fn read(text: &str, name: &str) -> Result<Vec<Engine>, String> {
    let at = |(offset, message): (usize, String)| {
        let line = 1 + text[..offset.min(text.len())].matches('\n').count();
        format!("{name}:{line}: {message}")
    };
    let table = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        at((offset, format!("expected TOML: {}", error.message())))
    })?;
    let mut engines = Vec::new();
    for (key, item) in table.get_ref() {
        if key.get_ref() != "engine" {
            return Err(at((key.span().start, "expected [[engine]]".to_owned())));
        }
        for one in list(item).map_err(at)? {
            engines.push(engine(one).map_err(at)?);
        }
    }
    Ok(engines)
}

type Wrong = (usize, String);
type Item<'a> = Spanned<DeValue<'a>>;

fn wrong<T>(item: &Item<'_>, expected: &str) -> Result<T, Wrong> {
    Err((item.span().start, format!("expected {expected}")))
}

fn list<'i, 'a>(item: &'i Item<'a>) -> Result<Vec<&'i Item<'a>>, Wrong> {
    match item.get_ref().as_array() {
        Some(array) => Ok(array.iter().collect()),
        None => wrong(item, "a list"),
    }
}

fn text(item: &Item<'_>) -> Result<String, Wrong> {
    match item.get_ref().as_str() {
        Some(text) => Ok(text.to_owned()),
        None => wrong(item, "a text"),
    }
}

fn texts(item: &Item<'_>) -> Result<Vec<String>, Wrong> {
    list(item)?.into_iter().map(text).collect()
}

fn code(item: &Item<'_>) -> Option<i64> {
    let number = item.get_ref().as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn codes(item: &Item<'_>) -> Result<Vec<i64>, Wrong> {
    let items = list(item)?.into_iter();
    let number = items.map(|item| code(item).map_or_else(|| wrong(item, "an exit code"), Ok));
    number.collect()
}

fn table<'i, 'a>(item: &'i Item<'a>) -> Result<&'i DeTable<'a>, Wrong> {
    match item.get_ref().as_table() {
        Some(table) => Ok(table),
        None => wrong(item, "a table"),
    }
}

fn signs(item: &Item<'_>) -> Result<Signs, Wrong> {
    let mut signs = Signs::default();
    for one in list(item)? {
        match code(one) {
            Some(code) => signs.codes.push(code),
            None => signs.texts.push(text(one)?),
        }
    }
    Ok(signs)
}

fn unexpected(key: &Spanned<DeString<'_>>, expected: &str) -> Wrong {
    let name = key.get_ref();
    (key.span().start, format!("`{name}`: expected {expected}"))
}

fn engine(item: &Item<'_>) -> Result<Engine, Wrong> {
    let mut engine = Engine::default();
    for (key, value) in table(item)? {
        match key.get_ref().as_ref() {
            "name" => engine.name = text(value)?,
            "kinds" => {
                for one in list(value)? {
                    let kind = Kind::parse(&text(one)?);
                    let expected = "circuits, live, words, c or formulas";
                    engine
                        .kinds
                        .push(kind.map_or_else(|| wrong(one, expected), Ok)?);
                }
            }
            "command" => engine.command = texts(value)?,
            "version" => engine.version = texts(value)?,
            "good" => engine.good = signs(value)?,
            "bad" => engine.bad = signs(value)?,
            "none" => engine.none = signs(value)?,
            "unknown" => engine.unknown = Some(codes(value)?),
            "unpack" => match value.get_ref().as_bool() {
                Some(flag) => engine.is_unpacked = flag,
                None => return wrong(value, "true or false"),
            },
            "fields" => engine.fields = fields(value)?,
            "judge" => {
                engine.judges = list(value)?
                    .into_iter()
                    .map(judge)
                    .collect::<Result<_, _>>()?;
            }
            _ => {
                let known = "name, kinds, command, version, good, bad, none, unknown, unpack, fields or judge";
                return Err(unexpected(key, known));
            }
        }
    }
    match engine.name.is_empty() || engine.command.is_empty() || engine.kinds.is_empty() {
        true => wrong(item, "a name, kinds and a command"),
        false => Ok(engine),
    }
}

fn fields(item: &Item<'_>) -> Result<Fields, Wrong> {
    let mut fields = Fields::new();
    for (column, patterns) in table(item)? {
        let mut all = Vec::new();
        for (pattern, words) in table(patterns)? {
            all.push((pattern.get_ref().to_string(), texts(words)?));
        }
        fields.insert(column.get_ref().to_string(), all);
    }
    Ok(fields)
}

fn judge(item: &Item<'_>) -> Result<Judge, Wrong> {
    let mut judge = Judge::default();
    for (key, value) in table(item)? {
        match key.get_ref().as_ref() {
            "name" => judge.name = text(value)?,
            "command" => judge.command = texts(value)?,
            "accepted" => judge.accepted = texts(value)?,
            "undecided" => judge.undecided = codes(value)?,
            "when" => judge.when = text(value)?,
            _ => {
                return Err(unexpected(
                    key,
                    "name, when, command, accepted or undecided",
                ));
            }
        }
    }
    match judge.name.is_empty() || judge.command.is_empty() || judge.accepted.is_empty() {
        true => wrong(item, "a name, a command and what it accepts"),
        false => Ok(judge),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: i32, stdout: &str) -> Ended {
        Ended {
            code: Some(code),
            stdout: stdout.to_owned(),
            cpu_seconds: 0.1,
            wall_seconds: 0.1,
            is_limited: false,
        }
    }

    const PLACE: Place<'_> = Place {
        file: "p.aig",
        evidence: "w",
        craig: "craig",
        own: "bench",
        cpu: 10.0,
        wall: 20.0,
        megabytes: 100,
    };

    #[test]
    fn the_known_engines_have_commands() {
        let known = read(KNOWN, "engines.toml").unwrap();
        let engine = named(&known, "craig:pdr,pdr-predecessors,seed=1").unwrap();
        let problem = Problem::of("p.aig", Kind::Circuits);
        let command = engine.command(&problem, &PLACE).join(" ");
        assert!(
            command.starts_with(
                "craig check p.aig --threads 1 --engine pdr --pdr-predecessors --seed=1 --timeout 20"
            ),
            "{command}"
        );
        let live = Problem::of("p.aig", Kind::Live).with_field("property", "1");
        assert!(
            engine
                .command(&live, &PLACE)
                .ends_with(&["--property".into(), "j1".into()])
        );
        let judges = engine.judges(Answer::Good, &problem, &PLACE);
        assert_eq!(judges[0].1, ["craig", "certify", "p.aig", "w"]);
        assert_eq!(judges[0].0.word(&ended(0, "valid safe\n")), "accepted");
        assert_eq!(judges[0].0.word(&ended(0, "valid unsafe\n")), "REJECTED");
        assert_eq!(judges[0].0.word(&ended(3, "")), "undecided");
        let abc = named(&known, "abc:pdr").unwrap();
        assert_eq!(
            abc.answer(&ended(
                0,
                "Output 0 of miter \"p\" was asserted in frame 3."
            )),
            Answer::Bad
        );
        assert_eq!(abc.answer(&ended(0, "No proof")), Answer::Unknown);
        let ric3 = named(&known, "ric3:ic3").unwrap();
        // Statistics have such words, too.
        assert_eq!(
            ric3.answer(&ended(20, "sat: 3\nresult: safe\n")),
            Answer::Good
        );
        // A bound that is too small is no error of the program.
        let cbmc = named(&known, "cbmc").unwrap();
        let failed = "[f.assertion.1] line 3: FAILURE\nVERIFICATION FAILED";
        let cut = "[f.unwind.0] line 2 unwinding assertion loop 0: FAILURE\nVERIFICATION FAILED";
        assert_eq!(cbmc.answer(&ended(10, failed)), Answer::Bad);
        assert_eq!(cbmc.answer(&ended(10, cut)), Answer::Unknown);
        assert!(named(&known, "abd:pdr").unwrap_err().contains("abc:*"));
    }

    #[test]
    fn fields_of_the_index_add_words() {
        let known = read(KNOWN, "engines.toml").unwrap();
        let engine = named(&known, "craig-c+without=loops").unwrap();
        let problem = Problem::of("p.c", Kind::C)
            .with_field("data_model", "32")
            .with_field("error_names", "reach_error label:error_3 label:here");
        let command = engine.command(&problem, &PLACE).join(" ");
        assert!(
            command.ends_with("--quiet --data-model ilp32 --error-label error_3 --without=loops"),
            "{command}"
        );
        assert_eq!(engine.answer(&ended(20, "")), Answer::Good);
        assert_eq!(engine.answer(&ended(2, "")), Answer::Failed);
    }

    #[test]
    fn files_that_are_wrong_are_refused_with_the_line() {
        for (text, expected) in [
            ("a = 1", "x:1: expected [[engine]]"),
            ("[[engine]]\nname = \"a\"\n", "x:1: expected a name"),
            ("[[engine]]\nname = 3\n", "x:2: expected a text"),
            ("[[engine]]\ngod = [1]\n", "x:2: `god`: expected name"),
            ("[[engine]]\nkinds = [\"cs\"]\n", "x:2: expected circuits"),
            ("[[engine", "x:1: expected TOML"),
        ] {
            let error = read(text, "x").unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
