/**
 * The protocol of gateway and worker over the worker's standard streams. Uses the JDK only, because
 * the worker has nothing else.
 */
package palyra.skills.engine.wasmtime.internal.protocol;
