//! How VPP sorts by "runs before" constraints: init functions, and the features of an arc.

/// Item `.0` must come before item `.1`.
pub(crate) type Constraint = (usize, usize);

/// Puts `n` items in VPP's order, or tells the items that no order satisfies.
///
/// VPP builds the order from its end: again and again the first item, in the order of the list, that
/// nothing remaining must follow. So items without constraints end up in reverse.
pub(crate) fn sort(n: usize, constraints: &[Constraint]) -> Result<Vec<usize>, Vec<usize>> {
    let mut followers = vec![Vec::new(); n];
    for &(before, after) in constraints {
        if !followers[before].contains(&after) {
            followers[before].push(after);
        }
    }
    let mut placed = vec![false; n];
    let mut backwards = Vec::with_capacity(n);
    while let Some(item) = (0..n).find(|&i| !placed[i] && followers[i].iter().all(|&f| f != i && placed[f])) {
        placed[item] = true;
        backwards.push(item);
    }
    if backwards.len() < n {
        return Err((0..n).filter(|&i| !placed[i]).collect());
    }
    backwards.reverse();
    Ok(backwards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unconstrained_items_come_in_reverse() {
        assert_eq!(sort(3, &[]), Ok(vec![2, 1, 0]));
    }

    #[test]
    fn constraints_win() {
        assert_eq!(sort(3, &[(0, 1), (1, 2)]), Ok(vec![0, 1, 2]));
        assert_eq!(sort(3, &[(0, 2), (0, 1)]), Ok(vec![0, 2, 1]));
    }

    #[test]
    fn a_cycle_is_told() {
        assert_eq!(sort(4, &[(1, 2), (2, 1)]), Err(vec![1, 2]));
        assert_eq!(sort(1, &[(0, 0)]), Err(vec![0]));
    }
}
