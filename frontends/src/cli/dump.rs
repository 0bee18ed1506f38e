//! Runs as files of waves: value change dumps (IEEE 1364, clause 18) and GTKWave's compressed format FST.

use std::io::{self, Cursor, Write};

use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType,
};
use vcd::{IdCode, TimescaleUnit, Writer};

/// A format of waves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A value change dump.
    Vcd,
    /// FST.
    Fst,
}

/// Signals that are shown together.
pub(super) struct Scope {
    /// Their common name.
    pub(super) name: &'static str,
    /// Names and widths, in bits.
    pub(super) signals: Vec<(String, u32)>,
}

/// A run whose signals have values in each step.
pub(super) trait Dump {
    /// The signals. They are numbered from 0 through all scopes.
    fn scopes(&self) -> Vec<Scope>;

    /// The number of steps.
    fn n_steps(&self) -> usize;

    /// Appends the bits of a signal in a step, the highest first, each as the digit `0` or `1`.
    fn digits(&self, signal: usize, step: usize, digits: &mut Vec<u8>);
}

/// Writes a run, one time unit a step; the last one ends one unit after it began.
///
/// # Errors
///
/// Those of the output.
pub(super) fn write(dump: &dyn Dump, format: Format, output: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Vcd => write_vcd(dump, output),
        Format::Fst => {
            let bytes = fst(dump).map_err(io::Error::other)?;
            output.write_all(&bytes)
        }
    }
}

