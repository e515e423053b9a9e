//! The nearest valid word for one that is not.

/// The word that was probably meant, if one is near enough.
pub fn nearest<'a>(written: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    valid
        .into_iter()
        .map(|word| (distance(&written.to_lowercase(), &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= word.len().max(written.len()).div_ceil(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// How many letters must be added, removed, changed or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // Rows of the usual table; `before` is needed for swaps.
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = last[j] + usize::from(a[i] != b[j]);
            let mut best = change.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                let swapped: &Vec<usize> = &before;
                best = best.min(swapped[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_find_their_word() {
        let keys = ["name", "next", "errors", "trace", "crate"];
        for (written, meant) in
            [("nmae", "name"), ("Name", "name"), ("error", "errors"), ("tracing", "trace"), ("nxt", "next")]
        {
            assert_eq!(nearest(written, keys), Some(meant), "{written}");
        }
    }

    #[test]
    fn strangers_find_none() {
        assert_eq!(nearest("instances", ["name", "next", "errors"]), None);
        assert_eq!(nearest("x", ["description"]), None);
        assert_eq!(nearest("anything", []), None);
    }

    #[test]
    fn a_swap_is_one_step() {
        assert_eq!(distance("nmae", "name"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
    }
}
