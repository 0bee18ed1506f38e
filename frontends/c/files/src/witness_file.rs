//! Reads witnesses in the format 2.0 of SV-COMP (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl and Strejček,
//! "Software Verification Witnesses 2.0", SPIN 2024).

use std::collections::BTreeMap;

use serde::Deserialize;

use craig_c_lang::source_place::{Place, RESULT};
use craig_c_lang::types::DataModel;

/// A witness.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawEntry")]
pub struct WitnessFile {
    /// The property, in the notation of property files.
    pub specification: String,
    /// The machine.
    pub data_model: DataModel,
    /// SHA-256 of each program file, in hexadecimal.
    pub hashes: Vec<String>,
    /// What it says.
    pub claim: Claim,
}

/// The claim of a witness.
#[derive(Clone, Debug)]
pub enum Claim {
    /// A run that passes these waypoints reaches an error.
    Violation {
        /// The waypoints, in order.
        segments: Vec<Segment>,
        /// The position of the error.
        target: Place,
    },
    /// No run reaches an error, and these invariants hold.
    Invariants(Vec<Invariant>),
}

/// Waypoints: a run passes the last one next, and none of the others before it.
#[derive(Clone, Debug)]
pub struct Segment {
    /// Waypoints that the run does not pass before the next one.
    pub avoid: Vec<Waypoint>,
    /// The waypoint that the run passes next.
    pub follow: Waypoint,
}

/// A point that a run passes.
#[derive(Clone, Debug)]
pub struct Waypoint {
    /// What happens there.
    pub kind: WaypointKind,
    /// Where it is.
    pub place: Place,
}

/// What happens at a waypoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// A C expression holds before a statement.
    Assumption(String),
    /// A condition is true or false.
    Branching(bool),
    /// A `switch` finds this value; `None`: one that none of its labels has.
    Case(Option<i128>),
    /// A function is called.
    FunctionEnter,
    /// A C expression over `__craig_result` holds when a call returns.
    FunctionReturn(String),
}

/// An invariant at a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawInvariant")]
pub struct Invariant {
    /// Whether the position is that of a loop's keyword; else a statement starts there.
    pub is_of_loop: bool,
    /// Where it is.
    pub place: Place,
    /// A C expression.
    pub value: String,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EntryType {
    ViolationSequence,
    InvariantSet,
}

#[derive(Deserialize)]
struct RawEntry {
    entry_type: EntryType,
    metadata: RawMetadata,
    content: Vec<RawItem>,
}

#[derive(Deserialize)]
struct RawMetadata {
    #[serde(rename = "format_version")]
    _format_version: Version,
    task: RawTask,
}

/// A supported version of the format.
#[derive(Deserialize)]
#[serde(try_from = "serde_yaml_ng::Value")]
struct Version;

#[derive(Deserialize)]
struct RawTask {
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: RawDataModel,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum RawDataModel {
    Lp64,
    Ilp32,
}

#[derive(Deserialize)]
struct RawItem {
    segment: Option<RawSegment>,
    invariant: Option<Invariant>,
}

/// The waypoints of a segment; the last one is to be followed, and may be the target of the witness.
#[derive(Deserialize)]
#[serde(try_from = "Vec<RawStep>")]
enum RawSegment {
    Target(Place),
    Other(Segment),
}

#[derive(Deserialize)]
struct RawStep {
    waypoint: Step,
}

#[derive(Deserialize)]
#[serde(try_from = "RawWaypoint")]
struct Step {
    action: Action,
    place: Place,
    /// The target has none.
    kind: Option<WaypointKind>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    Follow,
    Avoid,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawKind {
    Assumption,
    Branching,
    FunctionEnter,
    FunctionReturn,
    Target,
}

#[derive(Deserialize)]
struct RawWaypoint {
    #[serde(rename = "type")]
    kind: RawKind,
    action: Action,
    location: Place,
    constraint: Option<RawConstraint>,
}

#[derive(Deserialize)]
struct RawConstraint {
    value: serde_yaml_ng::Value,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum InvariantType {
    LoopInvariant,
    LocationInvariant,
}

#[derive(Deserialize)]
struct RawInvariant {
    #[serde(rename = "type")]
    kind: InvariantType,
    location: Place,
    value: serde_yaml_ng::Value,
}

impl WitnessFile {
    /// Reads a witness; `name` is the file's name in error messages.
    ///
    /// # Errors
    /// If the text is not a witness of this format; the message has the reason and the line.
    pub fn parse(text: &str, name: &str) -> Result<Self, String> {
        let entries: Vec<Self> =
            serde_yaml_ng::from_str(text).map_err(|error| match error.location() {
                Some(at) => {
                    let place = format!(" at line {} column {}", at.line(), at.column());
                    let message = error.to_string().replacen(&place, "", 1);
                    format!("{name}:{}:{}: {message}", at.line(), at.column())
                }
                None => format!("{name}:1: {error}"),
            })?;
        let n_entries = entries.len();
        match <[Self; 1]>::try_from(entries) {
            Ok([witness]) => Ok(witness),
            Err(_) => Err(format!("{name}:1: expected one entry, found {n_entries}")),
        }
    }
}

impl TryFrom<RawEntry> for WitnessFile {
    type Error = String;

