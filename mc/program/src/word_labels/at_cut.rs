//! Interpolants at one cut: formulas over the bits of the state at one location, between two formulas that have no
//! model together. Over bits, or over templates of the location that are chosen as for paths.

use craig_aig::{Aig, Edge};
use craig_mc::Control;
use craig_mc::control::listen_in;
use craig_mc::engine::{refutation, stop_of, why_stopped};
use craig_mc::record::Refutation;
use craig_model::{Stop, UnknownReason};
use craig_solver::encode::LabelledClauseSink;
use craig_solver::encode::{ClauseSink, Encoder, Labelled};
use craig_solver::{Answer, Label, Limits, Lit, Solver, Var};
use craig_word::Term;

use super::cheapest::{Reply, cheapest};
use super::select::{Link, MAX_CONFLICTS, MAX_QUERIES, cost};
use super::table::{Table, TemplateId};
use super::{Refuter, Words};
use crate::actions::{Actions, StateBit, position};
use crate::cfa::LocationId;
use crate::labels::Labels;
use crate::refutation::{Dial, Sink, bit_name, derive, recorded};

/// The label of the clauses before the cut.
pub(crate) const BEFORE: Label = 1;
/// The label of the clauses behind the cut.
pub(crate) const BEHIND: Label = 2;

/// A formula before the cut and one behind it, which have no model together in which each bit of the state has one
/// value on both sides.
pub(crate) trait Cut {
    /// Adds the clauses of both sides with their labels; none has variables of both sides. Returns the bits that
    /// the side behind the cut reads, with the literal of each before and behind the cut, in increasing order of
    /// the bits. Literals behind the cut are of variables of their own.
    fn encode<S: LabelledClauseSink>(
        &self,
        labels: &Labels,
        sink: &mut S,
    ) -> Vec<(StateBit, [Lit; 2])>;
}

impl Refuter {
    /// A formula over the bits of the state, in the graph of `labels`, that the side before the cut implies and that
    /// excludes the side behind it.
    ///
    /// # Errors
    /// If the control stops the search.
    ///
    /// # Panics
    /// If the two sides have a model together.
    pub(crate) fn ask_cut(
        &mut self,
        (actions, location): (&Actions, LocationId),
        labels: &mut Labels,
        cut: &impl Cut,
        dial: &Dial,
        control: Control<'_>,
    ) -> Result<Edge, UnknownReason> {
        if let Some(words) = &mut self.words {
            let links =
                Queries::new(&words.table, labels, location, cut, control.stop).select(words)?;
            let linked = links.as_ref().map(|links| &links[..]);
            if let Some(links) = linked
                && let Some(found) =
                    words.at_cut((actions, location), labels, cut, links, dial, control)?
            {
                words.count_cut(links);
                let links: Vec<Link> = links.iter().map(|&id| (location, id)).collect();
                words.note(actions.sliced(), &links, control);
                words.used.extend(links);
                return Ok(found);
            }
        }
        over_bits((actions, location), labels, cut, dial, control)
    }
}

/// An interpolant over the bits of the state.
fn over_bits(
    (actions, location): (&Actions, LocationId),
    labels: &mut Labels,
    cut: &impl Cut,
    dial: &Dial,
    control: Control<'_>,
) -> Result<Edge, UnknownReason> {
    let mut sink = Sink::new(dial.simplify || control.listener.is_recorded());
    let bits = cut.encode(labels, &mut sink);
    for &(_, [before, behind]) in &bits {
        sink.add_labelled_clause(&[!behind, before], BEFORE);
        sink.add_labelled_clause(&[behind, !before], BEFORE);
    }
    let vars: Vec<Var> = bits.iter().map(|&(_, [_, lit])| lit.var()).collect();
    let named = Named {
        place: &actions.sliced().location(location).name,
        name: &|number| bit_name(actions, bits[number].0),
    };
    let found = interpolant(sink, &vars, &named, dial, control)?;
    let (graph, edge) = found.expect("the sides of the cut have no model together");
    let inputs = labels.aig.inputs().to_vec();
    let copied = labels.aig.copy_cone(&graph, &[edge], &mut |node| {
        let (bit, [_, lit]) = bits[position(&graph, node) as usize];
        Edge::new(inputs[bit as usize], lit.is_negated())
    });
    Ok(copied[0])
}

/// The names of what an interpolant is about, for records.
struct Named<'a> {
    /// The location of the cut.
    place: &'a str,
    /// The name of the variable with this number.
    name: &'a dyn Fn(usize) -> String,
}

