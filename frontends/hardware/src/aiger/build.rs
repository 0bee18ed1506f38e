//! Builds a model from the literals of a file: definitions, and the order of gates.

use craig_aig::{Aig, Edge};
use craig_certify::{Literal, Source, SourceGate, SourceLatch};
use craig_model::{Latch, Model, Names, Reset};

use super::body::Body;
use super::fault::{Fault, Place};
use super::header::{Header, Section};
use super::model::AigerModel;
use super::symbols::Symbols;

/// What defines a variable of the file.
#[derive(Clone, Copy)]
enum Definition {
    /// An input or a latch, or a gate that is already in the graph.
    Edge(Edge),
    /// A gate of [`Body::ands`] that has yet to be built.
    Pending(u32),
    /// A gate whose operands are being built: visiting it again means a cycle.
    Open,
}

/// The definitions, sorted by variable. Sorted lists rather than a table over all variables, as
/// the maximal variable of an ASCII file is not bounded by the file's size.
struct Definitions {
    variables: Vec<u32>,
    definitions: Vec<Definition>,
    /// The signal of each in the source, once it is assigned.
    signals: Vec<u32>,
}

impl Definitions {
    fn position(&self, variable: u32) -> Option<usize> {
        // Usually the variables are 1, 2, 3, and so on.
        let guess = (variable as usize).wrapping_sub(1);
        if self.variables.get(guess) == Some(&variable) {
            return Some(guess);
        }
        self.variables.binary_search(&variable).ok()
    }

    /// The literal of the source for a literal of the file, whose variable has a signal.
    fn literal(&self, literal: u32) -> Literal {
        let sign = literal & 1;
        match literal {
            0 | 1 => sign,
            _ => {
                let position = self.position(literal / 2).expect("the literal is defined");
                2 * self.signals[position] + sign
            }
        }
    }
}

struct Builder<'a> {
    header: &'a Header,
    body: &'a Body,
    aig: Aig,
    /// The gates of the file.
    source: Source,
    definitions: Definitions,
}

/// Builds the model.
pub(super) fn build(header: &Header, body: &Body, symbols: Symbols) -> Result<AigerModel, Fault> {
    let mut aig = Aig::new();
    let inputs: Vec<Edge> = body.inputs.iter().map(|_| aig.add_input()).collect();
    let states: Vec<Edge> = body.latches.iter().map(|_| aig.add_input()).collect();
    aig.reserve(body.ands.len());
    let definitions = define(header, body, &inputs, &states)?;
    let mut builder = Builder {
        header,
        body,
        aig,
        source: Source::default(),
        definitions,
    };
    builder.place_variables(&inputs, &states);
    builder.build_gates()?;

    let mut latches = Vec::with_capacity(states.len());
    let mut functions = body.reset_functions.iter().peekable();
    for (index, (latch, &state)) in body.latches.iter().zip(&states).enumerate() {
        let place = builder.place(Section::Latches, index);
        latches.push(Latch {
            state,
            next: builder.edge(latch.next_state, place, || {
                format!("the next state of latch {}", latch.state)
            })?,
            reset: match functions.next_if(|&&(number, _)| number == index) {
                None => reset(latch.initialization),
                Some(&(_, literal)) => Reset::Function(builder.edge(literal, place, || {
                    format!("the reset of latch {}", latch.state)
                })?),
            },
        });
    }
    let outputs = builder.edges(&body.outputs, Section::Outputs, "output")?;
    let bads = builder.edges(&body.bads, Section::Bads, "bad")?;
    let constraints = builder.edges(&body.constraints, Section::Constraints, "constraint")?;
    let fairness = builder.edges(&body.fairness, Section::Fairness, "fairness constraint")?;
    let mut justice = Vec::with_capacity(body.justice.len());
    let mut line = 0;
    for (index, literals) in body.justice.iter().enumerate() {
        let mut edges = Vec::with_capacity(literals.len());
        for &literal in literals {
            let place = builder.place(Section::Justice, line);
            edges.push(builder.edge(literal, place, || format!("justice property {index}"))?);
            line += 1;
        }
        justice.push(edges);
    }

    let bads_are_outputs = bads.is_empty() && justice.is_empty();
    builder.finish_source(if bads_are_outputs {
        &body.outputs
    } else {
        &body.bads
    });
    let (bads, bad_names, outputs, output_names) = if bads_are_outputs {
        (outputs, symbols.outputs, Vec::new(), Vec::new())
    } else {
        (bads, symbols.bads, outputs, symbols.outputs)
    };
    let model = Model {
        aig: builder.aig,
        inputs,
        latches,
        constraints,
        bads,
        justice,
        fairness,
        names: Names {
            inputs: symbols.inputs,
            latches: symbols.latches,
            bads: bad_names,
            constraints: symbols.constraints,
            justice: symbols.justice,
            fairness: symbols.fairness,
        },
    };
    if model.reset_order().is_none() {
        let message = "the reset functions form a cycle";
        return Err(Fault::new(Place::File, message.to_owned()));
    }
    Ok(AigerModel {
        model,
        input_literals: body.inputs.clone(),
        latch_literals: body.latches.iter().map(|latch| latch.state).collect(),
        outputs,
        output_names,
        bads_are_outputs,
        comment: symbols.comment,
        encoding: header.encoding,
        source: Some(builder.source),
    })
}