/// Calls `change` for each signal that has another value than in the step before, and `step` before those of each step.
fn changes<W, E>(
    dump: &dyn Dump,
    n_signals: usize,
    writer: &mut W,
    step: impl Fn(&mut W, u64) -> Result<(), E>,
    change: impl Fn(&mut W, usize, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut last: Vec<Vec<u8>> = vec![Vec::new(); n_signals];
    let mut digits = Vec::new();
    for time in 0..dump.n_steps() {
        step(writer, time as u64)?;
        for (signal, last) in last.iter_mut().enumerate() {
            digits.clear();
            dump.digits(signal, time, &mut digits);
            if *last != digits {
                change(writer, signal, &digits)?;
                last.clone_from(&digits);
            }
        }
    }
    step(writer, dump.n_steps() as u64)
}

fn write_vcd(dump: &dyn Dump, output: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new(output);
    writer.timescale(1, TimescaleUnit::NS)?;
    let mut wires: Vec<IdCode> = Vec::new();
    for scope in dump.scopes() {
        writer.add_module(scope.name)?;
        for (name, width) in &scope.signals {
            wires.push(writer.add_wire(*width, &one_word(name))?);
        }
        writer.upscope()?;
    }
    writer.enddefinitions()?;
    let value = |digit: &u8| vcd::Value::from(*digit == b'1');
    changes(
        dump,
        wires.len(),
        &mut writer,
        |writer, time| writer.timestamp(time),
        |writer, signal, digits| match digits {
            [digit] => writer.change_scalar(wires[signal], value(digit)),
            _ => writer.change_vector(wires[signal], digits.iter().map(value)),
        },
    )
}

/// The bytes of a file in FST.
fn fst(dump: &dyn Dump) -> fst_writer::Result<Vec<u8>> {
    let info = FstInfo {
        start_time: 0,
        timescale_exponent: -9,
        version: format!("craig {}", env!("CARGO_PKG_VERSION")),
        // Equal runs give equal files.
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::write_to_mem(&info)?;
    let mut signals: Vec<FstSignalId> = Vec::new();
    for scope in dump.scopes() {
        header.scope(scope.name, "", FstScopeType::Module)?;
        for (name, width) in &scope.signals {
            signals.push(header.var(
                one_word(name),
                FstSignalType::bit_vec(*width),
                FstVarType::Wire,
                FstVarDirection::Implicit,
                None,
            )?);
        }
        header.up_scope()?;
    }
    let mut body: FstBodyWriter<Cursor<Vec<u8>>> = header.finish()?;
    changes(
        dump,
        signals.len(),
        &mut body,
        |body, time| body.time_change(time),
        |body, signal, digits| body.signal_change(signals[signal], digits),
    )?;
    Ok(body.finish()?.into_inner())
}

/// A name without white space, which would end it.
fn one_word(name: &str) -> String {
    name.replace(char::is_whitespace, "_")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Two scopes: a bit that holds in odd steps, and the step's number in 5 bits.
    struct Counted(usize);

    impl Dump for Counted {
        fn scopes(&self) -> Vec<Scope> {
            let scope = |name, signal: &str, width| Scope {
                name,
                signals: vec![(signal.to_owned(), width)],
            };
            vec![scope("bits", "is odd", 1), scope("words", "number", 5)]
        }

        fn n_steps(&self) -> usize {
            self.0
        }

        fn digits(&self, signal: usize, step: usize, digits: &mut Vec<u8>) {
            let width = [1, 5][signal];
            digits.extend((0..width).rev().map(|bit| b'0' + (step >> bit & 1) as u8));
        }
    }

    /// The changes of each signal, by its name: time and digits.
    type Changes = BTreeMap<String, Vec<(u64, String)>>;

    fn of_vcd(bytes: &[u8]) -> (Changes, u64) {
        let mut parser = vcd::Parser::new(bytes);
        let header = parser.parse_header().expect("a header");
        let mut names: BTreeMap<IdCode, String> = BTreeMap::new();
        for item in &header.items {
            let vcd::ScopeItem::Scope(scope) = item else {
                continue;
            };
            for item in &scope.items {
                if let vcd::ScopeItem::Var(var) = item {
                    names.insert(var.code, format!("{}.{}", scope.identifier, var.reference));
                }
            }
        }
        let (mut found, mut now) = (Changes::new(), 0);
        for command in parser {
            let (code, digits) = match command.expect("a command") {
                vcd::Command::Timestamp(time) => {
                    now = time;
                    continue;
                }
                vcd::Command::ChangeScalar(code, value) => (code, value.to_string()),
                vcd::Command::ChangeVector(code, value) => (code, value.to_string()),
                _ => continue,
            };
            let signal = found.entry(names[&code].clone()).or_default();
            signal.push((now, digits));
        }
        (found, now)
    }

    /// By a reader of FST that is not the writer's.
    fn of_fst(bytes: &[u8]) -> (Changes, u64) {
        let mut reader = fst_reader::FstReader::open(Cursor::new(bytes)).expect("a header");
        let (mut scope, mut names) = (String::new(), BTreeMap::new());
        let hierarchy = |entry| match entry {
            fst_reader::FstHierarchyEntry::Scope { name, .. } => scope = name,
            fst_reader::FstHierarchyEntry::Var { name, handle, .. } => {
                names.insert(handle.get_index(), format!("{scope}.{name}"));
            }
            _ => {}
        };
        reader.read_hierarchy(hierarchy).expect("a hierarchy");
        let end = reader.get_header().end_time;
        let mut found = Changes::new();
        let change = |time,
                      handle: fst_reader::FstSignalHandle,
                      value: fst_reader::FstSignalValue<'_>|
         -> Result<(), std::convert::Infallible> {
            let fst_reader::FstSignalValue::String(digits) = value else {
                panic!("no digits");
            };
            let digits = String::from_utf8(digits.to_vec()).expect("digits");
            let signal = found.entry(names[&handle.get_index()].clone());
            signal.or_default().push((time, digits));
            Ok(())
        };
        let filter = fst_reader::FstFilter::all();
        reader.read_signals(&filter, change).expect("signals");
        (found, end)
    }

    #[test]
    fn both_formats_have_each_change_once() {
        for n_steps in [1, 2, 21] {
            let bytes = |format| {
                let mut bytes = Vec::new();
                write(&Counted(n_steps), format, &mut bytes).expect("memory takes it");
                bytes
            };
            let (vcd, vcd_end) = of_vcd(&bytes(Format::Vcd));
            let (fst, fst_end) = of_fst(&bytes(Format::Fst));
            assert_eq!((vcd_end, fst_end), (n_steps as u64, n_steps as u64));
            assert_eq!(vcd, fst);
            assert_eq!(fst["bits.is_odd"].len(), n_steps);
            assert_eq!(fst["words.number"].len(), n_steps);
            let last = (n_steps as u64 - 1, format!("{:05b}", n_steps - 1));
            assert_eq!(fst["words.number"].last(), Some(&last));
        }
    }
}
