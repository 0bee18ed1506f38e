//! Witness circuits.

use std::collections::HashMap;
use std::io::{self, Write};

use craig_aig::NodeId;
use craig_model::{Certificate, Intervention, LivenessCertificate, Names};

use super::error::WitnessError;
use crate::aiger::{self, AigerModel, Encoding};

/// Writes a witness circuit. The literals in it are those of the file that `model` was read from.
///
/// # Errors
/// If `output` can't be written to.
///
/// # Panics
/// If the certificate shares inputs or latches that the model does not have.
pub fn write_certificate(
    certificate: &Certificate,
    model: &AigerModel,
    encoding: Encoding,
    output: &mut dyn Write,
) -> io::Result<()> {
    write_encoded(&file_of(certificate, model), encoding, output)
}

/// Writes a witness circuit for a justice property, with the interventions in the comment section.
///
/// # Errors
/// If `output` can't be written to.
///
/// # Panics
/// If the certificate shares inputs or latches that the model does not have, or an intervention is about a
/// literal that is neither an input nor a latch.
pub fn write_liveness_certificate(
    certificate: &LivenessCertificate,
    model: &AigerModel,
    encoding: Encoding,
    output: &mut dyn Write,
) -> io::Result<()> {
    let mut circuit = file_of(&certificate.certificate, model);
    let witness = &certificate.certificate.witness;
    let mut literals: HashMap<NodeId, u32> = HashMap::new();
    for (latch, &literal) in witness.latches.iter().zip(&circuit.latch_literals) {
        literals.insert(latch.state.node(), literal);
    }
    for (input, &literal) in witness.inputs.iter().zip(&circuit.input_literals) {
        literals.insert(input.node(), literal);
    }
    let mut text = circuit
        .comment
        .take()
        .map_or_else(String::new, |text| text + "\n");
    text += &format!("INTERVENTION {}", certificate.interventions.len());
    for intervention in &certificate.interventions {
        let literal =
            literals[&intervention.literal.node()] + u32::from(intervention.literal.is_negated());
        text += &format!(
            "\n{literal} {}",
            circuit.input_literals[intervention.stand_in]
        );
    }
    circuit.comment = Some(text);
    write_encoded(&circuit, encoding, output)
}

fn write_encoded(
    circuit: &AigerModel,
    encoding: Encoding,
    output: &mut dyn Write,
) -> io::Result<()> {
    match encoding {
        Encoding::Ascii => aiger::write_ascii(circuit, output),
        Encoding::Binary => aiger::write_binary(circuit, output),
    }
}

/// The file of a witness circuit: its symbols say which inputs and latches are shared.
fn file_of(certificate: &Certificate, model: &AigerModel) -> AigerModel {
    let mut witness = certificate.witness.clone();
    let symbols = |shared: &[Option<usize>], literals: &[u32]| -> Vec<String> {
        let symbol = |index: &Option<usize>| match index {
            Some(index) => format!("= {}", literals[*index]),
            None => String::new(),
        };
        shared.iter().map(symbol).collect()
    };
    witness.names = Names {
        inputs: symbols(&certificate.shared_inputs, &model.input_literals),
        latches: symbols(&certificate.shared_latches, &model.latch_literals),
        ..Names::default()
    };
    let mut circuit = AigerModel::from_model(witness);
    let mut shared = certificate
        .shared_inputs
        .iter()
        .chain(&certificate.shared_latches);
    if shared.all(Option::is_none) {
        // Without any symbol, a reader would pair inputs and latches by their positions.
        circuit.comment = Some("MAPPING 0".to_owned());
    }
    circuit
}

/// Reads a witness circuit for a model.
///
/// # Errors
/// If it is not a circuit; if its mapping is malformed, pairs anything twice, pairs an input with a latch or
/// a literal with a negation, or mentions a literal that is neither an input nor a latch.
pub fn read_certificate(
    bytes: &[u8],
    name: &str,
    model: &AigerModel,
) -> Result<Certificate, WitnessError> {
    let circuit = aiger::read(bytes, name).map_err(WitnessError::Circuit)?;
    shared(circuit, name, model)
}