fn reset(initialization: Option<bool>) -> Reset {
    match initialization {
        Some(false) => Reset::Zero,
        Some(true) => Reset::One,
        None => Reset::Uninitialised,
    }
}

/// Collects the definitions. The library has checked that none is of a constant or a negation.
fn define(
    header: &Header,
    body: &Body,
    inputs: &[Edge],
    states: &[Edge],
) -> Result<Definitions, Fault> {
    let leaves = body.inputs.iter().zip(inputs);
    let states = body.latches.iter().map(|latch| &latch.state).zip(states);
    let gates = body.ands.iter().enumerate();
    let mut pairs: Vec<(u32, Definition)> = leaves
        .chain(states)
        .map(|(&literal, &edge)| (literal / 2, Definition::Edge(edge)))
        .chain(gates.map(|(index, gate)| (gate.output / 2, Definition::Pending(index as u32))))
        .collect();
    pairs.sort_unstable_by_key(|&(variable, _)| variable);
    if let Some(twice) = pairs.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let message = format!("literal {} is defined twice", 2 * twice[0].0);
        return Err(Fault::new(Place::File, message));
    }
    if let Some(&(variable, _)) = pairs.last()
        && variable as usize > header.max_variable
    {
        return Err(Fault::new(
            Place::File,
            format!(
                "literal {} is defined, but the header's maximal variable {} makes {} the largest literal",
                2 * variable,
                header.max_variable,
                2 * header.max_variable + 1
            ),
        ));
    }
    let (variables, definitions) = pairs.into_iter().unzip();
    let definitions: Vec<Definition> = definitions;
    Ok(Definitions {
        signals: vec![0; definitions.len()],
        variables,
        definitions,
    })
}

