//! How the searches differ: one table.

use crate::cdcl::Options;

/// One way to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variation {
    pub(super) name: &'static str,
    change: fn(&mut Options),
    /// Whether the variables with small numbers are decided first in focused mode; otherwise, the last ones.
    pub(super) is_reversed: bool,
}

/// In the order of the workers; beyond the last row the table begins again, with other seeds.
const TABLE: &[Variation] = &[
    Variation {
        name: "as one",
        change: |_| {},
        is_reversed: false,
    },
    // While one of the first two looks for a refutation, the other one looks for a model.
    Variation {
        name: "stable first",
        change: |options| {
            options.stable_first = true;
            options.initial_phase = !options.initial_phase;
        },
        is_reversed: false,
    },
    Variation {
        name: "focused",
        change: |options| options.stable = false,
        is_reversed: true,
    },
    Variation {
        name: "short phases",
        change: |options| {
            options.mode_interval = options.mode_interval.div_ceil(3);
            options.rephase_interval = options.rephase_interval.div_ceil(3);
            options.stable_first = true;
        },
        is_reversed: true,
    },
    Variation {
        name: "rare inprocessing",
        change: |options| {
            options.inprocess_interval = options.inprocess_interval.saturating_mul(5);
            options.initial_phase = !options.initial_phase;
        },
        is_reversed: false,
    },
    Variation {
        name: "no reasons bumped",
        change: |options| options.bump_reasons = !options.bump_reasons,
        is_reversed: true,
    },
    Variation {
        name: "no elimination",
        change: |options| options.eliminate = false,
        is_reversed: false,
    },
    Variation {
        name: "rare rephasing",
        change: |options| {
            options.rephase_interval = options.rephase_interval.saturating_mul(10);
            options.stable_first = true;
        },
        is_reversed: false,
    },
];

/// The variation of a worker, and its options, made from those of the first one.
pub(super) fn vary(worker: usize, base: &Options) -> (Variation, Options) {
    let variation = TABLE[worker % TABLE.len()];
    let mut options = base.clone();
    options.seed = base.seed.wrapping_add(worker as u64);
    (variation.change)(&mut options);
    for value in [
        &mut options.inprocess_interval,
        &mut options.rephase_interval,
    ] {
        *value = (*value).min(LARGEST_INTERVAL);
    }
    (variation, options)
}

/// The largest value of the intervals among the options.
const LARGEST_INTERVAL: u64 = 1_000_000_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_worker_searches_as_a_single_one() {
        let base = Options {
            seed: 5,
            ..Options::default()
        };
        let (variation, options) = vary(0, &base);
        assert_eq!(options, base);
        assert!(!variation.is_reversed);
    }

    #[test]
    fn all_workers_differ() {
        let base = Options {
            eliminate: true,
            ..Options::default()
        };
        let all: Vec<Options> = (0..20).map(|worker| vary(worker, &base).1).collect();
        for (index, options) in all.iter().enumerate() {
            assert!(!all[..index].contains(options), "{index}");
        }
    }
}
