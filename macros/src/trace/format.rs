//! The format string of a trace: which fields it prints.

/// A part of a format string.
#[derive(Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Copied as it is, braces and format options included.
    Text(&'a str),
    /// The name or number of a field: in front of `:`, or of `$` in the options.
    Field(&'a str),
}

/// What is wrong with a format string.
#[derive(Debug, PartialEq, Eq)]
pub enum Bad {
    /// A `{` without its `}`.
    Open,
    /// A `}` without its `{`.
    Close,
    /// `{}`
    Nameless,
}

/// Takes a format string apart. Only as far as this module must know it: options are judged by rustc.
pub fn parts(format: &str) -> Result<Vec<Part<'_>>, Bad> {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some(brace) = rest.find(['{', '}']) {
        let (text, tail) = rest.split_at(brace);
        parts.push(Part::Text(text));
        if tail.starts_with("{{") || tail.starts_with("}}") {
            let (escaped, tail) = tail.split_at(2);
            parts.push(Part::Text(escaped));
            rest = tail;
            continue;
        }
        let inside = tail.strip_prefix('{').ok_or(Bad::Close)?;
        let (inside, tail) = inside.split_once('}').ok_or(Bad::Open)?;
        parts.push(Part::Text("{"));
        placeholder(inside, &mut parts)?;
        parts.push(Part::Text("}"));
        rest = tail;
    }
    parts.push(Part::Text(rest));
    parts.retain(|part| *part != Part::Text(""));
    Ok(parts)
}

fn placeholder<'a>(inside: &'a str, parts: &mut Vec<Part<'a>>) -> Result<(), Bad> {
    let (name, options) = inside.split_at(inside.find(':').unwrap_or(inside.len()));
    if name.trim().is_empty() {
        return Err(Bad::Nameless);
    }
    if name.contains('{') {
        return Err(Bad::Open);
    }
    parts.push(Part::Field(name.trim()));
    let mut rest = options;
    // `:>width$.precision$`: a word before `$` is a field too.
    while let Some(dollar) = rest.find('$') {
        let (before, after) = rest.split_at(dollar);
        let word =
            before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |i| i + len_at(before, i));
        let (text, field) = before.split_at(word);
        parts.push(Part::Text(text));
        if !field.is_empty() {
            parts.push(Part::Field(field));
        }
        parts.push(Part::Text("$"));
        rest = after.get(1..).unwrap_or_default();
    }
    parts.push(Part::Text(rest));
    Ok(())
}

/// Bytes of the character at `index`.
fn len_at(text: &str, index: usize) -> usize {
    text.get(index..).and_then(|tail| tail.chars().next()).map_or(1, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::Part::{Field, Text};
    use super::*;

    #[test]
    fn fields_are_found() {
        assert_eq!(
            parts("{src} -> {dst:>15} {{x}}"),
            Ok(vec![
                Text("{"),
                Field("src"),
                Text("}"),
                Text(" -> "),
                Text("{"),
                Field("dst"),
                Text(":>15"),
                Text("}"),
                Text(" "),
                Text("{{"),
                Text("x"),
                Text("}}"),
            ])
        );
        assert_eq!(parts("{0}"), Ok(vec![Text("{"), Field("0"), Text("}")]));
        assert_eq!(
            parts("{a:é>width$.3}"),
            Ok(vec![Text("{"), Field("a"), Text(":é>"), Field("width"), Text("$"), Text(".3"), Text("}")])
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(parts("{src"), Err(Bad::Open));
        assert_eq!(parts("{src {dst}"), Err(Bad::Open));
        assert_eq!(parts("src}"), Err(Bad::Close));
        assert_eq!(parts("{}"), Err(Bad::Nameless));
        assert_eq!(parts("{:x}"), Err(Bad::Nameless));
    }
}
