/** Makes metadata calls for confined processes, which no Landlock rule covers. */
package palyra.sandbox.posix.internal.supervise;
