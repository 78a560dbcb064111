/** Being written. */
package palyra.sandbox.internal.guard;
