/** Restrictions of the kernel: Landlock and seccomp, and what this host has of them. */
package palyra.sandbox.posix.internal.kernel;
