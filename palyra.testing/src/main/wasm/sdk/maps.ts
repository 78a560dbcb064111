// Maps, sets, typed arrays, sorting with functions, string building, 64-bit numbers; the
// incremental garbage collector has to work. Globals are made by a start function.

const primes = new Array<i32>();
const names = new Map<string, i32>();

class Point {
  constructor(
    public x: i32,
    public y: i32,
  ) {}

  key(): string {
    return this.x.toString() + ":" + this.y.toString();
  }
}

for (let n = 2; primes.length < 60; n++) {
  let prime = true;
  for (let i = 0; i < primes.length; i++) prime = prime && n % primes[i] != 0;
  if (prime) primes.push(n);
}

/** Conway's game of life on a set of points. */
function life(rounds: i32): i32 {
  let alive = new Map<string, Point>();
  const start = [1, 0, 2, 1, 0, 2, 1, 2, 2, 2, 10, 10, 11, 10, 12, 10];
  for (let i = 0; i < start.length; i += 2) {
    const point = new Point(start[i], start[i + 1]);
    alive.set(point.key(), point);
  }
  for (let round = 0; round < rounds; round++) {
    const next = new Map<string, Point>();
    const counts = new Map<string, i32>();
    const points = alive.values();
    for (let i = 0; i < points.length; i++) {
      for (let n = 0; n < 9; n++) {
        if (n == 4) continue;
        const near = new Point(points[i].x + (n % 3) - 1, points[i].y + n / 3 - 1);
        const key = near.key();
        const count = counts.has(key) ? counts.get(key) + 1 : 1;
        counts.set(key, count);
        if (count == 3) next.set(key, near);
        if (count == 4) next.delete(key);
        if (count == 2 && alive.has(key)) next.set(key, near);
      }
    }
    alive = next;
  }
  const keys = alive.keys().sort();
  return hash(keys.join(","));
}

function hash(text: string): i32 {
  let value: u64 = 14695981039346656037;
  for (let i = 0; i < text.length; i++) value = (value ^ text.charCodeAt(i)) * 1099511628211;
  return <i32>(value ^ (value >> 32));
}

export function run(): i32 {
  const numbers = new Uint16Array(800);
  let state: u32 = 99;
  for (let i = 0; i < numbers.length; i++) {
    state = state * 22695477 + 1;
    numbers[i] = <u16>(state >> 16);
  }
  numbers.sort((a, b) => (a % 251) - (b % 251) || a - b);
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum = sum * 31 + numbers[i];
  for (let i = 0; i < primes.length; i++) names.set("p" + primes[i].toString(16), i);
  const keys = names.keys().sort();
  for (let i = 0; i < keys.length; i++) sum = sum * 17 + names.get(keys[i]);
  return sum ^ life(5);
}
