/** The gateway's side: starts the worker, sends calls to it and runs their host functions. */
package palyra.skills.engine.wasmtime.internal.gateway;
