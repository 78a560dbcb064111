/**
 * The formats of the tape: codec, hash chain, attestations. Copied privately into each bundle that
 * uses it.
 */
package palyra.shared.tape;
