/** Starts a process: descriptors, limits, and posix_spawn(3) itself. */
package palyra.sandbox.posix.internal.spawn;
