/** Makes calls for confined processes that no rule of the kernel covers. */
package palyra.sandbox.posix.internal.supervise;
