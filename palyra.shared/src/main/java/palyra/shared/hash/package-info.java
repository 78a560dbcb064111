/** Identifiers and digests. Copied privately into each bundle that uses it. */
package palyra.shared.hash;