    fn try_from(entry: RawEntry) -> Result<Self, String> {
        let claim = match entry.entry_type {
            EntryType::ViolationSequence => violation(entry.content)?,
            EntryType::InvariantSet => {
                let invariants = entry.content.into_iter().map(|item| item.invariant);
                let invariants: Option<Vec<_>> = invariants.collect();
                Claim::Invariants(invariants.ok_or("expected an `invariant`")?)
            }
        };
        let task = entry.metadata.task;
        Ok(Self {
            specification: task.specification,
            data_model: match task.data_model {
                RawDataModel::Lp64 => DataModel::Lp64,
                RawDataModel::Ilp32 => DataModel::Ilp32,
            },
            hashes: task.input_file_hashes.into_values().collect(),
            claim,
        })
    }
}

impl TryFrom<serde_yaml_ng::Value> for Version {
    type Error = String;

    fn try_from(value: serde_yaml_ng::Value) -> Result<Self, String> {
        let text = scalar(&value)?;
        if text.starts_with("2.") {
            Ok(Self)
        } else {
            Err(format!("expected `format_version` 2.0, found `{text}`"))
        }
    }
}

/// A string, number or truth value as text.
fn scalar(value: &serde_yaml_ng::Value) -> Result<String, String> {
    match value {
        serde_yaml_ng::Value::String(text) => Ok(text.clone()),
        serde_yaml_ng::Value::Bool(value) => Ok(value.to_string()),
        serde_yaml_ng::Value::Number(number) => Ok(number.to_string()),
        _ => Err("expected a text, a number or a truth value".into()),
    }
}

fn violation(items: Vec<RawItem>) -> Result<Claim, String> {
    let mut segments = Vec::new();
    let mut target = None;
    for item in items {
        if target.is_some() {
            return Err("a segment after that with the target".into());
        }
        match item.segment.ok_or("expected a `segment`")? {
            RawSegment::Target(place) => target = Some(place),
            RawSegment::Other(segment) => segments.push(segment),
        }
    }
    let target = target.ok_or("there is no waypoint of type `target`")?;
    Ok(Claim::Violation { segments, target })
}

impl TryFrom<Vec<RawStep>> for RawSegment {
    type Error = String;

    fn try_from(mut steps: Vec<RawStep>) -> Result<Self, String> {
        let last = steps.pop().ok_or("a segment without waypoints")?.waypoint;
        if last.action != Action::Follow {
            return Err("a segment has to end with a waypoint to follow".into());
        }
        let mut avoid = Vec::new();
        for RawStep { waypoint } in steps {
            if waypoint.action != Action::Avoid {
                return Err("only the last waypoint of a segment is to be followed".into());
            }
            let kind = waypoint.kind.ok_or("the target is to be followed")?;
            let place = waypoint.place;
            avoid.push(Waypoint { kind, place });
        }
        let place = last.place;
        match last.kind {
            Some(kind) => {
                let follow = Waypoint { kind, place };
                Ok(Self::Other(Segment { avoid, follow }))
            }
            None if avoid.is_empty() => Ok(Self::Target(place)),
            None => Err("waypoints to avoid before the target are not supported".into()),
        }
    }
}

impl TryFrom<RawWaypoint> for Step {
    type Error = String;

