/**
 * Runs WebAssembly by wasmtime in a process of its own under Tier B. {@code gateway} is the
 * gateway's side, {@code worker} the program in the other process, {@code protocol} the frames
 * between them.
 */
package palyra.skills.engine.wasmtime.internal;
