//! Automata as text.

use std::fmt;

use craig_word::Term;

use super::cfa::{Cfa, LocationId};

/// The locations with the words that they carry, each followed by its edges: guard, then assignments.
impl fmt::Display for Cfa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |term: Term| self.word(term).map(|word| word.name.clone());
        writeln!(
            f,
            "{} locations, {} edges, {} words",
            self.locations().len(),
            self.edges().len(),
            self.words().len()
        )?;
        for word in self.words() {
            writeln!(
                f,
                "word {}: {} bits",
                word.name,
                self.terms.width(word.term)
            )?;
        }
        let label = |id: LocationId| format!("{} ({})", id.index(), self.location(id).name);
        for id in self.location_ids() {
            let words: Vec<String> = (self.location(id).words.iter())
                .filter_map(|&word| name(word))
                .collect();
            writeln!(f, "location {} {{{}}}", label(id), words.join(", "))?;
            for &edge in self.outgoing(id) {
                let edge = self.edge(edge);
                let guard = self.terms.display(edge.guard, &name);
                writeln!(f, "  to {} when {guard}", label(edge.target))?;
                for assignment in &edge.assignments {
                    let word = self.terms.display(assignment.word, &name);
                    let value = self.terms.display(assignment.value, &name);
                    writeln!(f, "    {word} := {value}")?;
                }
            }
        }
        Ok(())
    }
}
