/** Being written. */
package palyra.sandbox.internal.workspace;
