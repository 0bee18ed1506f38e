//! The properties of a design in its circuit: what `yosys` writes as bads under the names of the formal cells becomes bads,
//! justice properties and fairness. Nothing that the design states is left out: where a cell has no line, that is an error.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::netlist::{FormalCell, Statement};

/// What `techmap` makes of all formal cells: assertions, whose names tell what they were. The bad of one is that it is enabled
/// and its signal is not 1, of which [`Writer::statement`] takes the two.
pub(super) const MAP: &str = r#"
(* techmap_celltype = "$assume $live $fair $cover" *)
module craig_statement(A, EN); input A, EN; \$assert _TECHMAP_REPLACE_ (.A(A), .EN(EN)); endmodule
"#;

/// The names of formal cells that have none in the source.
pub(super) const UNNAMED: &str = "craig_formal_";

/// Which statements are questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Question {
    /// Do assertions hold, also those that something happens at last?
    Assertions,
    /// Can what is to be covered be reached?
    Covers,
}

/// An input that is active in the first steps, and never again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Reset {
    /// The name of the input.
    pub(in crate::cli) input: String,
    /// Its value in the first steps.
    pub(in crate::cli) is_high: bool,
    /// The number of these steps.
    pub(in crate::cli) n_cycles: u32,
}

/// Makes the circuit with the properties.
///
/// # Errors
/// What the design states and the circuit does not have, or a reset that is no input of one bit.
pub(super) fn state(
    circuit: &str,
    cells: &[FormalCell],
    question: Question,
    reset: Option<&Reset>,
) -> Result<String, String> {
    let mut writer = Writer::new(circuit);
    let bads = writer.split(circuit)?;
    if bads.len() != cells.len() {
        return Err(format!(
            "the design states {} properties, and the circuit that `yosys` wrote has {}",
            cells.len(),
            bads.len()
        ));
    }
    let is_started = match reset {
        Some(reset) => Some(writer.reset(circuit, reset)?),
        None => None,
    };
    for cell in cells {
        let bad = bads.get(&cell.name).ok_or_else(|| not_translated(cell))?;
        let stated = writer.statement(*bad, cell.is_sampled);
        let (holds, enabled) = stated.ok_or_else(|| not_translated(cell))?;
        // During the reset, nothing is assumed or asked.
        let enabled = match is_started {
            Some(is_started) => writer.bit("and", &format!("{enabled} {is_started}")),
            None => enabled,
        };
        let symbol = symbol(cell);
        match (cell.statement, question) {
            (Statement::Assume, _) => {
                let value = writer.bit("or", &format!("{holds} {}", -enabled));
                writer.line(&format!("constraint {value} {symbol}"));
            }
            (Statement::Assert, Question::Assertions) => {
                let value = writer.bit("and", &format!("{} {enabled}", -holds));
                writer.line(&format!("bad {value} {symbol}"));
            }
            (Statement::Cover, Question::Covers) => {
                let value = writer.bit("and", &format!("{holds} {enabled}"));
                writer.line(&format!("bad {value} {symbol}"));
            }
            (Statement::Live, Question::Assertions) => writer.live(-holds, enabled, &symbol),
            (Statement::Fair, Question::Assertions) => writer.fair(-holds, enabled, &symbol),
            (Statement::Assert | Statement::Live | Statement::Fair, Question::Covers)
            | (Statement::Cover, Question::Assertions) => {}
        }
    }
    Ok(writer.text)
}

/// For each bad of the circuit, whether it is sampled.
pub(super) fn are_sampled(cells: &[FormalCell], question: Question) -> Vec<bool> {
    let bad = match question {
        Question::Assertions => Statement::Assert,
        Question::Covers => Statement::Cover,
    };
    let bads = cells.iter().filter(|cell| cell.statement == bad);
    bads.map(|cell| cell.is_sampled).collect()
}

fn not_translated(cell: &FormalCell) -> String {
    format!(
        "{}: `yosys` has not translated this ({} {})",
        cell.source,
        cell.statement.name(),
        cell.name
    )
}

/// The name of the assertion and its place, or its place.
fn symbol(cell: &FormalCell) -> String {
    let name = match cell.name.starts_with(UNNAMED) {
        true => String::new(),
        false => format!("{}:", cell.name),
    };
    let symbol = format!("{name}{}", cell.source);
    symbol.replace(char::is_whitespace, "_")
}

