//! What engines have told about their searches: for the lines of a terminal, for what an undecided answer says was tried, and for
//! the chart of a report.

use std::collections::BTreeMap;

use craig_mc::control::Event;

/// Points of an engine's chart, at most; then every second one is left out.
const MOST_POINTS: usize = 256;

/// What one engine has told.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    /// The seconds since the start, at the first and the last event.
    pub(super) first: f64,
    pub(super) last: f64,
    /// The steps before which there is no bad.
    pub(super) depth: Option<usize>,
    /// The bound of the last interpolant, and how many there were.
    pub(super) bound: Option<usize>,
    pub(super) n_interpolants: usize,
    /// The last line.
    pub(super) text: String,
    /// Seconds, and the depth or bound that was reached then.
    pub(super) points: Vec<(f64, usize)>,
    /// One of this many changes becomes a point.
    stride: usize,
    n_changes: usize,
}

impl Track {
    fn tell(&mut self, event: &Event, seconds: f64) {
        if self.n_changes == 0 && self.text.is_empty() {
            self.first = seconds;
        }
        self.last = seconds;
        match event {
            Event::Depth { depth, .. } => {
                self.depth = self.depth.max(Some(*depth));
                self.change(seconds, *depth);
            }
            Event::Interpolant {
                bound, round, ands, ..
            } => {
                self.bound = Some(*bound);
                self.n_interpolants += 1;
                self.text = format!("round {round}: {ands} gates");
                self.change(seconds, *bound);
            }
            Event::Note { text, .. } => self.text.clone_from(text),
        }
    }

    fn change(&mut self, seconds: f64, reached: usize) {
        let stride = self.stride.max(1);
        if self.n_changes.is_multiple_of(stride) {
            self.points.push((seconds, reached));
        }
        self.n_changes += 1;
        if self.points.len() > MOST_POINTS {
            let mut is_kept = false;
            self.points.retain(|_| {
                is_kept = !is_kept;
                is_kept
            });
            self.stride = 2 * stride;
        }
    }

    /// How far it has come, in a few words; the last line if it does not count steps.
    pub(super) fn reached(&self) -> String {
        let mut parts = Vec::new();
        if let Some(depth) = self.depth {
            parts.push(format!("no bad before step {depth}"));
        }
        if let Some(bound) = self.bound {
            parts.push(format!(
                "bound {bound}, {} interpolants",
                self.n_interpolants
            ));
        }
        match parts.is_empty() {
            true => self.text.clone(),
            false => parts.join(", "),
        }
    }

    /// The line of a terminal: how far it has come, and what it has said last.
    pub(super) fn line(&self) -> String {
        let reached = self.reached();
        match self.text.is_empty() || self.text == reached {
            true => reached,
            false => format!("{reached}; {}", self.text),
        }
    }
}

/// What the engines have told about each property.
#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    properties: BTreeMap<String, BTreeMap<&'static str, Track>>,
}

impl Journal {
    /// Notes an event; returns the engine, and its line.
    pub(super) fn tell(
        &mut self,
        property: &str,
        event: &Event,
        seconds: f64,
    ) -> (&'static str, String) {
        let engine = match event {
            Event::Depth { engine, .. }
            | Event::Interpolant { engine, .. }
            | Event::Note { engine, .. } => *engine,
        };
        if !self.properties.contains_key(property) {
            self.properties.insert(property.to_owned(), BTreeMap::new());
        }
        let mut line = String::new();
        if let Some(tracks) = self.properties.get_mut(property) {
            let track = tracks.entry(engine).or_default();
            track.tell(event, seconds);
            line = track.line();
        }
        (engine, line)
    }

    /// The engines that have worked on a property.
    pub(super) fn of(&self, property: &str) -> BTreeMap<&'static str, Track> {
        self.properties.get(property).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_has_the_last_word_of_each_engine_and_few_points() {
        let mut journal = Journal::default();
        for depth in 0..5000 {
            let event = Event::Depth {
                engine: "bmc",
                depth,
            };
            let (engine, line) = journal.tell("b0", &event, depth as f64);
            assert_eq!(engine, "bmc");
            assert_eq!(line, format!("no bad before step {depth}"));
        }
        let event = Event::Interpolant {
            engine: "imc",
            bound: 3,
            round: 2,
            ands: 17,
        };
        let (_, line) = journal.tell("b0", &event, 7.0);
        assert_eq!(line, "bound 3, 1 interpolants; round 2: 17 gates");
        let tracks = journal.of("b0");
        assert_eq!(tracks["bmc"].reached(), "no bad before step 4999");
        assert!((tracks["bmc"].first, tracks["bmc"].last) == (0.0, 4999.0));
        let points = &tracks["bmc"].points;
        assert!((64..=MOST_POINTS).contains(&points.len()));
        assert!(points.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        assert!(journal.of("b1").is_empty());
    }
}
