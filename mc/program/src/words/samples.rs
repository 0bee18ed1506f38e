//! Reachable states of a model: found by a solver, and by runs on random inputs.

use std::collections::{HashSet, VecDeque};

use craig_solver::{Answer, Lit};

use super::search::{SAMPLE_CONFLICTS, Sample, Search};
use super::walks::LANES;

/// The maximal number of sampled states.
const MAX_SAMPLES: usize = 60;
const MAX_SAMPLE_QUERIES: usize = 200;
/// Queries for successors of one state while there is no other.
const ROOT_QUERIES: usize = 10;
/// Steps of runs on random inputs, and the number of their states kept at a place.
const WALK: usize = 60;
const MAX_WALKED: usize = 240;

impl Search<'_> {
    /// Reachable states, a few at each place.
    pub(super) fn sample(&mut self) -> Vec<Sample> {
        let mut samples: Vec<Sample> = Vec::new();
        let mut seen: HashSet<Vec<bool>> = HashSet::new();
        // All latches start at 0, including the place.
        let mut queue = VecDeque::from([(0, vec![false; self.latches.len()])]);
        let n_places = self.vocabulary.at.len();
        let share = MAX_SAMPLES.div_ceil(n_places);
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut queries = 0;
        while let Some((from, state)) = queue.pop_front() {
            for place in 1..=n_places {
                let n_here = samples
                    .iter()
                    .filter(|sample| sample.place == place)
                    .count();
                let n_queries = if from == 0 { ROOT_QUERIES } else { 1 };
                for _ in 0..n_queries {
                    if n_here >= share || queries >= MAX_SAMPLE_QUERIES {
                        break;
                    }
                    queries += 1;
                    let mut assumptions: Vec<Lit> = Vec::new();
                    for (&lit, &value) in self.latches.iter().zip(&state) {
                        assumptions.push(if value { lit } else { !lit });
                    }
                    for (position, edge) in self.vocabulary.counter.iter().enumerate() {
                        let lit = self.nexts[self.number[edge]];
                        assumptions.push(if place >> position & 1 == 1 {
                            lit
                        } else {
                            !lit
                        });
                    }
                    // Random phases, so that free values are both large and small.
                    for &lit in &self.nexts {
                        random ^= random << 13;
                        random ^= random >> 7;
                        random ^= random << 17;
                        self.solver
                            .set_phase(if random & 7 == 0 { lit } else { !lit });
                    }
                    if self.solve(&assumptions, SAMPLE_CONFLICTS) == Answer::Satisfiable {
                        let sample = self.next_state(from);
                        if seen.insert(sample.latches.clone()) {
                            queue.push_back((place, sample.latches.clone()));
                            samples.push(sample);
                        }
                    }
                }
            }
        }
        samples
    }

    /// Adds states that runs on random inputs reach.
    pub(super) fn walk(&mut self, samples: &mut Vec<Sample>) {
        let n_places = self.vocabulary.at.len();
        let start = (0, vec![false; self.latches.len()]);
        let mut roots: Vec<(usize, Vec<bool>)> = vec![start; 1 + samples.len()];
        for (root, sample) in roots[1..].iter_mut().zip(&*samples) {
            *root = (sample.place, sample.latches.clone());
        }
        let mut seen: HashSet<Vec<bool>> = roots.iter().map(|root| root.1.clone()).collect();
        let mut n_here = vec![0; n_places + 1];
        let mut lanes: Vec<(usize, Vec<bool>)> = Vec::new();
        for _ in 0..WALK {
            if self.is_over() {
                break;
            }
            while lanes.len() < LANES {
                lanes.push(self.walks.pick(&roots).clone());
            }
            let states: Vec<Vec<bool>> = lanes.iter().map(|lane| lane.1.clone()).collect();
            let mut next = Vec::new();
            for (state, (from, _)) in self.walks.step(&states).into_iter().zip(&lanes) {
                let sample = self.sample_of(state, *from);
                let place = sample.place;
                if !(1..=n_places).contains(&place) {
                    continue;
                }
                next.push((place, sample.latches.clone()));
                if n_here[place] < MAX_WALKED && seen.insert(sample.latches.clone()) {
                    n_here[place] += 1;
                    samples.push(sample);
                }
            }
            lanes = next;
        }
    }
}
