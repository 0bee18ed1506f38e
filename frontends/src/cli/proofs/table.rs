//! The table of proofs, as text.

use super::Proof;
use crate::cli::batch::process::Outcome;

/// The longest reason that a line has.
const LONGEST: usize = 160;

/// The line of a proof that was decided.
pub(super) fn line(proof: &Proof) -> String {
    let (word, seconds) = (proof.verdict.word(), proof.seconds);
    let mut text = format!("{word:<8} {seconds:>8.2}  {}", proof.name);
    if proof.is_known {
        text += " (decided before)";
    }
    text.push('\n');
    if let Some(reason) = &proof.reason {
        let first = reason.lines().next().unwrap_or_default();
        let shown: String = first.chars().take(LONGEST).collect();
        text += &format!("                   {shown}\n");
    }
    text
}

/// All proofs, with what CBMC says and the coverage, if these were asked for; and the sums.
pub(super) fn table(proofs: &[Proof], seconds: f64) -> String {
    let has_peer = proofs.iter().any(|proof| proof.cbmc.is_some());
    let has_lines = proofs.iter().any(|proof| proof.coverage.is_some());
    let mut text = String::from("\nverdict   seconds  ");
    if has_peer {
        text += "cbmc      seconds  ";
    }
    if has_lines {
        text += "lines        ";
    }
    text += "proof\n";
    for proof in proofs {
        text += &format!("{:<8} {:>8.2}  ", proof.verdict.word(), proof.seconds);
        if has_peer {
            text += &match &proof.cbmc {
                Some(cbmc) => {
                    let word = cbmc.verdict.to_uppercase();
                    format!("{word:<8} {:>8.2}  ", cbmc.seconds)
                }
                None => " ".repeat(19),
            };
        }
        if has_lines {
            let lines = proof.coverage.map_or_else(String::new, |lines| {
                format!("{}/{}", lines.reached, lines.total)
            });
            text += &format!("{lines:<13}");
        }
        let mark = if proof.differs() { "  <- differs" } else { "" };
        text += &format!("{}{mark}\n", proof.name);
    }
    text + &sums(proofs, seconds)
}

/// The last lines: how many of each verdict, which checks were not made, and the times.
fn sums(proofs: &[Proof], seconds: f64) -> String {
    let outcomes: Vec<Outcome> = proofs.iter().map(|proof| proof.verdict).collect();
    let counts = Outcome::count(&outcomes);
    let mut text = format!("{} proofs: {counts}; {seconds:.2} s\n", proofs.len());
    let n_known = proofs.iter().filter(|proof| proof.is_known).count();
    if n_known > 0 {
        text += &format!("{n_known} of them were decided before\n");
    }
    let both = || {
        let decided = |proof: &&Proof| {
            let cbmc = proof.cbmc.as_ref().map(|cbmc| cbmc.verdict.as_str());
            proof.verdict <= Outcome::Unsafe
                && proof.verdict != Outcome::Unknown
                && matches!(cbmc, Some("safe" | "unsafe"))
        };
        proofs.iter().filter(decided)
    };
    if both().count() > 0 {
        let own: f64 = both().map(|proof| proof.seconds).sum();
        let peer: f64 = both()
            .filter_map(|proof| Some(proof.cbmc.as_ref()?.seconds))
            .sum();
        let n_both = both().count();
        text += &format!("the {n_both} that both decide: craig {own:.2} s, cbmc {peer:.2} s\n");
    }
    let not_checked = not_checked(proofs);
    if !not_checked.is_empty() {
        text += &format!(
            "not checked, although proofs ask for it: {}\n",
            not_checked.join(", ")
        );
    }
    text
}

/// The checks that were not made in some proof.
pub(super) fn not_checked(proofs: &[Proof]) -> Vec<&str> {
    let mut all: Vec<&str> = (proofs.iter())
        .flat_map(|proof| proof.not_checked.iter().map(String::as_str))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
