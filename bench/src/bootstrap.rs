//! Intervals of confidence of paired measurements.

/// Whether an interval of changes is on one side of 0.
pub(crate) fn verdict(low: f64, high: f64) -> &'static str {
    match (low > 0.0, high < 0.0) {
        (true, _) => ": slower",
        (_, true) => ": faster",
        _ => ": no difference is shown",
    }
}

/// How often the problems are drawn again.
const DRAWS: usize = 4000;

/// The mean, and the interval in which 95 % of the means of lists lie that are drawn from this one with repetition (B. Efron, "Bootstrap
/// methods", 1979). The drawing is the same each time.
pub(crate) fn interval(values: &[f64]) -> (f64, f64, f64) {
    let mean = |sum: f64| sum / values.len() as f64;
    let mut random = fastrand::Rng::with_seed(1);
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            mean(
                (0..values.len())
                    .map(|_| values[random.usize(..values.len())])
                    .sum(),
            )
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((DRAWS - 1) as f64 * share) as usize];
    (mean(values.iter().sum()), at(0.025), at(0.975))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_their_mean_and_shrink() {
        let noise: Vec<f64> = (0..200).map(|it| f64::from(it % 7) - 3.0).collect();
        let (few, many) = (interval(&noise[..20]), interval(&noise));
        for (mean, low, high) in [few, many] {
            assert!(low < mean && mean < high);
        }
        assert!(many.2 - many.1 < few.2 - few.1);
    }
}
