//! Pipelines side by side. Each stage mixes the word of the stage before with inputs of the pipeline; a copy of
//! each pipeline gets the same inputs. The check: the outputs of a pipeline and its copy differ.

use craig_aig::Edge;

use super::{Builder, Size};

/// Stages of a pipeline.
const N_STAGES: usize = 8;
/// Inputs of a pipeline.
const N_INPUTS: usize = 4;
/// Bits of a stage, at most.
const MOST_BITS: usize = 16;

pub(super) fn build(builder: &mut Builder, size: Size) {
    let width = (size.latches / (2 * N_STAGES)).clamp(2, MOST_BITS);
    let n_latches = N_STAGES * width;
    let n_pipelines = (size.latches / (2 * n_latches)).max(1);
    for index in 0..n_pipelines {
        let inputs = builder.new_inputs(N_INPUTS);
        let first = builder.model.latches.len();
        let both = builder.new_latches(2 * n_latches);
        let (left, right) = both.split_at(n_latches);
        let start = builder.n_gates();
        let share = (size.gates * (index + 1) / n_pipelines).saturating_sub(start) / 2;
        let seed = builder.random.clone();
        // The rounds of mixing in each stage, as many as its share of the gates allows.
        let mut rounds = Vec::new();
        for (copy, states) in [left, right].into_iter().enumerate() {
            builder.random = seed.clone();
            let mut word: Vec<Edge> = inputs.iter().copied().cycle().take(width).collect();
            for (stage, states) in states.chunks(width).enumerate() {
                if copy == 0 {
                    rounds.push(0);
                }
                loop {
                    let is_last = match copy {
                        0 => builder.n_gates() >= start + share * (stage + 1) / N_STAGES,
                        _ => rounds[stage] == 0,
                    };
                    if is_last {
                        break;
                    }
                    word = mixed(builder, &word, &inputs);
                    match copy {
                        0 => rounds[stage] += 1,
                        _ => rounds[stage] -= 1,
                    }
                }
                builder.set_next(first + copy * n_latches + stage * width, &word);
                word = states.to_vec();
            }
        }
        for bit in n_latches - width..n_latches {
            let check = builder.model.aig.xor(left[bit], right[bit]);
            builder.checks.push(check);
        }
    }
}

/// A word after one round: each bit is its neighbour, negated where a random bit and a random input hold.
fn mixed(builder: &mut Builder, word: &[Edge], inputs: &[Edge]) -> Vec<Edge> {
    let bits = (0..word.len()).map(|bit| {
        let [when, other] = [builder.pick(inputs), builder.pick(word)];
        let masked = builder.model.aig.and(when, other);
        builder.model.aig.xor(masked, word[(bit + 1) % word.len()])
    });
    bits.collect()
}
