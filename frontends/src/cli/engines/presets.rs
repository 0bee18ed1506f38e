//! `--as-in`: engines as their papers have them.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use craig_mc::engine::options::{EngineOption, Value};

use super::{EngineName, choice};

/// An engine with the options of its paper.
#[derive(Debug)]
struct Row {
    name: &'static str,
    paper: &'static str,
    /// As after `--engine`.
    engine: &'static str,
}

/// The papers on programs, all but that of `imc`, have interpolants of first-order formulas: labels and predicates are made of terms.
/// Impact's are those of a restriction language (section 2, "A weak notion of completeness", and section 3), on sliced paths.
const ROWS: &[Row] = &[
    Row {
        name: "impact",
        paper: "McMillan, Lazy abstraction with interpolants, 2006",
        engine: "impact:labels=restricted,blocks=basic,transform=none,whole-paths,no-known-labels,no-expand-queries,\
                 cover-candidates=3,cover-conflicts=unlimited,cover-losses=unlimited",
    },
    Row {
        name: "tra",
        paper: "Jhala and McMillan, Interpolant-based transition relation approximation, 2007, section 4",
        engine: "tra:system=mcmillan,transform=raise-local-shrink,tra-inner=bdd,tra-whole-runs",
    },
    Row {
        name: "predabs",
        paper: "The same, section 6",
        engine: "predabs:labels=words,blocks=basic,system=mcmillan,transform=raise-local-shrink,image=hybrid,refine=itp",
    },
    Row {
        name: "predabs-whole",
        paper: "The same, section 5",
        engine: "predabs-whole:labels=words,blocks=basic,system=mcmillan,transform=raise-local-shrink",
    },
    Row {
        name: "imc",
        paper: "Beyer, Lee and Wendler, Interpolation and SAT-based model checking revisited, 2022",
        engine: "imc:interpolants=backward,bound-growth=one,reduction-rounds=0",
    },
    Row {
        name: "rse",
        paper: "Tian, Duan, Duan and Ong, More effective interpolations in software model checking, 2017",
        engine: "rse:labels=words,interpolants=r+s+e,location-predicates,weights,blocks=basic,whole-paths,no-known-labels,no-force-cover,\
                 error-suffixes=unlimited,error-probes=unlimited",
    },
    Row {
        name: "annotate",
        paper: "McMillan, Lazy annotation for program testing and verification, 2010",
        engine: "annotate:labels=words,blocks=basic,transform=none,fuel=1",
    },
];

/// One of the papers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Preset(&'static Row);

impl ValueEnum for Preset {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: std::sync::LazyLock<Vec<Preset>> =
            std::sync::LazyLock::new(|| ROWS.iter().map(Preset).collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name).help(self.0.paper))
    }
}

impl Preset {
    /// The one of a name on the command line.
    pub(super) fn named(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(Self)
    }

    /// The engine.
    pub(super) fn engine(self) -> EngineName {
        self.choice().0
    }

    /// The options that are set for it.
    pub(super) fn options(self) -> Vec<(&'static EngineOption, Value)> {
        self.choice().1
    }

    fn choice(self) -> choice::Choice {
        choice::parse(self.0.engine).expect("a test reads all rows")
    }
}

/// What `--as-in` sets for an engine, for the list of its options.
pub(in crate::cli) fn of_paper(engine: EngineName) -> Option<&'static str> {
    let row = ROWS.iter().find(|row| row.name == engine.name())?;
    row.engine.split_once(':').map(|(_, options)| options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_read() {
        for row in ROWS {
            let (engine, chosen) = choice::parse(row.engine).expect(row.engine);
            assert_eq!(engine.name(), row.name);
            assert!(chosen.len() >= 3, "{chosen:?}");
            assert!(of_paper(engine).is_some());
            // Slicing is in the paper on Impact, and nothing that a paper has is switched off.
            assert!(!row.engine.contains("no-slice"), "{}", row.name);
            assert_eq!(Preset::named(row.name).map(Preset::engine), Some(engine));
        }
    }
}