/// The interpolant of the sides, over an input for each variable; `None` if they have a model together.
fn interpolant(
    mut sink: Sink,
    vars: &[Var],
    named: &Named<'_>,
    dial: &Dial,
    control: Control<'_>,
) -> Result<Option<(Aig, Edge)>, UnknownReason> {
    let stop = control.stop;
    let asked = stop_of(stop);
    asked.install(&mut sink.solver);
    match sink.solver.solve(&[]) {
        Answer::Unsatisfiable => {}
        Answer::Unknown => return Err(why_stopped(stop)),
        Answer::Satisfiable => return Ok(None),
    }
    let dag = refutation(&sink.solver, stop)?;
    let derived = derive(&dag, &[1], vars, sink.cnf.as_ref(), dial, &asked);
    let (graph, edges) = derived.map_err(|_| why_stopped(stop))?;
    control.listener.record(|| {
        let names = vars.iter().enumerate();
        Refutation {
            names: names
                .map(|(number, &var)| (var, (named.name)(number)))
                .collect(),
            inputs: vars.to_vec(),
            ..recorded(
                vec![named.place.to_owned()],
                &sink,
                dial,
                (&dag, &graph, &edges),
            )
        }
    });
    Ok(Some((graph, edges[0])))
}

/// The encoders of templates on both sides.
struct Sides {
    bits: Vec<(StateBit, [Lit; 2])>,
    encoders: [Encoder; 2],
}

impl Sides {
    fn new(bits: Vec<(StateBit, [Lit; 2])>) -> Self {
        Self {
            bits,
            encoders: [Encoder::new(), Encoder::new()],
        }
    }

    fn of(&self, bit: StateBit) -> Option<[Lit; 2]> {
        let place = self.bits.binary_search_by_key(&bit, |&(bit, _)| bit);
        place.ok().map(|place| self.bits[place].1)
    }

    /// The bits of a template that can be linked: all, if the side behind reads everything that it reads; of a word
    /// those that are read. With their numbers.
    fn linked(&self, table: &Table, id: TemplateId) -> Vec<(usize, Edge)> {
        let entry = &table.entries[id];
        let numbered = entry.bits.iter().copied().enumerate();
        if entry.is_word {
            let read = |&(number, _): &(usize, Edge)| self.of(entry.support[number]).is_some();
            return numbered.filter(read).collect();
        }
        match entry.support.iter().all(|&bit| self.of(bit).is_some()) {
            true => numbered.filter(|(_, bit)| !bit.is_constant()).collect(),
            false => Vec::new(),
        }
    }

    /// The literals of a formula on both sides.
    fn values(&mut self, aig: &Aig, formula: Edge, sink: &mut impl LabelledClauseSink) -> [Lit; 2] {
        let support = aig.support(&[formula]);
        [BEFORE, BEHIND].map(|label| {
            let side = (label - BEFORE) as usize;
            for &node in &support {
                let lits = self.of(position(aig, node)).expect("the bit is read");
                self.encoders[side].set(node, lits[side]);
            }
            let mut sink = Labelled { sink, label };
            self.encoders[side].encode(aig, formula, &mut sink)
        })
    }
}

/// Queries about a cut whose sides are not linked.
struct Queries<'a> {
    table: &'a Table,
    labels: &'a Labels,
    location: LocationId,
    solver: Solver,
    sides: Sides,
    /// By template of the location: the literal that links it, and whether it is encoded.
    selectors: Vec<(Lit, bool)>,
    stop: &'a Stop,
}

impl<'a> Queries<'a> {
    fn new(
        table: &'a Table,
        labels: &'a Labels,
        location: LocationId,
        cut: &impl Cut,
        stop: &'a Stop,
    ) -> Self {
        let mut solver = Solver::new();
        listen_in(stop, &mut solver);
        let sides = Sides::new(cut.encode(labels, &mut solver));
        let ids = table.at(location).iter();
        let selectors = ids.map(|_| (solver.new_var().positive(), false)).collect();
        Self {
            table,
            labels,
            location,
            solver,
            sides,
            selectors,
            stop,
        }
    }

    /// The cheapest templates, as far as the limits allow, that refute the sides if they have one value on both.
    fn select(mut self, words: &Words) -> Result<Option<Vec<TemplateId>>, UnknownReason> {
        let ids = self.table.at(self.location);
        let is_word = |&link: &usize| self.table.entries[ids[link]].is_word;
        let all: Vec<usize> = (0..ids.len()).filter(is_word).collect();
        let sufficient = match self.solve(&all)? {
            Answer::Unsatisfiable => self.core(&all),
            _ => return Ok(None),
        };
        let links = ids.iter().map(|&id| (self.location, id));
        let costs: Vec<u32> = links
            .map(|link| cost(self.table, &link, &words.used))
            .collect();
        self.solver.set_limits(Limits {
            conflicts: Some(MAX_CONFLICTS),
            propagations: None,
        });
        let mut ask = |trial: &[usize]| self.reply(trial);
        let choice = cheapest(&costs, sufficient, MAX_QUERIES, &mut ask)?;
        Ok(Some(choice.links.iter().map(|&link| ids[link]).collect()))
    }

