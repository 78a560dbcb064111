/**
 * Runs WebAssembly in the gateway's JVM. {@link palyra.skills.engine.endive.internal.EndiveEngine}
 * is the whole of it without OSGi; modules become classes in {@code code}, calls run in {@code
 * run}.
 */
package palyra.skills.engine.endive.internal;
