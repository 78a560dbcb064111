/** Keeping what is costly to make in the kernel. */
package palyra.sandbox.posix.internal.keep;
