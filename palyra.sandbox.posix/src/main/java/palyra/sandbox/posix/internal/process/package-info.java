/** The lifecycle of a process: start, streams, status, kill, clean-up. */
package palyra.sandbox.posix.internal.process;
