//! The nearest of the known names, for messages about a name that is not known.

/// How many letters must change, be added, removed or swapped with their neighbour.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The name nearest to `name`, and its distance.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, usize)> {
    known.into_iter().map(|k| (k, distance(name, k))).min_by_key(|&(k, d)| (d, k))
}

/// `; nearest is ...` if a name is near enough to be what was meant, or nothing.
pub(crate) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match nearest(name, known) {
        Some((near, d)) if d <= (name.chars().count() / 3).max(2) => format!("; nearest is `{near}`"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, d) in [
            ("", "", 0),
            ("a", "", 1),
            ("ip4-lookup", "ip4-lookup", 0),
            ("ip4-lokup", "ip4-lookup", 1),
            ("ip4-loopkup", "ip4-lookup", 1),
            ("ip4-olokup", "ip4-lookup", 1),
            ("ip4-lookpu2", "ip4-lookup", 2),
            ("abc", "xyz", 3),
        ] {
            assert_eq!(distance(a, b), d, "{a} {b}");
            assert_eq!(distance(b, a), d, "{b} {a}");
        }
    }

    #[test]
    fn only_a_near_name_is_a_hint() {
        assert_eq!(hint("ip4-lokup", ["ip4-lookup", "ip6-lookup"]), "; nearest is `ip4-lookup`");
        assert_eq!(hint("my-own-node", ["drop"]), "");
        assert_eq!(hint("x", []), "");
    }
}
