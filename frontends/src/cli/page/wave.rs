//! A run as waves: a row for each signal, with zoom and a search for names.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{embedded, escaped};
use crate::cli::waves::Waves;

/// Values that a page has, at most: browsers get slow with more.
const MOST_VALUES: usize = 200_000;

/// The wave views of a page are told apart by numbers.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// The view. What is too much is left out, and the page says so.
pub(in crate::cli) fn wave_view(waves: &Waves) -> String {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let most = (MOST_VALUES / waves.n_steps.max(1)).max(1);
    let n_left_out = waves.signals.len().saturating_sub(most);
    let mut shown = waves.clone();
    shown.signals.truncate(most);
    let json = serde_json::to_string(&shown).unwrap_or_default();
    let cut = match n_left_out {
        0 => String::new(),
        n => format!(
            "<p class=\"faint\">{n} signals are left out; <code>craig simulate --vcd</code> writes all.</p>"
        ),
    };
    let plural = if waves.n_steps == 1 { "" } else { "s" };
    let steps = match waves.loop_start {
        Some(start) => format!("{} step{plural}, a loop from step {start}", waves.n_steps),
        None => format!("{} step{plural}", waves.n_steps),
    };
    format!(
        "<div class=\"tools\" data-waves=\"{number}\"><button type=\"button\" data-zoom=\"0.7\">&minus;</button>\
         <button type=\"button\" data-zoom=\"1.4\">+</button><input type=\"search\" placeholder=\"signal\" \
         aria-label=\"signals whose name contains this\"><span class=\"faint\">{}, {} signals</span></div>\n\
         <div class=\"waves\" id=\"waves{number}\"><div class=\"names\"></div><div class=\"plot\"></div></div>\n{cut}\
         <script type=\"application/json\" id=\"data{number}\">{}</script>\n<script>{}</script>\n",
        escaped(&steps),
        waves.signals.len(),
        embedded(&json),
        SCRIPT.replace("NUMBER", &number.to_string())
    )
}

/// Draws the rows of the signals again after each change of the zoom or of the names that are looked for.
const SCRIPT: &str = include_str!("wave.js");
