//! Tables in Markdown.

/// A table; its first column is aligned to the left, the others to the right.
#[derive(Clone, Debug)]
pub(super) struct Table {
    text: String,
    n_columns: usize,
}

impl Table {
    pub(super) fn new<S: AsRef<str>>(header: &[S]) -> Self {
        let mut table = Self {
            text: String::new(),
            n_columns: header.len(),
        };
        table.row(header);
        table.text += "| --- |";
        table.text += &" ---: |".repeat(header.len().saturating_sub(1));
        table.text.push('\n');
        table
    }

    /// Adds a row.
    pub(super) fn row<S: AsRef<str>>(&mut self, cells: &[S]) {
        debug_assert_eq!(cells.len(), self.n_columns);
        for cell in cells {
            self.text += "| ";
            self.text += cell.as_ref();
            self.text.push(' ');
        }
        self.text += "|\n";
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

/// A number of seconds, with three digits.
pub(super) fn seconds(seconds: f64) -> String {
    // A sum of no numbers is -0.
    let seconds = seconds + 0.0;
    match seconds {
        _ if seconds < 10.0 => format!("{seconds:.2}"),
        _ if seconds < 100.0 => format!("{seconds:.1}"),
        _ => format!("{seconds:.0}"),
    }
}

/// A part of a whole, in percent.
pub(super) fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_markdown() {
        let mut table = Table::new(&["a", "b"]);
        table.row(&["x", "1"]);
        assert_eq!(table.into_text(), "| a | b |\n| --- | ---: |\n| x | 1 |\n");
        assert_eq!([1.234, 12.34, 123.4].map(seconds), ["1.23", "12.3", "123"]);
        assert_eq!(seconds([].iter().sum()), "0.00");
        assert_eq!(percent(1, 8), "12.5 %");
    }
}
