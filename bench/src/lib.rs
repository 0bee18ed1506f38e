//! Benches of craig, and the comparison with its peers.
