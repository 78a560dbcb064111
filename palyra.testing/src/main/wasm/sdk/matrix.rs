//! Matrices of f64: product, LU with pivots, determinant and solution of a system; the residue must
//! be small. Loops over slices with bounds checks, floats without any NaN.

const N: usize = 40;

type Matrix = Vec<[f64; N]>;

fn make(seed: u32) -> Matrix {
    let mut state = seed;
    let mut made = vec![[0.0; N]; N];
    for row in made.iter_mut() {
        for cell in row.iter_mut() {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            *cell = (state >> 8) as f64 / 65536.0 - 128.0;
        }
    }
    made
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let mut made = vec![[0.0; N]; N];
    for i in 0..N {
        for k in 0..N {
            for j in 0..N {
                made[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    made
}

/// Solves `a x = b` by elimination with pivots; returns x and the sign and exponent of det a.
fn solve(mut a: Matrix, mut b: [f64; N]) -> ([f64; N], i32) {
    let mut exponent = 0;
    for k in 0..N {
        let pivot = (k..N).fold(k, |best, i| if a[i][k].abs() > a[best][k].abs() { i } else { best });
        a.swap(k, pivot);
        b.swap(k, pivot);
        exponent += (a[k][k].abs().to_bits() >> 52) as i32 - 1023;
        for i in k + 1..N {
            let factor = a[i][k] / a[k][k];
            for j in k..N {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    let mut x = [0.0; N];
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| a[i][j] * x[j]).sum();
        x[i] = (b[i] - known) / a[i][i];
    }
    (x, exponent)
}

#[no_mangle]
pub extern "C" fn run() -> i32 {
    let a = product(&make(1), &make(2));
    let mut b = [0.0; N];
    for (i, cell) in b.iter_mut().enumerate() {
        *cell = a[i].iter().enumerate().map(|(j, value)| value * (j % 7) as f64).sum();
    }
    let (x, exponent) = solve(a, b);
    let wrong = x.iter().enumerate().filter(|(j, v)| (**v - (j % 7) as f64).abs() > 1e-4).count();
    let bits = x.iter().fold(0u64, |s, v| s.rotate_left(7) ^ v.to_bits());
    if wrong > 0 {
        return -1;
    }
    (bits ^ (bits >> 32)) as i32 ^ exponent
}
