//! Finds what each error of a compiler is about.

/// The errors by place, or the one after which the others mean nothing.
pub(crate) type Placed = Result<Vec<(String, String)>, (String, String)>;

/// The errors of a compiler by the places of their lines, or the last one before an error of no
/// place. Warnings are not errors.
///
/// # Panics
///
/// If the first error is of no place.
pub(crate) fn errors_by_place(said: &str, place: &dyn Fn(&str) -> Option<String>) -> Placed {
    let lines: Vec<&str> = said.lines().collect();
    let is_warning = |line: &str| line.contains("[-Werror") && place(line).is_some();
    let is_error = |line: &&str| line.contains(" error: ") && !is_warning(line);
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate().filter(|(_, line)| is_error(line)) {
        // clang++ says after an error in a template what uses it, other compilers before.
        let is_other = |line: &&&str| !line.contains(" error: ");
        let after = lines[i + 1..].iter().take_while(is_other).filter(|line| line.contains(" note: "));
        let before = lines[..i].iter().rev().take_while(is_other).filter(|line| line.contains("required from"));
        let of = place(line).or_else(|| after.chain(before).find_map(|line| place(line)));
        let message = line.split_once(" error: ").map_or("", |(_, message)| message);
        let of = of.filter(|_| !message.contains("definition is not allowed here"));
        match (of, found.last()) {
            (Some(of), _) => found.push((of, message.to_owned())),
            (None, Some(last)) => return Err(last.clone()),
            (None, None) => panic!("an error of no place: {line}\n{said}"),
        }
    }
    Ok(found)
}