impl Builder<'_> {
    fn place(&self, section: Section, index: usize) -> Place {
        self.header
            .place(section, index, self.body.n_justice_literals)
    }

    /// Gives a variable of the file the next signal of the source.
    fn add_signal(&mut self, variable: u32, image: Edge) -> u32 {
        let signal = self.source.images.len() as u32;
        self.source.images.push(image);
        let position = self.definitions.position(variable);
        self.definitions.signals[position.expect("the variable is defined")] = signal;
        signal
    }

    /// Begins the source with the constant, the inputs and the latches.
    fn place_variables(&mut self, inputs: &[Edge], states: &[Edge]) {
        self.source.images.push(Edge::FALSE);
        for (&input, &image) in self.body.inputs.iter().zip(inputs) {
            let signal = self.add_signal(input / 2, image);
            self.source.inputs.push(signal);
        }
        for (latch, &image) in self.body.latches.iter().zip(states) {
            let state = self.add_signal(latch.state / 2, image);
            let reset = latch.initialization.map_or(2 * state, u32::from);
            let next = 0;
            self.source.latches.push(SourceLatch { state, next, reset });
        }
    }

    /// Adds the literals that need gates to the source. All gates are defined by now.
    fn finish_source(&mut self, bads: &[u32]) {
        let literal = |literal: &u32| self.definitions.literal(*literal);
        self.source.bads = bads.iter().map(literal).collect();
        self.source.constraints = self.body.constraints.iter().map(literal).collect();
        self.source.fairness = self.body.fairness.iter().map(literal).collect();
        let justice = self.body.justice.iter();
        let justice = justice.map(|literals| literals.iter().map(literal).collect());
        self.source.justice = justice.collect();
        for (latch, given) in self.source.latches.iter_mut().zip(&self.body.latches) {
            latch.next = self.definitions.literal(given.next_state);
        }
        for &(latch, reset) in &self.body.reset_functions {
            self.source.latches[latch].reset = self.definitions.literal(reset);
        }
    }

    /// Builds all gates, operands first, depth-first with an explicit stack: recursion would overflow the
    /// thread's stack.
    fn build_gates(&mut self) -> Result<(), Fault> {
        let mut stack = Vec::new();
        for start in 0..self.body.ands.len() {
            stack.push(start as u32);
            while let Some(&gate) = stack.last() {
                match self.build_gate(gate)? {
                    Some(operand) => stack.push(operand),
                    None => {
                        stack.pop();
                    }
                }
            }
        }
        Ok(())
    }

    /// Builds a gate, or returns a gate that has to be built first.
    fn build_gate(&mut self, index: u32) -> Result<Option<u32>, Fault> {
        let gate = self.body.ands[index as usize];
        let place = self.place(Section::Ands, index as usize);
        let position = self.definitions.position(gate.output / 2);
        let position = position.expect("every gate's output is defined");
        if matches!(self.definitions.definitions[position], Definition::Edge(_)) {
            return Ok(None);
        }
        self.definitions.definitions[position] = Definition::Open;
        let mut operands = [Edge::FALSE; 2];
        for (edge, literal) in operands.iter_mut().zip(gate.inputs) {
            match self.look_up(literal) {
                Some(Definition::Edge(operand)) => *edge = operand,
                Some(Definition::Pending(operand)) => return Ok(Some(operand)),
                Some(Definition::Open) => {
                    return Err(Fault::new(
                        place,
                        format!(
                            "and gate {} depends on itself: the gates form a cycle",
                            gate.output
                        ),
                    ));
                }
                None => {
                    return Err(self.undefined(
                        literal,
                        place,
                        &format!("and gate {}", gate.output),
                    ));
                }
            }
        }
        let edge = self.aig.and(operands[0], operands[1]);
        self.definitions.definitions[position] = Definition::Edge(edge);
        let operands = gate.inputs.map(|literal| self.definitions.literal(literal));
        let output = self.add_signal(gate.output / 2, edge);
        self.source.gates.push(SourceGate { output, operands });
        Ok(None)
    }

    /// The definition of a literal; the sign is that of the literal.
    fn look_up(&self, literal: u32) -> Option<Definition> {
        if literal < 2 {
            return Some(Definition::Edge(Edge::from(literal == 1)));
        }
        let position = self.definitions.position(literal / 2)?;
        Some(match self.definitions.definitions[position] {
            Definition::Edge(edge) => Definition::Edge(edge.negate_if(literal % 2 == 1)),
            other => other,
        })
    }

    fn undefined(&self, literal: u32, place: Place, user: &str) -> Fault {
        let largest = 2 * self.header.max_variable + 1;
        let why = if literal as usize > largest {
            format!("which is out of range: the header makes {largest} the largest literal")
        } else {
            "which nothing defines".to_owned()
        };
        Fault::new(place, format!("{user} uses literal {literal}, {why}"))
    }

    fn edge(
        &self,
        literal: u32,
        place: Place,
        user: impl FnOnce() -> String,
    ) -> Result<Edge, Fault> {
        match self.look_up(literal) {
            Some(Definition::Edge(edge)) => Ok(edge),
            // All gates are built by now.
            _ => Err(self.undefined(literal, place, &user())),
        }
    }

    fn edges(&self, literals: &[u32], section: Section, what: &str) -> Result<Vec<Edge>, Fault> {
        let with_index = literals.iter().enumerate();
        with_index
            .map(|(index, &literal)| {
                self.edge(literal, self.place(section, index), || {
                    format!("{what} {index}")
                })
            })
            .collect()
    }
}
