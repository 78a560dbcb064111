/** Benchmarks against named peers: run by hand, never in the product. */
package palyra.bench;
