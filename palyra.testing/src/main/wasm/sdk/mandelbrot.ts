// The Mandelbrot set in f64, 60 by 40 points, and a Julia set in f32; no memory to speak of. Built
// with the stub runtime.

function steps(cx: f64, cy: f64, limit: i32): i32 {
  let x: f64 = 0;
  let y: f64 = 0;
  let n = 0;
  while (n < limit && x * x + y * y <= 4) {
    const next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    n++;
  }
  return n;
}

function julia(x: f32, y: f32, limit: i32): i32 {
  let n = 0;
  while (n < limit && x * x + y * y <= <f32>4) {
    const next = x * x - y * y - <f32>0.8;
    y = <f32>2 * x * y + <f32>0.156;
    x = next;
    n++;
  }
  return n;
}

export function run(): i32 {
  let sum: u32 = 0;
  for (let row = 0; row < 40; row++) {
    for (let column = 0; column < 60; column++) {
      const x: f64 = <f64>column / 32 - 2.2;
      const y: f64 = <f64>row / 24 - 1.3;
      sum = sum * 31 + steps(x, y, 100);
      sum = rotl<u32>(sum, 3) ^ julia(<f32>x, <f32>y, 60);
    }
  }
  return <i32>sum;
}
