//! Which text messages may show: a file that the preprocessor includes may be any file that the user can read.

/// The files of which a message about a program shows what stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ShownText {
    /// All of them.
    #[default]
    All,
    /// That with this name only.
    Of(String),
}

/// What tells the user why text is left out.
const LEFT_OUT: &str = "`--trust` shows what is there";

impl ShownText {
    fn includes(&self, file: &str) -> bool {
        match self {
            Self::All => true,
            Self::Of(name) => name == file,
        }
    }

    /// An error of the reader about a file: with what was found there, or with what was expected alone.
    pub fn message(&self, file: &str, message: &str) -> String {
        if self.includes(file) {
            return message.to_string();
        }
        match message.split_once(", found ") {
            Some((expected, _)) if expected.starts_with("expected ") => {
                format!("{expected} ({LEFT_OUT})")
            }
            _ => format!("expected C that is supported ({LEFT_OUT})"),
        }
    }

    /// An error of the compiler, a line that begins with its place: whole, or the place alone.
    pub fn compiler_error(&self, line: &str) -> String {
        let end = [" fatal error: ", " error: "]
            .into_iter()
            .find_map(|mark| line.find(mark));
        let Some(place) = end.and_then(|end| line[..end].strip_suffix(':')) else {
            return line.to_string();
        };
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let mut file = place;
        // The line, and the column where there is one.
        for _ in 0..2 {
            match file.rsplit_once(':') {
                Some((before, number)) if is_number(number) => file = before,
                _ => break,
            }
        }
        if file.len() == place.len() || self.includes(file) {
            return line.to_string();
        }
        if line.ends_with(": No such file or directory") || line.ends_with(" file not found") {
            return format!(
                "{place}: a file that is included there is not found (`-I DIR` adds a folder; {LEFT_OUT})"
            );
        }
        format!("{place}: the compiler expects other C there ({LEFT_OUT})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_other_files_is_left_out() {
        let shown = ShownText::Of("a.c".to_owned());
        let found = "expected a declaration, found `secret`";
        assert_eq!(shown.message("a.c", found), found);
        for message in [
            found,
            "`secret` is no number",
            "the nested function `secret` is not supported",
        ] {
            assert!(
                !shown.message("/etc/b", message).contains("secret"),
                "{message}"
            );
            assert_eq!(ShownText::All.message("/etc/b", message), message);
        }
        assert!(
            shown
                .message("/etc/b", found)
                .starts_with("expected a declaration (")
        );
        for (line, is_shown) in [
            ("a.c:1:2: error: secret", true),
            ("/etc/b:1:2: error: secret", false),
            ("/etc/b:1: error: secret", false),
            ("a.c:1/b:10:3: fatal error: secret", false),
            ("cc1: error: secret", true),
        ] {
            assert_eq!(
                shown.compiler_error(line).contains("secret"),
                is_shown,
                "{line}"
            );
        }
        assert!(
            shown
                .compiler_error("/etc/b:1:2: error: x")
                .starts_with("/etc/b:1:2: ")
        );
        for line in [
            "b.c:1:10: fatal error: secret.h: No such file or directory",
            "b.c:1:10: fatal error: 'secret.h' file not found",
        ] {
            let said = shown.compiler_error(line);
            assert!(
                said.contains("is not found") && !said.contains("secret"),
                "{said}"
            );
        }
    }
}
