//! Where boxes are: in rows, each below all boxes that have an arrow to it.
//!
//! Invariant: an arrow joins neighbouring rows. One that is longer passes through *bends*, boxes of
//! no width in the rows between.

use std::collections::BTreeSet;

use super::{Arrow, ArrowPart, Graph, Look, Picture, PlacedBox, PlacedLine};

/// How large letters are, as the styles of `kit/graph.svg.j2` have them.
const FONT: i32 = 12;
/// A letter of a font in which all are equally wide, and the space around text.
const LETTER: i32 = 8;
const LINE: i32 = 16;
const PADDING: i32 = 8;
const BETWEEN_BOXES: i32 = 16;
const BETWEEN_ROWS: i32 = 28;
const MARGIN: i32 = 4;
/// The most letters of a line, and the most lines, that a box makes room for.
const MOST: i32 = 10_000;
/// How often rows are put into order, and moved below each other. More changes little.
const ROUNDS: usize = 8;

/// A box, or a bend of an arrow.
struct Item {
    width: i32,
    height: i32,
    row: usize,
    /// The left side.
    x: i32,
    /// The items in the rows above and below that it is joined with.
    above: Vec<usize>,
    below: Vec<usize>,
}

impl Item {
    fn middle(&self) -> i32 {
        self.x + self.width / 2
    }
}

pub(super) fn place(graph: &Graph, words: Vec<String>) -> Picture {
    let rows_of_boxes = rows_of(graph);
    let mut items: Vec<Item> = Vec::new();
    for (each, row) in graph.boxes.iter().zip(&rows_of_boxes) {
        let letters = each.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let [letters, lines] = [letters, each.lines.len()].map(|count| i32::try_from(count).unwrap_or(MOST).min(MOST));
        let (width, height) = (letters * LETTER + 2 * PADDING, lines * LINE + PADDING);
        items.push(Item { width, height, row: *row, x: 0, above: Vec::new(), below: Vec::new() });
    }
    let chains: Vec<Vec<usize>> = graph.arrows.iter().map(|arrow| chain(*arrow, &mut items)).collect();
    let count = items.iter().map(|item| item.row + 1).max().unwrap_or(0);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut seen = vec![false; items.len()];
    let mut left = MARGIN;
    // Parts that nothing joins are beside each other.
    for number in 0..items.len() {
        if seen[number] {
            continue;
        }
        let mut own = vec![Vec::new(); count];
        // As the arrows into the lowest boxes come, so that a tree has no crossing.
        for lowest in joined_with(number, &items).into_iter().filter(|each| items[*each].below.is_empty()) {
            visit(lowest, &items, &mut seen, &mut own);
        }
        put_in_order(&items, &mut own);
        move_sideways(&mut items, &own);
        let all: Vec<usize> = own.concat();
        let shift = left - all.iter().map(|each| items[*each].x).min().unwrap_or(left);
        all.iter().for_each(|each| items[*each].x += shift);
        left = all.iter().map(|each| items[*each].x + items[*each].width).max().unwrap_or(left) + BETWEEN_BOXES;
        rows.iter_mut().zip(own).for_each(|(row, own)| row.extend(own));
    }
    let mut tops = vec![MARGIN];
    for row in &rows {
        let height = row.iter().map(|number| items[*number].height).max().unwrap_or(0);
        tops.push(tops[tops.len() - 1] + height + BETWEEN_ROWS);
    }
    let top = |number: usize| tops[items[number].row];
    let boxes = graph.boxes.iter().enumerate().map(|(number, each)| {
        let Item { x, width, height, .. } = items[number];
        let line = |(at, text): (i32, &String)| PlacedLine {
            y: top(number) + PADDING / 2 + at * LINE + FONT,
            text: text.clone(),
        };
        let lines = (0..).zip(&each.lines).map(line).collect();
        PlacedBox { look: each.look, x, y: top(number), width, height, middle: items[number].middle(), lines }
    });
    let arrows = chains.iter().map(|chain| {
        let parts = chain.windows(2).map(|pair| {
            let (from, to) = (pair[0], pair[1]);
            let (start, end) = (top(from) + items[from].height, top(to));
            let half = (start + end) / 2;
            ArrowPart { from: (items[from].middle(), start), to: (entry(from, to, &items, graph), end), half }
        });
        Arrow { parts: parts.collect() }
    });
    let bottoms = (0..items.len()).map(|number| top(number) + items[number].height);
    Picture {
        width: items.iter().map(|item| item.x + item.width).max().unwrap_or(0) + MARGIN,
        height: bottoms.max().unwrap_or(0) + MARGIN,
        boxes: boxes.collect(),
        arrows: arrows.collect(),
        words,
    }
}

