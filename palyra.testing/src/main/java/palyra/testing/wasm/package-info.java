/**
 * Modules of WebAssembly for tests: written instruction by instruction, generated from a seed, and
 * a corpus on which engines are compared. The contract of engines, engines' own tests and
 * benchmarks use it.
 */
package palyra.testing.wasm;
