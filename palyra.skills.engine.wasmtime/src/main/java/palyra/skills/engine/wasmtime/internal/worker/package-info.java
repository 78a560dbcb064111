/** The program of the worker: the only code that loads wasmtime. Never runs in the gateway. */
package palyra.skills.engine.wasmtime.internal.worker;
