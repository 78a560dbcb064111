/**
 * Putting bundles in and out of a running framework, and seeing whether all is well afterwards.
 * Copied privately into each bundle that uses it. Needs the JDK and the framework only: a worker
 * must be able to go on when the bundle that it came from is gone.
 */
package palyra.shared.bundles;
