//! One engine on an automaton itself.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use craig_mc::Control;
use craig_mc::engine::options::{Settings, Value};
use craig_program::engine::{Arrays, BLOCKS, ProgramEngine, ProgramRun, Query, arrays, blocks};
use craig_program::line_up::{LineUp, Stage, StageName};
use craig_program::words::strengthen;
use craig_program::{Bad, Blocks, Drawing, Facts};

use super::strengthened::{INVARIANTS, by_invariants, without_constraints};
use super::{Concluded, ProgramDesign, certify, concluded};

/// An engine for programs with its options chosen.
#[derive(Clone)]
pub struct ProgramSearch {
    name: &'static str,
    blocks: Option<Blocks>,
    arrays: Arrays,
    run: ProgramRun,
    /// The names of the options that have other values than by default.
    changed: Vec<&'static str>,
    /// The time for what is proved of the words first, which the engine assumes; `None` if that is not wanted.
    invariants: Option<Stage>,
    /// Takes the engine's tree, if it is wanted.
    drawing: Option<Arc<Mutex<Option<Drawing>>>>,
}

impl ProgramSearch {
    /// The engine with these options.
    #[must_use]
    pub fn new(engine: &ProgramEngine, settings: &Settings) -> Self {
        let default = Settings::default();
        let options = engine.options.iter();
        // A switch that is off may be absent.
        let value = |settings: &Settings, option| {
            (settings.value(option)).filter(|value| *value != Value::Switch(false))
        };
        let changed = options.filter(|option| value(settings, option) != value(&default, option));
        Self {
            name: engine.name,
            changed: changed.map(|option| option.name).collect(),
            blocks: blocks(settings),
            arrays: arrays(settings),
            run: (engine.build)(settings),
            invariants: None,
            drawing: None,
        }
    }

    /// The name under which the engine reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where the program is cut. `None`: large blocks, and basic blocks if the engine gives up.
    #[must_use]
    pub fn blocks(&self) -> Option<Blocks> {
        self.blocks
    }

    /// What the automaton has of arrays.
    #[must_use]
    pub fn arrays(&self) -> Arrays {
        self.arrays
    }

    /// An option of lazy annotation that is not for the annotation of calls, if one was chosen.
    #[must_use]
    pub fn option_of_locations(&self) -> Option<&'static str> {
        let mut changed = self.changed.iter().copied();
        changed.find(|&name| name != BLOCKS.name)
    }

    /// This engine, after a search for invariants over the words of the program, as its row in a line-up says. They may prove it by
    /// themselves; otherwise the engine assumes them.
    #[must_use]
    pub fn with_invariants(mut self, line_up: &LineUp) -> Self {
        self.invariants = Some(line_up.program_stages().row(StageName::Invariants));
        self
    }

    /// As [`Self::with_invariants`] with the limits of this stage, unless invariants are wanted already. A tree that is drawn is
    /// one that the engine finds without help.
    #[must_use]
    pub fn with_invariants_of(&self, stage: &Stage) -> Self {
        let mut search = self.clone();
        if search.invariants.is_none() && search.drawing.is_none() {
            search.invariants = Some(stage.clone());
        }
        search
    }

    /// This engine, which keeps the tree of its last search.
    #[must_use]
    pub fn with_drawing(mut self) -> Self {
        self.drawing = Some(Arc::default());
        self
    }

    /// Takes the tree of the last search.
    #[must_use]
    pub fn take_drawing(&self) -> Option<Drawing> {
        let slot = self.drawing.as_ref()?;
        slot.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// What the engine finds on an automaton. It may give up when it seems to diverge if `may_give_up`.
    ///
    /// # Errors
    /// If evidence fails its check.
    pub fn decide<D: ProgramDesign>(
        &self,
        design: &mut D,
        (bad, may_give_up): (Bad, bool),
        control: Control<'_>,
    ) -> Concluded<D> {
        let query = Query {
            bad,
            draws: self.drawing.is_some(),
            may_give_up,
        };
        let facts = match &self.invariants {
            None => None,
            Some(stage) => {
                let stop = &stage.limit(control.stop);
                match known(design, (bad, stage), Control { stop, ..control }) {
                    Known::Proof(decided) => return decided,
                    Known::Facts(facts) => facts,
                }
            }
        };
        let cfa = facts.as_ref().map_or(design.cfa(), |facts| facts.cfa());
        let (answer, drawing) = (self.run)(cfa, query, control);
        if let (Some(slot), Some(drawing)) = (&self.drawing, drawing) {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(drawing);
        }
        let (answer, facts) = ((bad, answer), facts.as_deref());
        concluded(design, self.name, answer, facts, control.stop)
    }
}

impl fmt::Debug for ProgramSearch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ProgramSearch({})", self.name)
    }
}

/// What invariants over the words come to.
enum Known<D: ProgramDesign> {
    /// They prove the program.
    Proof(Concluded<D>),
    /// What an engine may assume.
    Facts(Option<Box<Facts>>),
}

/// Searches for invariants over the words of an automaton.
fn known<D: ProgramDesign>(
    design: &mut D,
    (bad, stage): (Bad, &Stage),
    control: Control<'_>,
) -> Known<D> {
    let encoded = design.encode(bad);
    let Some(strong) = strengthen(
        &encoded.model,
        &encoded.vocabulary,
        stage.patience(),
        control,
    ) else {
        return Known::Facts(None);
    };
    match by_invariants(&strong) {
        Some(certificate) => {
            let certificate = without_constraints(certificate);
            let names = (INVARIANTS, None);
            Known::Proof(certify(design, &encoded, certificate, names, control.stop))
        }
        None => {
            let facts = Facts::new(design.cfa(), &encoded, &strong);
            Known::Facts(Some(Box::new(facts)))
        }
    }
}
