//! A program that allocates from slabs: threads, growing collections, large and aligned values.

use std::collections::{BTreeMap, HashMap};

use torchgen_slabs::Slabs;

#[global_allocator]
static ALLOCATOR: Slabs = Slabs;

#[derive(Clone, PartialEq, Debug)]
#[repr(align(64))]
struct Aligned(u64);

fn work(seed: u64) -> (usize, u64) {
    let mut strings: HashMap<u64, String> = HashMap::new();
    let mut lists: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut state = seed;
    for _ in 0..20_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let key = state >> 56;
        strings.entry(key).or_default().push_str(&format!("{state:x},"));
        lists.entry(key).or_default().push(state);
        if state.is_multiple_of(97) {
            let gone = strings.remove(&key).unwrap_or_default();
            let kept = lists.remove(&key).unwrap_or_default();
            let parts: Vec<String> = kept.iter().map(|value| format!("{value:x}")).collect();
            assert_eq!(gone.split_terminator(',').collect::<Vec<_>>(), parts);
        }
    }
    (strings.values().map(String::len).sum(), state)
}

#[test]
fn a_program_runs_on_slabs() {
    let alone: Vec<_> = (1..9).map(work).collect();
    let threads: Vec<_> = (1..9).map(|seed| std::thread::spawn(move || work(seed))).collect();
    let together: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert_eq!(alone, together);
}

#[test]
fn aligned_and_zeroed_and_large() {
    let aligned: Vec<Box<Aligned>> = (0..1000).map(|n| Box::new(Aligned(n))).collect();
    assert!(aligned.iter().enumerate().all(|(n, value)| **value == Aligned(n as u64)));
    assert!(aligned.iter().all(|value| std::ptr::from_ref(&**value).addr().is_multiple_of(64)));
    for size in [1, 100, 5000, 3_000_000] {
        let mut zeroed = vec![0u8; size];
        assert!(zeroed.iter().all(|byte| *byte == 0));
        zeroed.fill(0xff);
    }
}

/// A thread-local value is dropped when its thread ends, perhaps after the thread's lists.
#[test]
fn values_of_threads_are_dropped_last() {
    thread_local! {
        static KEPT: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    for _ in 0..50 {
        let thread = std::thread::spawn(|| {
            KEPT.with_borrow_mut(|kept| kept.extend((0..100).map(|n| "x".repeat(n))));
            KEPT.with_borrow(|kept| kept.iter().map(String::len).sum::<usize>())
        });
        assert_eq!(thread.join().unwrap(), 4950);
    }
}
