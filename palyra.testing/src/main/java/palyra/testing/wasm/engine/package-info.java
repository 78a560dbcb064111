/**
 * What every engine for WebAssembly must do. Extend {@link
 * palyra.testing.wasm.engine.WasmEngineContract} and, for the same fuel on every engine, {@link
 * palyra.testing.wasm.engine.WasmCorpusContract}. The fixtures beside it are compiled from the
 * {@code .wat} files of the same name by {@code wat2wasm} of wabt.
 */
package palyra.testing.wasm.engine;