    fn try_from(raw: RawWaypoint) -> Result<Self, String> {
        let value = match &raw.constraint {
            Some(constraint) => Some(scalar(&constraint.value)?),
            None => None,
        };
        let wanted = "the waypoint needs a `constraint`";
        let kind = match raw.kind {
            RawKind::Assumption => Some(WaypointKind::Assumption(value.ok_or(wanted)?)),
            RawKind::Branching => Some(match value.ok_or(wanted)?.as_str() {
                "true" => WaypointKind::Branching(true),
                "false" => WaypointKind::Branching(false),
                "default" => WaypointKind::Case(None),
                other => WaypointKind::Case(Some(other.parse().map_err(|_| {
                    format!("branching on `{other}`: expected true, false, an integer or default")
                })?)),
            }),
            RawKind::FunctionEnter => Some(WaypointKind::FunctionEnter),
            RawKind::FunctionReturn => {
                let value = value.ok_or(wanted)?.replace("\\result", RESULT);
                Some(WaypointKind::FunctionReturn(value))
            }
            RawKind::Target => None,
        };
        Ok(Self {
            action: raw.action,
            place: raw.location,
            kind,
        })
    }
}

impl TryFrom<RawInvariant> for Invariant {
    type Error = String;

    fn try_from(raw: RawInvariant) -> Result<Self, String> {
        Ok(Self {
            is_of_loop: matches!(raw.kind, InvariantType::LoopInvariant),
            place: raw.location,
            value: scalar(&raw.value)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "  metadata:\n    format_version: '2.0'\n    task:\n      specification: p\n\
                        \x20     data_model: LP64\n";

    fn fault(kind: &str, content: &str) -> String {
        let text = format!("- entry_type: {kind}\n{HEAD}  content:\n{content}");
        WitnessFile::parse(&text, "w").unwrap_err()
    }

    #[test]
    fn witnesses_without_an_end_are_refused() {
        let waypoint = "  - segment:\n    - waypoint:\n        type: function_enter\n        action: ACTION\n\
                        \x20       location: {file_name: f, line: 3}\n";
        let follow = waypoint.replace("ACTION", "follow");
        let avoid = waypoint.replace("ACTION", "avoid");
        assert!(fault("violation_sequence", &follow).contains("no waypoint of type `target`"));
        assert!(fault("violation_sequence", &avoid).contains("has to end with a waypoint"));
        assert!(fault("invariant_set", &follow).contains("expected an `invariant`"));
        let target = follow.replace("function_enter", "target");
        let text = format!("- entry_type: violation_sequence\n{HEAD}  content:\n{follow}{target}");
        let Claim::Violation { segments, target } = WitnessFile::parse(&text, "w").unwrap().claim
        else {
            panic!("no violation");
        };
        assert_eq!((segments.len(), target.line), (1, 3));
        assert_eq!(segments[0].follow.kind, WaypointKind::FunctionEnter);
    }

    #[test]
    fn faults_have_the_line() {
        let target = "  - segment:\n    - waypoint:\n        type: target\n        action: follow\n\
                      \x20       location: {file_name: f, line: 3}\n";
        let text = format!("- entry_type: violation_sequence\n{HEAD}  content:\n{target}");
        assert!(WitnessFile::parse(&text, "w").is_ok());
        for (old, new, line, message) in [
            ("violation_sequence", "other", 1, "unknown variant `other`"),
            ("'2.0'", "'1.0'", 3, "found `1.0`"),
            ("LP64", "LP32", 6, "expected `LP64` or `ILP32`"),
            ("data_model", "model", 5, "missing field `data_model`"),
            ("type: target", "type: goal", 10, "unknown variant `goal`"),
            (
                "type: target",
                "type: assumption",
                9,
                "needs a `constraint`",
            ),
            ("follow", "avoid", 8, "has to end with a waypoint"),
        ] {
            let changed = text.replacen(old, new, 1);
            let fault = WitnessFile::parse(&changed, "w").unwrap_err();
            assert!(fault.starts_with(&format!("w:{line}:")), "{new}: {fault}");
            assert!(fault.contains(message), "{new}: {fault}");
            assert!(!fault.contains('\n'), "{fault}");
        }
        let place_of = |text: &str| {
            let fault = WitnessFile::parse(text, "w").unwrap_err();
            let mut parts = fault.split(':');
            assert_eq!(parts.next(), Some("w"), "{fault}");
            parts.next().unwrap().parse::<u32>().unwrap()
        };
        for text in [
            "",
            "[]",
            "<graphml/>",
            "---\n---\n",
            "- &a [*a, *a]",
            "- \0",
            &text.replace("line: 3", "line: three"),
            &text.replace("line: 3}", "line: 3"),
            &text.replace("- entry_type", "entry_type"),
            &text.replace("type: target", "\ttype: target"),
        ] {
            assert!(place_of(text) > 0);
        }
        let deep = "[".repeat(100_000);
        assert_eq!(place_of(&deep), 1);
    }
}
