//! Exponential moving averages without a bias at the start.

/// An exponential moving average. An average initialised with 0 is too small at first; the bias is divided
/// out, as in ADAM (Kingma and Ba, ICLR 2015; Biere and Fröhlich, POS 2015).
#[derive(Clone, Copy, Debug)]
pub(super) struct Ema {
    value: f64,
    biased: f64,
    alpha: f64,
    /// The weight of the initial 0.
    unseen: f64,
}

impl Ema {
    /// An average in which a new value has weight `alpha`.
    pub(super) fn new(alpha: f64) -> Self {
        Self {
            value: 0.0,
            biased: 0.0,
            alpha,
            unseen: 1.0,
        }
    }

    /// Adds a value.
    #[inline]
    pub(super) fn update(&mut self, new: f64) {
        self.biased += self.alpha * (new - self.biased);
        self.unseen *= 1.0 - self.alpha;
        self.value = self.biased / (1.0 - self.unseen);
    }

    /// The average; 0 before the first value.
    #[inline]
    pub(super) fn value(&self) -> f64 {
        self.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_its_own_average_from_the_start() {
        let mut ema = Ema::new(1e-5);
        assert_eq!(ema.value(), 0.0);
        for _ in 0..5 {
            ema.update(7.0);
            assert!((ema.value() - 7.0).abs() < 1e-9);
        }
        ema.update(100.0);
        assert!(ema.value() > 7.0 && ema.value() < 100.0);
    }
}
