//! Axes of plots: a range that the data fill, and round numbers on it.

/// Whether equal steps on an axis are equal differences or equal ratios.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    /// Of the value and one, so that 0 has a place.
    Logarithmic,
}

/// An axis: maps values to positions between 0 and 1.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    /// The least difference between two numbers on it.
    least_step: f64,
}

/// The part of an axis that is left free on each side of the data.
const MARGIN: f64 = 0.06;

/// The largest count over the smallest from which an axis is logarithmic.
const LARGE_RATIO: f64 = 8.0;

/// The numbers on an axis, at most.
const MOST_TICKS: f64 = 6.0;

impl Axis {
    /// An axis for counts, logarithmic if they are far apart.
    pub(super) fn of_counts(counts: impl IntoIterator<Item = usize>) -> Self {
        let counts = counts.into_iter().map(|count| count as f64);
        let (low, high) = range(counts).unwrap_or((0.0, 1.0));
        let scale = match (high + 1.0) / (low + 1.0) >= LARGE_RATIO {
            true => Scale::Logarithmic,
            false => Scale::Linear,
        };
        let axis = Self {
            low,
            high,
            scale,
            least_step: 1.0,
        };
        axis.with_margin(1.0, f64::INFINITY)
    }

    /// An axis for the numbers of steps, from 0 on.
    pub(super) fn of_steps(n_steps: usize) -> Self {
        Self {
            low: 0.0,
            high: n_steps.max(1) as f64,
            scale: Scale::Linear,
            least_step: 1.0,
        }
    }

    /// An axis for shares between 0 and 1.
    pub(super) fn of_shares(shares: impl IntoIterator<Item = f64>) -> Self {
        let (low, high) = range(shares).unwrap_or((0.0, 1.0));
        let axis = Self {
            low,
            high,
            scale: Scale::Linear,
            least_step: 0.0,
        };
        axis.with_margin(0.02, 1.0)
    }

    /// An axis with space around the data, within 0 and `most`; a single value is in the middle of a range of this `width`.
    fn with_margin(self, width: f64, most: f64) -> Self {
        let [low, high] = [self.low, self.high].map(|value| self.stretched(value));
        let margin = match high - low > 0.0 {
            true => MARGIN * (high - low),
            false => self.stretched(self.low + width) - low,
        };
        let at = |stretched: f64| match self.scale {
            Scale::Linear => stretched,
            Scale::Logarithmic => stretched.exp() - 1.0,
        };
        Self {
            low: at(low - margin).max(0.0),
            high: at(high + margin).min(most),
            ..self
        }
    }

    fn stretched(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => (value + 1.0).ln(),
        }
    }

    /// The position of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        let [low, high] = [self.low, self.high].map(|value| self.stretched(value));
        (self.stretched(value) - low) / (high - low)
    }

    /// Round numbers on the axis, with their texts.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Linear => self.linear_ticks(),
            Scale::Logarithmic => self.logarithmic_ticks(),
        }
    }

    fn linear_ticks(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / MOST_TICKS;
        let power = 10.0_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
        let fitting = steps.into_iter().find(|step| *step >= rough);
        let step = fitting.unwrap_or(10.0 * power).max(self.least_step);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let first = (self.low / step).ceil();
        let ticks = (0..=MOST_TICKS as u32).map(|index| (first + f64::from(index)) * step);
        let is_on_axis = |tick: &f64| *tick <= self.high + step * 1e-9;
        let named = |tick: f64| (tick, format!("{tick:.decimals$}"));
        ticks.filter(is_on_axis).map(named).collect()
    }

    /// Powers of ten, with others between them if there are few, and 0.
    fn logarithmic_ticks(&self) -> Vec<(f64, String)> {
        let decades = (self.high + 1.0).log10() - (self.low + 1.0).log10();
        let factors: &[f64] = match decades {
            few if few < 1.5 => &[1.0, 2.0, 5.0],
            some if some < 3.0 => &[1.0, 3.0],
            _ => &[1.0],
        };
        let powers = (0..20).map(|power| 10.0_f64.powi(power));
        let ticks = powers.flat_map(|power| factors.iter().map(move |factor| factor * power));
        let ticks = std::iter::once(0.0).chain(ticks);
        ticks
            .filter(|tick| (self.low..=self.high).contains(tick))
            .map(|tick| (tick, format!("{tick}")))
            .collect()
    }
}

/// The smallest and the largest of some values.
fn range(values: impl IntoIterator<Item = f64>) -> Option<(f64, f64)> {
    let pairs = values.into_iter().map(|value| (value, value));
    pairs.reduce(|(low, high), (value, _)| (low.min(value), high.max(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The data fill most of the axis, and there are numbers on it, few enough to be read.
    fn fills(axis: &Axis, low: f64, high: f64) {
        let (first, last) = (axis.place(low), axis.place(high));
        assert!((0.0..0.1).contains(&first), "{first} {axis:?}");
        assert!((0.9..=1.0).contains(&last), "{last} {axis:?}");
        let ticks = axis.ticks();
        assert!((2..=9).contains(&ticks.len()), "{ticks:?}");
        for (tick, _) in &ticks {
            assert!((-0.001..=1.001).contains(&axis.place(*tick)), "{ticks:?}");
        }
        for pair in ticks.windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1, "{ticks:?}");
        }
    }

    #[test]
    fn data_fill_their_axis() {
        for (low, high) in [
            (0, 1),
            (0, 9),
            (17, 43),
            (5, 400),
            (0, 100_000),
            (970, 1003),
            (1, 7),
        ] {
            let counts = [low, (low + high) / 2, high];
            fills(&Axis::of_counts(counts), low as f64, high as f64);
        }
        for (low, high) in [(0.0, 1.0), (0.93, 0.97), (0.5, 0.50002), (0.0, 0.01)] {
            fills(&Axis::of_shares([high, low]), low, high);
        }
    }

    #[test]
    fn a_single_value_has_an_axis() {
        for axis in [
            Axis::of_counts([0]),
            Axis::of_counts([12, 12]),
            Axis::of_counts([]),
            Axis::of_shares([1.0]),
            Axis::of_shares([0.0]),
            Axis::of_shares([0.4]),
        ] {
            assert!(axis.low < axis.high && axis.ticks().len() >= 2, "{axis:?}");
        }
        let ticks = Axis::of_shares([0.93, 0.97]).ticks();
        let ticks: Vec<&str> = ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(ticks, ["0.93", "0.94", "0.95", "0.96", "0.97"]);
    }
}