/// Appends lines to a circuit.
struct Writer {
    text: String,
    /// The identifier of the next line.
    next: i64,
    /// The sort of one bit.
    bit: u64,
    /// The operators of one bit, the states and the constants, by their identifiers.
    nodes: HashMap<i64, Vec<String>>,
    /// The value that a state has one step later.
    next_values: HashMap<i64, i64>,
}

impl Writer {
    fn new(circuit: &str) -> Self {
        let lines = circuit.lines().map(words);
        let identifiers = lines.filter_map(|words| words.first()?.parse::<i64>().ok());
        let mut writer = Self {
            text: String::new(),
            next: identifiers.max().unwrap_or(0) + 1,
            bit: 0,
            nodes: HashMap::new(),
            next_values: HashMap::new(),
        };
        let is_bit = |words: &Vec<&str>| words.get(1..4) == Some(&["sort", "bitvec", "1"][..]);
        let bit = circuit.lines().map(words).find(is_bit);
        writer.bit = bit.and_then(|words| words[0].parse().ok()).unwrap_or(0);
        writer
    }

    /// Takes the lines of the circuit but its bads; returns the values of the bads, by their names.
    fn split(&mut self, circuit: &str) -> Result<HashMap<String, i64>, String> {
        let mut bads = HashMap::new();
        for line in circuit.lines() {
            let words = words(line);
            match words.as_slice() {
                [_, "bad", value, symbol, ..] => {
                    let value = value.parse().unwrap_or_default();
                    if bads.insert((*symbol).to_owned(), value).is_some() {
                        return Err(format!(
                            "two statements of the design have the name {symbol}"
                        ));
                    }
                    continue;
                }
                [_, "constraint" | "bad", ..] => {
                    return Err(format!(
                        "`yosys` wrote a line that is not expected: {line:?}"
                    ));
                }
                [
                    identifier,
                    "and" | "not" | "state" | "const" | "zero" | "one" | "ones",
                    ..,
                ] => {
                    let node = words[1..].iter().map(ToString::to_string).collect();
                    self.nodes
                        .insert(identifier.parse().unwrap_or_default(), node);
                }
                [_, "next", _, state, value, ..] => {
                    let [state, value] = [state, value].map(|it| it.parse().unwrap_or_default());
                    self.next_values.insert(state, value);
                }
                _ => {}
            }
            self.text += &format!("{line}\n");
        }
        if self.bit == 0 {
            self.bit = self.line("sort bitvec 1").unsigned_abs();
        }
        Ok(bads)
    }

    /// The signal and the enable of which `yosys` made a bad: it writes the conjunction of the enable and the negated signal.
    ///
    /// What is stated in a process is sampled by registers at the edge, the enable with the initial value 0, so that it is
    /// stated one step later. It is taken from their next values: assumptions bind the step that they are about.
    fn statement(&self, bad: i64, is_sampled: bool) -> Option<(i64, i64)> {
        let operand = |node: i64, operator: &str, index: usize| -> Option<i64> {
            let words = self.nodes.get(&node)?;
            let is_it = words.first().is_some_and(|it| it == operator);
            words.get(2 + index).filter(|_| is_it)?.parse().ok()
        };
        let enabled = operand(bad, "and", 0)?;
        let holds = operand(operand(bad, "and", 1)?, "not", 0)?;
        let next = |node| {
            let constant = self.is_constant(node).then_some(node);
            self.next_values.get(&node).copied().or(constant)
        };
        match (next(holds), next(enabled)) {
            (Some(holds), Some(enabled)) if is_sampled => Some((holds, enabled)),
            _ => Some((holds, enabled)),
        }
    }

    fn is_constant(&self, node: i64) -> bool {
        let kind = self.nodes.get(&node).and_then(|words| words.first());
        kind.is_some_and(|kind| matches!(kind.as_str(), "const" | "zero" | "one" | "ones"))
    }

    /// Appends a line; returns its identifier.
    fn line(&mut self, text: &str) -> i64 {
        let identifier = self.next;
        let _ = writeln!(self.text, "{identifier} {}", text.trim_end());
        self.next += 1;
        identifier
    }

