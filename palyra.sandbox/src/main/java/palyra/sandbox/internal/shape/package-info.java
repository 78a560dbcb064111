/**
 * What a person is told about a proposed call before the answer, and what of it may be allowed for
 * longer than this call. Whatever is not known to be harmless may be allowed for this call only, or
 * for equal calls only.
 */
package palyra.sandbox.internal.shape;
