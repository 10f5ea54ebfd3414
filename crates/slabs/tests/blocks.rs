//! Blocks do not overlap, are aligned, keep their contents, and are reused.

use std::alloc::{GlobalAlloc, Layout};
use std::collections::HashSet;
use std::sync::mpsc;

use proptest::prelude::*;
use torchgen_slabs::Slabs;

/// A block that this test owns, every byte of it `fill`. Dropping it frees it.
struct Block {
    at: *mut u8,
    layout: Layout,
    fill: u8,
}

// SAFETY: a block has a single owner.
unsafe impl Send for Block {}

impl Block {
    fn new(layout: Layout, fill: u8, zeroed: bool) -> Block {
        // SAFETY: the layouts in this test are not empty.
        let at = unsafe { if zeroed { Slabs.alloc_zeroed(layout) } else { Slabs.alloc(layout) } };
        assert!(!at.is_null() && at.addr().is_multiple_of(layout.align()), "{layout:?}");
        let mut block = Block { at, layout, fill: 0 };
        assert!(!zeroed || block.is_whole(layout.size()), "{layout:?} is not zero");
        block.fill(fill);
        block
    }

    fn fill(&mut self, fill: u8) {
        self.fill = fill;
        // SAFETY: the block has this size.
        unsafe { self.at.write_bytes(fill, self.layout.size()) };
    }

    /// Whether the first `len` bytes still have their value.
    fn is_whole(&self, len: usize) -> bool {
        // SAFETY: the whole block was written.
        unsafe { std::slice::from_raw_parts(self.at, len) }.iter().all(|byte| *byte == self.fill)
    }

    fn resize(&mut self, size: usize) {
        let kept = size.min(self.layout.size());
        // SAFETY: the block has this layout, and the new size is not zero.
        self.at = unsafe { Slabs.realloc(self.at, self.layout, size) };
        assert!(!self.at.is_null());
        self.layout = Layout::from_size_align(size, self.layout.align()).expect("a layout of a fitting size");
        assert!(self.at.addr().is_multiple_of(self.layout.align()) && self.is_whole(kept), "{:?}", self.layout);
        self.fill(self.fill);
    }

    fn bytes(&self) -> std::ops::Range<usize> {
        self.at.addr()..self.at.addr() + self.layout.size()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.is_whole(self.layout.size()), "{:?} was written to", self.layout);
        // SAFETY: the block was allocated with this layout, and is freed once.
        unsafe { Slabs.dealloc(self.at, self.layout) };
    }
}

#[derive(Debug, Clone)]
enum Step {
    Take {
        size: usize,
        align: usize,
        zeroed: bool,
    },
    Resize {
        which: prop::sample::Index,
        size: usize,
    },
    Give {
        which: prop::sample::Index,
    },
    /// A block goes to another thread, which frees it and sends one of its own.
    Trade {
        which: prop::sample::Index,
        size: usize,
    },
}

/// Sizes near the limits between classes, and between slabs and the system.
fn size() -> impl Strategy<Value = usize> {
    let borders =
        prop::sample::select(vec![1, 15, 16, 17, 1008, 1023, 1024, 1025, 1280, 1281, 2048, 2049, 16_384, 16_385]);
    prop_oneof![4 => 1..300usize, 2 => 1..20_000usize, 2 => borders, 1 => 1..2_000_000usize]
}

fn step() -> impl Strategy<Value = Step> {
    let align = prop::sample::select(vec![1usize, 2, 4, 8, 16, 32, 64, 4096]);
    let which = any::<prop::sample::Index>;
    prop_oneof![
        4 => (size(), align, any::<bool>()).prop_map(|(size, align, zeroed)| Step::Take { size, align, zeroed }),
        2 => (which(), size()).prop_map(|(which, size)| Step::Resize { which, size }),
        3 => which().prop_map(|which| Step::Give { which }),
        1 => (which(), size()).prop_map(|(which, size)| Step::Trade { which, size }),
    ]
}

fn are_apart(blocks: &[Block]) -> bool {
    let mut ranges: Vec<_> = blocks.iter().map(Block::bytes).collect();
    ranges.sort_by_key(|range| range.start);
    ranges.windows(2).all(|pair| pair[0].end <= pair[1].start)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_order_of_taking_and_giving(steps in prop::collection::vec(step(), 1..300)) {
        let (to_other, from_here) = mpsc::channel::<(Block, usize)>();
        let (to_here, from_other) = mpsc::channel::<Block>();
        let other = std::thread::spawn(move || {
            let mut own = Vec::new();
            for (block, size) in from_here {
                drop(block);
                own.push(Block::new(Layout::from_size_align(size, 8).unwrap(), 0xa5, false));
                let sent = if own.len() > 3 { own.swap_remove(0) } else { own.pop().unwrap() };
                if to_here.send(sent).is_err() {
                    return;
                }
            }
        });
        let mut blocks: Vec<Block> = Vec::new();
        for (at, step) in steps.into_iter().enumerate() {
            match step {
                Step::Take { size, align, zeroed } => {
                    blocks.push(Block::new(Layout::from_size_align(size, align).unwrap(), at as u8, zeroed));
                }
                Step::Resize { which, size } if !blocks.is_empty() => {
                    let which = which.index(blocks.len());
                    blocks[which].resize(size);
                }
                Step::Give { which } if !blocks.is_empty() => drop(blocks.swap_remove(which.index(blocks.len()))),
                Step::Trade { which, size } if !blocks.is_empty() => {
                    to_other.send((blocks.swap_remove(which.index(blocks.len())), size)).unwrap();
                    blocks.push(from_other.recv().unwrap());
                }
                _ => {}
            }
            prop_assert!(at % 16 != 0 || are_apart(&blocks));
        }
        prop_assert!(are_apart(&blocks));
        drop(to_other);
        other.join().unwrap();
    }
}

/// Freed blocks are reused before the system is asked for more.
#[test]
fn blocks_are_used_again() {
    let layout = Layout::from_size_align(48, 8).unwrap();
    let take = || (0..5000).map(|_| Block::new(layout, 1, false)).collect::<Vec<_>>();
    let first: HashSet<usize> = take().iter().map(|block| block.at.addr()).collect();
    for _ in 0..10 {
        assert!(take().iter().all(|block| first.contains(&block.at.addr())));
    }
}

/// Blocks outlive the thread that allocated them, and a thread may free blocks of another.
#[test]
fn blocks_outlive_their_thread() {
    let layout = |size| Layout::from_size_align(size, 16).unwrap();
    let taken = std::thread::spawn(move || (1..2000).map(|n| Block::new(layout(n), n as u8, n % 2 == 0)).collect());
    let blocks: Vec<Block> = taken.join().unwrap();
    assert!(are_apart(&blocks) && blocks.iter().all(|block| block.is_whole(block.layout.size())));
    std::thread::spawn(move || drop(blocks)).join().unwrap();
}

/// Growing within a class does not move a block.
#[test]
fn blocks_grow_in_place_within_their_class() {
    let mut block = Block::new(Layout::from_size_align(1025, 8).unwrap(), 7, false);
    let at = block.at;
    block.resize(1280);
    assert_eq!(block.at, at);
    block.resize(1281);
    assert_ne!(block.at, at);
}