    fn bit(&mut self, operator: &str, arguments: &str) -> i64 {
        let sort = self.bit;
        self.line(&format!("{operator} {sort} {arguments}"))
    }

    /// Constrains the reset; returns whether it is over.
    fn reset(&mut self, circuit: &str, reset: &Reset) -> Result<i64, String> {
        let name = &reset.input;
        let lines = circuit.lines().map(words);
        let mut inputs = lines.filter(|words| words.get(1) == Some(&"input"));
        let Some(input) = inputs.find(|words| words.get(3) == Some(&name.as_str())) else {
            return Err(format!(
                "the design has no input {name:?} that could be its reset"
            ));
        };
        if input[2].parse() != Ok(self.bit) {
            return Err(format!(
                "the reset {name:?} has several bits, and one is expected"
            ));
        }
        let (n_cycles, input) = (reset.n_cycles, input[0]);
        let width = u32::BITS - n_cycles.leading_zeros();
        let sort = self.line(&format!("sort bitvec {width}"));
        let [zero, last] = [0, n_cycles].map(|value| self.line(&format!("constd {sort} {value}")));
        let count = self.line(&format!("state {sort} craig_reset_cycles"));
        self.line(&format!("init {sort} {count} {zero}"));
        let is_over = self.bit("eq", &format!("{count} {last}"));
        let more = self.line(&format!("inc {sort} {count}"));
        let next = self.line(&format!("ite {sort} {is_over} {count} {more}"));
        self.line(&format!("next {sort} {count} {next}"));
        let sign = if reset.is_high { "-" } else { "" };
        let as_wanted = self.bit("iff", &format!("{input} {sign}{is_over}"));
        self.line(&format!("constraint {as_wanted}"));
        Ok(is_over)
    }

    /// "Whenever it is enabled, it holds then or later." A free input picks the time from which it does not; a run against
    /// it is one on which such a time was picked, and it has not held since.
    fn live(&mut self, fails: i64, enabled: i64, symbol: &str) {
        let zero = self.bit("zero", "");
        let pick = self.bit("input", "");
        let [picked, met] = [0; 2].map(|_| self.bit("state", ""));
        let sort = self.bit;
        for state in [picked, met] {
            self.line(&format!("init {sort} {state} {zero}"));
        }
        let begins = self.bit("and", &format!("{pick} {enabled}"));
        let begins = self.bit("and", &format!("{begins} {fails}"));
        let is_picked = self.bit("or", &format!("{picked} {begins}"));
        let meets = self.bit("and", &format!("{picked} {}", -fails));
        let is_met = self.bit("or", &format!("{met} {meets}"));
        self.line(&format!("next {sort} {picked} {is_picked}"));
        self.line(&format!("next {sort} {met} {is_met}"));
        let fails_for_ever = self.bit("and", &format!("{picked} -{met}"));
        self.line(&format!("justice 1 {fails_for_ever} {symbol}"));
    }

    /// Assumes what [`Writer::live`] asks: infinitely often, nothing is owed.
    fn fair(&mut self, fails: i64, enabled: i64, symbol: &str) {
        let zero = self.bit("zero", "");
        let owed = self.bit("state", "");
        let sort = self.bit;
        self.line(&format!("init {sort} {owed} {zero}"));
        let owes = self.bit("or", &format!("{owed} {enabled}"));
        let owes = self.bit("and", &format!("{owes} {fails}"));
        self.line(&format!("next {sort} {owed} {owes}"));
        self.line(&format!("fair -{owed} {symbol}"));
    }
}

