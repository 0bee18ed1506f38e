//! The page about all proofs.

use std::fmt::Write as _;

use super::Proof;
use super::table::not_checked;
use crate::cli::batch::process::Outcome;
use crate::cli::page::{escaped, page as whole_page};

/// The page.
pub(super) fn page(title: &str, proofs: &[Proof], seconds: f64) -> String {
    let outcomes: Vec<Outcome> = proofs.iter().map(|proof| proof.verdict).collect();
    let mut html = format!(
        "<p>{} proofs: {}; {seconds:.2} s</p>\n",
        proofs.len(),
        Outcome::count(&outcomes)
    );
    let not_checked = not_checked(proofs);
    if !not_checked.is_empty() {
        let _ = writeln!(
            html,
            "<p>Not checked, although proofs ask for it: <code>{}</code></p>",
            escaped(&not_checked.join(" "))
        );
    }
    let has_peer = proofs.iter().any(|proof| proof.cbmc.is_some());
    let has_lines = proofs.iter().any(|proof| proof.coverage.is_some());
    html.push_str("<div class=\"wide\"><table>\n<tr><th>proof</th><th>verdict</th><th class=\"number\">seconds</th>");
    if has_peer {
        html.push_str("<th>CBMC</th><th class=\"number\">seconds</th>");
    }
    if has_lines {
        html.push_str("<th class=\"number\">lines reached</th>");
    }
    html.push_str("</tr>\n");
    for proof in proofs {
        row(&mut html, proof, has_peer, has_lines);
    }
    html.push_str("</table></div>\n");
    whole_page(title, &html)
}

/// A verdict, coloured.
fn badge(word: &str) -> String {
    let class = match word {
        "SAFE" => "safe",
        "UNSAFE" => "unsafe",
        "UNKNOWN" => "unknown",
        _ => "failed",
    };
    format!("<span class=\"badge {class}\">{word}</span>")
}

fn row(html: &mut String, proof: &Proof, has_peer: bool, has_lines: bool) {
    // Writing to a string does not fail.
    let _ = write!(
        html,
        "<tr><td>{}</td><td>{}</td><td class=\"number\">{:.2}</td>",
        escaped(&proof.name),
        badge(proof.verdict.word()),
        proof.seconds
    );
    if has_peer {
        html.push_str(&match &proof.cbmc {
            Some(cbmc) => format!(
                "<td>{}</td><td class=\"number\">{:.2}</td>",
                badge(&escaped(&cbmc.verdict.to_uppercase())),
                cbmc.seconds
            ),
            None => "<td></td><td></td>".to_owned(),
        });
    }
    if has_lines {
        let lines = proof.coverage.map_or_else(String::new, |lines| {
            format!("{} of {}", lines.reached, lines.total)
        });
        let _ = write!(html, "<td class=\"number\">{lines}</td>");
    }
    html.push_str("</tr>\n");
    let peer = proof.cbmc.as_ref().and_then(|cbmc| cbmc.reason.as_ref());
    let mut about: Vec<String> = Vec::new();
    if proof.differs() {
        about.push("<b>the verdicts differ</b>".to_owned());
    }
    about.extend(proof.reason.iter().map(|reason| escaped(reason)));
    about.extend(peer.map(|reason| format!("CBMC: {}", escaped(reason))));
    if !proof.notes.is_empty() {
        let notes: Vec<String> = proof.notes.iter().map(|note| escaped(note)).collect();
        let plural = if notes.len() == 1 { "" } else { "s" };
        about.push(format!(
            "<details><summary>{} note{plural}</summary>{}</details>",
            notes.len(),
            notes.join("<br>")
        ));
    }
    // Below the row, where there is room on a telephone as well.
    if !about.is_empty() {
        let n_columns = 3 + 2 * usize::from(has_peer) + usize::from(has_lines);
        let about = about.join("<br>");
        let _ = writeln!(
            html,
            "<tr><td class=\"faint\" colspan=\"{n_columns}\">{about}</td></tr>"
        );
    }
}
