//! The command lines with which SymbiYosys calls solvers.

use std::path::PathBuf;

use crate::cli::failure::Failure;

/// The format that the called solvers read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Aiger,
    Btor,
}

/// What a command line asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// The circuit.
    pub(super) model: PathBuf,
    /// The last step that is searched, counted from 0; without one, there is no bound.
    pub(super) bound: Option<usize>,
    /// Whether the first run ends the search.
    pub(super) stops_first: bool,
    /// Whether it is `pono` that is called.
    pub(super) is_pono: bool,
    /// Options of the engines.
    pub(super) engines: Vec<String>,
}

impl Asked {
    /// Reads the words after the name of the command.
    ///
    /// # Errors
    /// If an option is not known, or its value is not.
    pub(super) fn read(words: &[String], dialect: Dialect) -> Result<Self, Failure> {
        let Some((model, words)) = words.split_last() else {
            return Err(Failure::input("expected a circuit"));
        };
        let mut asked = Self {
            model: PathBuf::from(model),
            bound: None,
            stops_first: true,
            is_pono: false,
            engines: Vec::new(),
        };
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut number = || -> Result<usize, Failure> {
                let value = words.next().unwrap_or_default();
                let parsed = value.parse();
                parsed.map_err(|_| {
                    Failure::input(format!("`{word}`: expected a number, not {value:?}"))
                })
            };
            match (word, dialect) {
                ("--witness", _) => asked.is_pono = dialect == Dialect::Btor,
                ("-v", _) => {
                    number()?;
                }
                ("--bmc-max-k", Dialect::Aiger) | ("-kmax" | "-k", Dialect::Btor) => {
                    asked.bound = Some(number()?);
                }
                ("-kmin", Dialect::Btor) => {
                    if number()? > 0 {
                        return Err(Failure::input(
                            "`-kmin`: a search that skips steps is not supported",
                        ));
                    }
                }
                ("--stop-first", Dialect::Btor) => asked.stops_first = number()? != 0,
                ("-e", _) => match words.next() {
                    Some("bmc") => {}
                    other => {
                        return Err(Failure::input(format!(
                            "`-e`: expected `bmc`, not {:?}; `--engine=NAME` names one of this command's",
                            other.unwrap_or_default()
                        )));
                    }
                },
                // `avy` is told where its run goes.
                ("--cex", Dialect::Aiger) => match words.next() {
                    Some("-") => {}
                    _ => return Err(Failure::input("`--cex`: expected `-`, standard output")),
                },
                // `suprove` is told its method; liveness is decided where a circuit asks for it.
                (method, Dialect::Aiger) if method.starts_with('+') => {}
                (bound, Dialect::Aiger) if bound.parse::<usize>().is_ok() => {
                    asked.bound = bound.parse().ok();
                }
                (option, _) if option.starts_with("--") => asked.engines.push(option.to_owned()),
                _ => {
                    return Err(Failure::input(format!(
                        "{word:?}: expected an option of a solver that SymbiYosys calls"
                    )));
                }
            }
        }
        Ok(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str, dialect: Dialect) -> Result<Asked, Failure> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Asked::read(&words, dialect)
    }

    #[test]
    fn solvers_are_called_in_their_ways() {
        for (line, dialect, bound, stops_first) in [
            ("--witness m.aig", Dialect::Aiger, None, true),
            (
                "--bmc-max-k 19 -e bmc -v 0 --witness m.aig",
                Dialect::Aiger,
                Some(19),
                true,
            ),
            ("19 m.aig", Dialect::Aiger, Some(19), true),
            ("--cex - m.aig", Dialect::Aiger, None, true),
            ("+simple_liveness m.aig", Dialect::Aiger, None, true),
            (
                "--stop-first 1 -v 1 -kmax 19 m.btor",
                Dialect::Btor,
                Some(19),
                true,
            ),
            (
                "--stop-first 0 -v 1 -kmax 9 -kmin 0 m.btor",
                Dialect::Btor,
                Some(9),
                false,
            ),
            (
                "--witness -v 1 -e bmc -k 4 m.btor",
                Dialect::Btor,
                Some(4),
                true,
            ),
        ] {
            let asked = read(line, dialect).unwrap();
            assert_eq!(
                (asked.bound, asked.stops_first),
                (bound, stops_first),
                "{line}"
            );
            assert!(asked.model.starts_with("m.aig") || asked.model.starts_with("m.btor"));
        }
        let asked = read("--threads=2 m.aig", Dialect::Aiger).unwrap();
        assert_eq!(asked.engines, ["--threads=2"]);
        for line in [
            "-kmax x m.btor",
            "-kmin 3 m.btor",
            "-e ind m.btor",
            "-x m.btor",
            "7 m.btor",
        ] {
            assert!(read(line, Dialect::Btor).is_err(), "{line}");
        }
    }
}