/// Reads a witness circuit that may be about a justice property of a model.
///
/// # Errors
/// As [`read_certificate`]; or if the witness circuit has justice properties, but no interventions, or one
/// whose literal is neither an input nor a latch or whose stand-in is no input.
pub fn read_liveness_certificate(
    bytes: &[u8],
    name: &str,
    model: &AigerModel,
) -> Result<LivenessCertificate, WitnessError> {
    let circuit = aiger::read(bytes, name).map_err(WitnessError::Circuit)?;
    let interventions = match circuit.model.justice.is_empty() {
        true => Vec::new(),
        false => read_interventions(&circuit).map_err(|message| WitnessError::Mapping {
            file: name.to_owned(),
            message,
        })?,
    };
    Ok(LivenessCertificate {
        certificate: shared(circuit, name, model)?,
        interventions,
    })
}

/// The interventions of a witness circuit.
fn read_interventions(circuit: &AigerModel) -> Result<Vec<Intervention>, String> {
    let named = || {
        let names = &circuit.model.names;
        let inputs = circuit.input_literals.iter().zip(&names.inputs);
        let latches = circuit.latch_literals.iter().zip(&names.latches);
        let pairs = inputs.chain(latches).filter_map(|(&literal, name)| {
            let stand_in = name.split_once('<')?.1.trim_start();
            let end = stand_in.find(|character: char| !character.is_ascii_digit());
            Some((
                literal,
                stand_in[..end.unwrap_or(stand_in.len())].parse().ok()?,
            ))
        });
        pairs.collect::<Vec<(u32, u32)>>()
    };
    let comment = circuit.comment.as_deref();
    let listed = comment.and_then(|comment| read_comment(comment, "INTERVENTION"));
    let has_list = listed.is_some();
    let pairs = listed.unwrap_or_else(|| Ok(named()))?;
    // A list may be empty: then the edge predicates read the first state only.
    if pairs.is_empty() && !has_list {
        return Err(
            "the witness has justice properties, but no values of a second state: expected a comment \
             \"INTERVENTION n\" or symbols \"< literal\" with inputs as stand-ins"
                .to_owned(),
        );
    }
    let states = places(&circuit.input_literals, &circuit.latch_literals);
    let interventions = pairs.into_iter().map(|(literal, stand_in)| {
        let edge = match states.get(&(literal & !1)) {
            Some(&(true, index)) => circuit.model.latches[index].state,
            Some(&(false, index)) => circuit.model.inputs[index],
            None => {
                return Err(format!(
                    "the intervention's literal {literal} is neither an input nor a latch"
                ));
            }
        };
        match states.get(&stand_in) {
            Some(&(false, index)) => Ok(Intervention {
                literal: edge.negate_if(literal & 1 == 1),
                stand_in: index,
            }),
            _ => Err(format!(
                "the stand-in {stand_in} of literal {literal} is not an input"
            )),
        }
    });
    interventions.collect()
}

