/**
 * Runs WebAssembly by wasmtime in a process of its own under Tier B. {@code gate} is the gateway's
 * side, {@code worker} the program in the other process, {@code wire} what they say to each other.
 */
package palyra.skills.engine.wasmtime.internal;
