/** Sandboxed processes: how fast they start, talk and end, beside the same without a sandbox. */
package palyra.bench.sandbox;
