/**
 * Runs scripts of WebAssembly's official test suite on an engine, through admission and metering.
 */
package palyra.testing.wasm.suite;
