//! Hash maps, ordered maps, heaps, sorting, text and formatting of the standard library; the largest
//! of the modules. (Hash maps have fixed keys on this target.)
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::fmt::Write;

fn mix(sum: u64, text: &str) -> u64 {
    text.bytes().fold(sum, |s, b| (s ^ b as u64).wrapping_mul(1099511628211))
}

fn words(count: usize) -> Vec<String> {
    let mut state = 42u64;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            format!("w{:x}", (state >> 33) % 400)
        })
        .collect()
}

fn maps(sum: u64) -> u64 {
    let mut counts: HashMap<String, u32> = HashMap::new();
    for word in words(600) {
        *counts.entry(word).or_insert(0) += 1;
    }
    let mut ordered: BTreeMap<u32, Vec<&String>> = BTreeMap::new();
    for (word, count) in &counts {
        ordered.entry(*count).or_default().push(word);
    }
    let mut text = String::new();
    for (count, found) in ordered.iter_mut().rev() {
        found.sort_unstable();
        write!(text, "{count:>4}:{found:?};").unwrap();
    }
    mix(sum, &text)
}

fn paths(sum: u64) -> u64 {
    const SIDE: usize = 12;
    let cost = |x: usize, y: usize| ((x * 7 + y * 13) % 9 + 1) as i64;
    let mut best = HashMap::from([((0usize, 0usize), 0i64)]);
    let mut heap = BinaryHeap::from([(0i64, (0usize, 0usize))]);
    while let Some((negative, (x, y))) = heap.pop() {
        if best[&(x, y)] < -negative {
            continue;
        }
        for (dx, dy) in [(0, 1), (1, 0), (2, SIDE - 1), (SIDE - 1, 1)] {
            let next = ((x + dx) % SIDE, (y + dy) % SIDE);
            let total = -negative + cost(next.0, next.1);
            if best.get(&next).map_or(true, |known| total < *known) {
                best.insert(next, total);
                heap.push((-total, next));
            }
        }
    }
    let mut all: Vec<_> = best.into_iter().collect();
    all.sort();
    all.iter().fold(sum, |s, ((x, y), c)| s.rotate_left(5) ^ (*x * 31 + *y) as u64 ^ *c as u64)
}

fn queues(sum: u64) -> u64 {
    let mut queue: VecDeque<u64> = (0..64).collect();
    let mut seen = HashSet::new();
    let mut sum = sum;
    for i in 0..1000u64 {
        let one = queue.pop_front().unwrap();
        if seen.insert(one) {
            sum = sum.wrapping_mul(31).wrapping_add(one);
        }
        queue.push_back((one * one + i) % 1009);
        queue.rotate_left((i % 5) as usize);
    }
    sum
}

fn floats(sum: u64) -> u64 {
    let mut text = String::new();
    for i in 1..30 {
        let value = (i as f64).sqrt() / 3.0;
        let read: f64 = format!("{value:.9}").parse().unwrap();
        write!(text, "{value} {value:e} {:.3};", (read - value) * 1e9).unwrap();
    }
    mix(sum, &text)
}

#[no_mangle]
pub extern "C" fn run() -> i32 {
    let sum = floats(queues(paths(maps(14695981039346656037))));
    (sum ^ (sum >> 32)) as i32
}