fn words(line: &str) -> Vec<&str> {
    line.split(' ').filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use craig_hardware::btor2::{self, Btor2};

    use super::*;

    fn cell(name: &str, statement: Statement) -> FormalCell {
        FormalCell {
            name: name.to_owned(),
            statement,
            source: "top.sv:5.1-5.9".to_owned(),
            is_sampled: name == "sampled",
        }
    }

    /// What `yosys` writes of a design with one of each.
    const CIRCUIT: &str = "1 sort bitvec 1\n2 input 1 rst_n ; top.sv:1\n3 input 1 a\n4 not 1 3\n5 and 1 2 4\n\
        6 bad 5 live ; top.sv:2|map.v:2\n7 bad 5 fair\n8 bad 5 seen\n9 bad 5 kept\n10 bad 5 craig_formal_0\n\
        11 state 1 $formal$top.sv:9$1_CHECK\n12 state 1 $formal$top.sv:9$1_EN\n13 next 1 11 3\n14 next 1 12 2\n\
        15 not 1 11\n16 and 1 12 15\n17 bad 16 sampled\n";

    fn cells() -> Vec<FormalCell> {
        vec![
            cell("live", Statement::Live),
            cell("fair", Statement::Fair),
            cell("seen", Statement::Cover),
            cell("kept", Statement::Assume),
            cell("craig_formal_0", Statement::Assert),
            cell("sampled", Statement::Assume),
        ]
    }

    fn read(text: &str) -> Btor2 {
        btor2::read(text.as_bytes(), "text").unwrap()
    }

    #[test]
    fn each_statement_has_its_line() {
        let text = state(CIRCUIT, &cells(), Question::Assertions, None).unwrap();
        let model = read(&text);
        let symbols: Vec<&str> = model.bads.iter().map(|line| &*line.symbol).collect();
        assert_eq!(symbols, ["top.sv:5.1-5.9"]);
        let symbols: Vec<&str> = model.justice.iter().map(|line| &*line.symbol).collect();
        assert_eq!(symbols, ["live:top.sv:5.1-5.9"]);
        assert_eq!((model.fairness.len(), model.constraints.len()), (1, 2));
        let model = read(&state(CIRCUIT, &cells(), Question::Covers, None).unwrap());
        let symbols: Vec<&str> = model.bads.iter().map(|line| &*line.symbol).collect();
        assert_eq!(symbols, ["seen:top.sv:5.1-5.9"]);
        assert!(model.justice.is_empty() && model.fairness.is_empty());
    }

    /// What is sampled is about the values that its registers will have.
    #[test]
    fn what_is_sampled_binds_its_own_step() {
        let mut writer = Writer::new(CIRCUIT);
        let bads = writer.split(CIRCUIT).unwrap();
        assert_eq!(writer.statement(bads["sampled"], true), Some((3, 2)));
        assert_eq!(writer.statement(bads["sampled"], false), Some((11, 12)));
        assert_eq!(writer.statement(bads["live"], true), Some((3, 2)));
        // A constant, of which `yosys` needs no register.
        let circuit = CIRCUIT.replace("15 not 1 11\n", "21 const 1 0\n15 not 1 21\n");
        let mut writer = Writer::new(&circuit);
        let bads = writer.split(&circuit).unwrap();
        assert_eq!(writer.statement(bads["sampled"], true), Some((21, 2)));
        assert_eq!(writer.statement(4, true), None);
    }

    #[test]
    fn what_is_not_translated_is_named() {
        for missing in ["live", "fair", "seen", "kept", "craig_formal_0"] {
            let circuit = CIRCUIT.replace(&format!(" {missing}"), " other");
            for question in [Question::Assertions, Question::Covers] {
                let message = state(&circuit, &cells(), question, None).unwrap_err();
                assert!(message.contains("top.sv:5.1-5.9"), "{message}");
            }
        }
        let circuit = CIRCUIT.replace("9 bad 5 kept\n", "");
        let message = state(&circuit, &cells(), Question::Assertions, None).unwrap_err();
        assert!(message.contains("states 6 properties"), "{message}");
    }

    #[test]
    fn a_reset_is_an_input_of_one_bit() {
        let reset = |input: &str| Reset {
            input: input.to_owned(),
            is_high: false,
            n_cycles: 3,
        };
        let of = |input| state(CIRCUIT, &cells(), Question::Assertions, Some(&reset(input)));
        let model = read(&of("rst_n").unwrap());
        assert_eq!(model.constraints.len(), 3);
        assert!(of("none").unwrap_err().contains("no input \"none\""));
        let wide = format!("{CIRCUIT}18 sort bitvec 2\n19 input 18 wide\n");
        let stated = state(&wide, &cells(), Question::Assertions, Some(&reset("wide")));
        assert!(stated.unwrap_err().contains("several bits"));
    }
}
