/**
 * The summary of a proposed call that approvers see, and the pattern that they may allow for longer
 * than this call. A call that is not known to be harmless may be allowed once only, or for equal
 * calls only.
 */
package palyra.sandbox.internal.shape;