    fn encode(&mut self, link: usize) {
        let (selector, is_encoded) = &mut self.selectors[link];
        let selector = *selector;
        if std::mem::replace(is_encoded, true) {
            return;
        }
        let id = self.table.at(self.location)[link];
        for (_, bit) in self.sides.linked(self.table, id) {
            let solver = &mut self.solver;
            let [before, behind] = self.sides.values(&self.labels.aig, bit, solver);
            solver.add_clause(&[!selector, !behind, before]);
            solver.add_clause(&[!selector, behind, !before]);
        }
    }

    fn solve(&mut self, links: &[usize]) -> Result<Answer, UnknownReason> {
        for &link in links {
            self.encode(link);
        }
        let assumptions: Vec<Lit> = links.iter().map(|&link| self.selectors[link].0).collect();
        let answer = self.solver.solve(&assumptions);
        let is_limit = || self.solver.unknown_reason() == Some(craig_solver::UnknownReason::Limit);
        if answer == Answer::Unknown && !is_limit() {
            return Err(why_stopped(self.stop));
        }
        Ok(answer)
    }

    /// The links that the last refutation needs.
    fn core(&self, links: &[usize]) -> Vec<usize> {
        let failed = self.solver.failed_assumptions();
        let is_failed = |&&link: &&usize| failed.contains(&self.selectors[link].0);
        links.iter().filter(is_failed).copied().collect()
    }

    fn reply(&mut self, trial: &[usize]) -> Result<Reply, UnknownReason> {
        Ok(match self.solve(trial)? {
            Answer::Unsatisfiable => Reply::Refuted(self.core(trial)),
            Answer::Satisfiable => Reply::Violated(self.violated()),
            Answer::Unknown => Reply::Open,
        })
    }

    /// The templates that differ in the last model.
    fn violated(&self) -> Vec<usize> {
        let value = |bit: StateBit| {
            let lits = self.sides.of(bit).into_iter().flatten().enumerate();
            // Bits that are not read are 0 on both sides here.
            lits.fold(0, |values, (side, lit)| {
                values | u64::from(self.solver.value(lit) == Some(true)) << side
            })
        };
        let differing = (self.table).differing(&self.labels.aig, self.location, &value);
        let ids = self.table.at(self.location).iter().zip(differing);
        let is_violated = |(&id, differs): (&TemplateId, u64)| {
            let entry = &self.table.entries[id];
            let is_read = |&bit: &StateBit| self.sides.of(bit).is_some();
            differs & 1 == 1 && (entry.is_word || entry.support.iter().all(is_read))
        };
        let found = ids.enumerate().filter(|&(_, pair)| is_violated(pair));
        found.map(|(link, _)| link).collect()
    }
}

impl Words {
    /// An interpolant over these templates; `None` if they do not suffice.
    fn at_cut(
        &mut self,
        (actions, location): (&Actions, LocationId),
        labels: &mut Labels,
        cut: &impl Cut,
        links: &[TemplateId],
        dial: &Dial,
        control: Control<'_>,
    ) -> Result<Option<Edge>, UnknownReason> {
        let mut sink = Sink::new(dial.simplify || control.listener.is_recorded());
        let mut sides = Sides::new(cut.encode(labels, &mut sink));
        let mut vars: Vec<Var> = Vec::new();
        let mut bits = Vec::new();
        for &id in links {
            for (number, bit) in sides.linked(&self.table, id) {
                let var = sink.new_var();
                let own = var.positive();
                let values = sides.values(&labels.aig, bit, &mut sink);
                for (value, label) in values.into_iter().zip([BEFORE, BEHIND]) {
                    sink.add_labelled_clause(&[!own, value], label);
                    sink.add_labelled_clause(&[own, !value], label);
                }
                vars.push(var);
                bits.push((id, number));
            }
        }
        let (table, name) = (&self.table, |term: Term| {
            self.table.names.get(&term).cloned()
        });
        let named = Named {
            place: &actions.sliced().location(location).name,
            name: &|number| {
                let (id, bit) = bits[number];
                let term = table.terms.display(table.entries[id].term, &name);
                format!("({term})[{bit}]")
            },
        };
        let Some((graph, edge)) = interpolant(sink, &vars, &named, dial, control)? else {
            return Ok(None);
        };
        let inputs: Vec<Edge> = bits.iter().map(|&bit| self.shadow.input(bit)).collect();
        let own = &mut self.shadow.graph;
        let copied = own.copy_cone(&graph, &[edge], &mut |node| {
            inputs[position(&graph, node) as usize]
        });
        let found = self.shadow.realise(&self.table, &mut labels.aig, &copied);
        Ok(Some(found[0]))
    }

    fn count_cut(&mut self, links: &[TemplateId]) {
        let mut entries = links.iter().map(|&id| &self.table.entries[id]);
        let has_bits = entries.any(|entry| entry.is_word && entry.bits.len() > 1);
        self.counters.paths += 1;
        match has_bits {
            true => self.counters.bit_cuts += 1,
            false => self.counters.word_cuts += 1,
        }
    }
}
