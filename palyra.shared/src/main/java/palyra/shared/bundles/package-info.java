/**
 * Installing and updating bundles of a running framework, and checking its health afterwards.
 * Copied privately into each bundle that uses it. Needs the JDK and the framework only: a worker
 * must be able to go on when the bundle that it came from is gone.
 */
package palyra.shared.bundles;
