//! Boxes stay apart, inputs are above what uses them, and lines of trees do not cross.

use super::*;

fn graph(count: usize, arrows: &[(usize, usize)]) -> Picture {
    let mut graph = Graph::default();
    (0..count).for_each(|number| {
        graph.add(Look::Node, vec![format!("{number}")]);
    });
    arrows.iter().for_each(|(from, to)| graph.connect(*from, *to));
    graph.picture(Vec::new())
}

/// What holds for each picture.
fn check(picture: &Picture) {
    for (at, each) in picture.boxes.iter().enumerate() {
        assert!(each.x >= 0 && each.x + each.width <= picture.width, "{picture:?}");
        assert!(each.y >= 0 && each.y + each.height <= picture.height, "{picture:?}");
        for other in &picture.boxes[at + 1..] {
            let beside = each.x + each.width < other.x || other.x + other.width < each.x;
            let below = each.y + each.height < other.y || other.y + other.height < each.y;
            assert!(beside || below, "{each:?} and {other:?} overlap");
        }
    }
}

#[test]
fn an_input_is_above_what_uses_it() {
    let picture = graph(3, &[(1, 0), (2, 0)]);
    check(&picture);
    let [below, left, right] = [0, 1, 2].map(|number| &picture.boxes[number]);
    assert!(left.y == right.y && left.y + left.height < below.y && left.x < right.x);
    assert_eq!(below.middle * 2, left.middle + right.middle);
}

#[test]
fn parts_that_nothing_joins_are_beside_each_other() {
    let picture = graph(6, &[(0, 1), (0, 2), (3, 4), (3, 5)]);
    check(&picture);
    let right = picture.boxes[..3].iter().map(|each| each.x + each.width).max();
    let left = picture.boxes[3..].iter().map(|each| each.x).min();
    assert_eq!(right.map(|right| right + 16), left);
}

#[test]
fn long_arrows_go_around_boxes() {
    // 0 -> 1 -> 2 -> 3, and 0 -> 3.
    let picture = graph(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]);
    check(&picture);
    let long = &picture.arrows[3];
    assert_eq!(long.parts.len(), 3);
    for part in &long.parts[..2] {
        let inside = |each: &PlacedBox| each.y <= part.to.1 && part.to.1 <= each.y + each.height;
        for each in picture.boxes.iter().filter(|each| inside(each)) {
            assert!(part.to.0 < each.x || part.to.0 > each.x + each.width, "{part:?} is in {each:?}");
        }
    }
}

#[test]
fn trees_have_no_crossings() {
    // A complete tree, whose boxes come in a mixed order.
    let arrows: Vec<(usize, usize)> = (1..31).map(|number| (number, (number - 1) / 2)).collect();
    let picture = graph(31, &arrows);
    check(&picture);
    for (one, first) in picture.arrows.iter().enumerate() {
        for second in &picture.arrows[one + 1..] {
            let (a, b) = (&first.parts[0], &second.parts[0]);
            let crosses = a.from.1 == b.from.1 && (a.from.0 < b.from.0) != (a.to.0 <= b.to.0) && a.to != b.to;
            assert!(!crosses, "{a:?} crosses {b:?}");
        }
    }
}

#[test]
fn any_graph_has_a_picture() {
    check(&graph(0, &[]));
    check(&graph(1, &[(0, 0)]));
    check(&graph(3, &[(0, 1), (1, 2), (2, 0)]));
    // A source of random numbers.
    let mut state = 1_u64;
    let mut random = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % most
    };
    for _ in 0..300 {
        let count = 1 + random(12);
        let arrows: Vec<_> = (0..random(20)).map(|_| (random(count), random(count))).collect();
        let picture = graph(count, &arrows);
        check(&picture);
        assert_eq!(picture, graph(count, &arrows));
    }
}