/// The row of each box: as low as the boxes below it allow. A box that leads to itself has any.
fn rows_of(graph: &Graph) -> Vec<usize> {
    // How many rows are below it.
    let mut below = vec![0; graph.boxes.len()];
    for _ in 0..graph.boxes.len() {
        let mut changed = false;
        for (from, to) in &graph.arrows {
            if below[*from] <= below[*to] && from != to {
                below[*from] = below[*to] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let most = below.iter().max().copied().unwrap_or(0);
    below.iter().map(|own| most - own).collect()
}

/// The items that an arrow passes through; its bends are added.
fn chain((from, to): (usize, usize), items: &mut Vec<Item>) -> Vec<usize> {
    let mut chain = vec![from];
    for row in items[from].row + 1..items[to].row {
        items.push(Item { width: 0, height: 0, row, x: 0, above: Vec::new(), below: Vec::new() });
        chain.push(items.len() - 1);
    }
    chain.push(to);
    // An arrow that closes a circle leads upwards.
    if items[from].row >= items[to].row {
        return chain;
    }
    for pair in chain.windows(2) {
        items[pair[0]].below.push(pair[1]);
        items[pair[1]].above.push(pair[0]);
    }
    chain
}

/// The items that lines join with one, in their order.
fn joined_with(number: usize, items: &[Item]) -> Vec<usize> {
    let mut found = BTreeSet::from([number]);
    let mut open = vec![number];
    while let Some(number) = open.pop() {
        let joined = items[number].above.iter().chain(&items[number].below);
        open.extend(joined.filter(|each| found.insert(**each)));
    }
    found.into_iter().collect()
}

/// Adds an item to its row, after all that lead to it.
fn visit(number: usize, items: &[Item], seen: &mut [bool], rows: &mut [Vec<usize>]) {
    // Its own stack, since a graph may be as deep as its author likes.
    let mut open = vec![(number, 0)];
    while let Some((number, next)) = open.pop() {
        if next == 0 && std::mem::replace(&mut seen[number], true) {
            continue;
        }
        match items[number].above.get(next) {
            Some(above) => open.extend([(number, next + 1), (*above, 0)]),
            None => rows[items[number].row].push(number),
        }
    }
}

/// Puts each row into the order of what it is joined with, as long as fewer lines cross.
fn put_in_order(items: &[Item], rows: &mut Vec<Vec<usize>>) {
    let mut best = rows.clone();
    let mut fewest = crossings(items, rows);
    for round in 0..ROUNDS {
        if fewest == 0 {
            break;
        }
        let downwards = round % 2 == 0;
        let count = rows.len();
        let order: Vec<usize> =
            if downwards { (1..count).collect() } else { (0..count.saturating_sub(1)).rev().collect() };
        for row in order {
            let other = places(items, &rows[if downwards { row - 1 } else { row + 1 }]);
            let own = places(items, &rows[row]);
            let key = |number: &usize| {
                let item = &items[*number];
                let joined = if downwards { &item.above } else { &item.below };
                let sum: usize = joined.iter().map(|each| other[*each]).sum();
                // In thousandths, since places are whole numbers.
                sum.checked_mul(1000).and_then(|sum| sum.checked_div(joined.len())).unwrap_or(own[*number] * 1000)
            };
            rows[row].sort_by_key(key);
        }
        let now = crossings(items, rows);
        if now < fewest {
            (fewest, best) = (now, rows.clone());
        }
    }
    *rows = best;
}

/// The place of each item in this row; zero for others.
fn places(items: &[Item], row: &[usize]) -> Vec<usize> {
    let mut places = vec![0; items.len()];
    row.iter().enumerate().for_each(|(at, number)| places[*number] = at);
    places
}

/// How many pairs of lines cross.
fn crossings(items: &[Item], rows: &[Vec<usize>]) -> usize {
    let mut count = 0;
    for pair in rows.windows(2) {
        let lower = places(items, &pair[1]);
        let mut before: Vec<usize> = Vec::new();
        for number in &pair[0] {
            let own: Vec<usize> = items[*number].below.iter().map(|below| lower[*below]).collect();
            count += own.iter().map(|place| before.iter().filter(|earlier| *earlier > place).count()).sum::<usize>();
            before.extend(own);
        }
    }
    count
}

/// Moves items to the middle of what they are joined with, in their order and without overlaps.
fn move_sideways(items: &mut [Item], rows: &[Vec<usize>]) {
    rows.iter().for_each(|row| keep_apart(items, row));
    for round in 0..2 * ROUNDS {
        let downwards = round % 2 == 0;
        for at in 0..rows.len() {
            let row = if downwards { at } else { rows.len() - 1 - at };
            for number in &rows[row] {
                let item = &items[*number];
                let joined = if downwards { &item.above } else { &item.below };
                let middles: i32 = joined.iter().map(|each| items[*each].middle()).sum();
                if let Some(middle) = i32::try_from(joined.len()).ok().and_then(|count| middles.checked_div(count)) {
                    items[*number].x = middle - item.width / 2;
                }
            }
            keep_apart(items, &rows[row]);
        }
    }
}

/// Moves the items of a row apart where they overlap, half to each side.
fn keep_apart(items: &mut [Item], row: &[usize]) {
    let wanted: Vec<i32> = row.iter().map(|number| items[*number].x).collect();
    for pair in row.windows(2) {
        let least = items[pair[0]].x + items[pair[0]].width + BETWEEN_BOXES;
        items[pair[1]].x = items[pair[1]].x.max(least);
    }
    let moved: i32 = row.iter().zip(&wanted).map(|(number, wanted)| items[*number].x - wanted).sum();
    let count = i32::try_from(row.len()).unwrap_or(i32::MAX);
    row.iter().for_each(|number| items[*number].x -= moved.checked_div(count).unwrap_or(0));
}

/// Where a line enters an item: lines from several share its upper side.
fn entry(from: usize, to: usize, items: &[Item], graph: &Graph) -> i32 {
    let item = &items[to];
    let is_text = graph.boxes.get(to).is_some_and(|own| own.look == Look::Word);
    let mut above = item.above.clone();
    above.sort_by_key(|each| (items[*each].middle(), *each));
    let place = above.iter().position(|each| *each == from).unwrap_or(0);
    let [place, count] = [place, above.len()].map(|count| i32::try_from(count).unwrap_or(0));
    if is_text { item.middle() } else { item.x + item.width * (2 * place + 1) / (2 * count).max(1) }
}