/// The certificate of a witness circuit, by its mapping.
fn shared(
    circuit: AigerModel,
    name: &str,
    model: &AigerModel,
) -> Result<Certificate, WitnessError> {
    let mapping = |message: String| WitnessError::Mapping {
        file: name.to_owned(),
        message,
    };
    let pairs = read_pairs(&circuit, model).map_err(mapping)?;
    let mut certificate = Certificate {
        shared_inputs: vec![None; circuit.model.inputs.len()],
        shared_latches: vec![None; circuit.model.latches.len()],
        witness: circuit.model,
    };
    let ours = places(&circuit.input_literals, &circuit.latch_literals);
    let theirs = places(&model.input_literals, &model.latch_literals);
    let mut taken = vec![false; theirs.len()];
    for (witness_literal, model_literal) in pairs {
        let find = |places: &HashMap<u32, (bool, usize)>, side: &str, literal: u32| {
            places.get(&literal).copied().ok_or_else(|| {
                mapping(format!(
                    "the {side}'s literal {literal} in the mapping is neither an input nor a latch"
                ))
            })
        };
        let (is_latch, index) = find(&ours, "witness", witness_literal)?;
        let (model_is_latch, model_index) = find(&theirs, "model", model_literal)?;
        if is_latch != model_is_latch {
            return Err(mapping(format!(
                "the mapping pairs literals {witness_literal} and {model_literal}, an input and a latch"
            )));
        }
        let (shared, offset) = if is_latch {
            (&mut certificate.shared_latches, model.input_literals.len())
        } else {
            (&mut certificate.shared_inputs, 0)
        };
        let taken = &mut taken[offset + model_index];
        if *taken || shared[index].is_some() {
            return Err(mapping(format!(
                "the mapping uses literal {witness_literal} or {model_literal} twice"
            )));
        }
        *taken = true;
        shared[index] = Some(model_index);
    }
    Ok(certificate)
}

/// From a literal to its position: whether it is a latch, and the position in its list.
fn places(inputs: &[u32], latches: &[u32]) -> HashMap<u32, (bool, usize)> {
    let inputs = inputs
        .iter()
        .enumerate()
        .map(|(index, &literal)| (literal, (false, index)));
    let latches = latches
        .iter()
        .enumerate()
        .map(|(index, &literal)| (literal, (true, index)));
    inputs.chain(latches).collect()
}

/// The pairs of witness literals and model literals.
fn read_pairs(circuit: &AigerModel, model: &AigerModel) -> Result<Vec<(u32, u32)>, String> {
    let comment = circuit.comment.as_deref();
    if let Some(pairs) = comment.and_then(|comment| read_comment(comment, "MAPPING")) {
        return pairs;
    }
    let names = &circuit.model.names;
    let inputs = circuit.input_literals.iter().zip(&names.inputs);
    let latches = circuit.latch_literals.iter().zip(&names.latches);
    let mut pairs = Vec::new();
    for (&literal, name) in inputs.chain(latches) {
        if let Some(rest) = name.trim_start().strip_prefix('=') {
            let rest = rest.trim_start();
            let end = rest.find(|character: char| !character.is_ascii_digit());
            let digits = &rest[..end.unwrap_or(rest.len())];
            let model_literal = digits
                .parse()
                .map_err(|_| format!("expected a literal after \"=\" in the symbol {name:?}"))?;
            pairs.push((literal, model_literal));
        }
    }
    if pairs.is_empty() {
        let inputs = circuit.input_literals.iter().zip(&model.input_literals);
        let latches = circuit.latch_literals.iter().zip(&model.latch_literals);
        pairs = inputs
            .chain(latches)
            .map(|(&ours, &theirs)| (ours, theirs))
            .collect();
    }
    Ok(pairs)
}

/// The pairs after a line of a keyword and their number, if there is one.
fn read_comment(comment: &str, keyword: &str) -> Option<Result<Vec<(u32, u32)>, String>> {
    let count = |line: &str| Some(line.strip_prefix(keyword)?.strip_prefix(' ')?.to_owned());
    let mut lines = comment.lines().skip_while(|line| count(line).is_none());
    let first = lines.next()?;
    let malformed =
        || format!("the comment {first:?} is not followed by that many lines of two literals");
    let pair = |line: &str| {
        let mut words = line.split_ascii_whitespace().map(str::parse);
        match (words.next(), words.next()) {
            (Some(Ok(ours)), Some(Ok(theirs))) => Some((ours, theirs)),
            _ => None,
        }
    };
    let Some(Ok(count)) = count(first).map(|count| count.trim().parse::<usize>()) else {
        return Some(Err(malformed()));
    };
    let pairs: Option<Vec<(u32, u32)>> = lines.take(count).map(pair).collect();
    Some(match pairs {
        Some(pairs) if pairs.len() == count => Ok(pairs),
        _ => Err(malformed()),
    })
}
