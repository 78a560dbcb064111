/** Finds values of kept secrets in text, by keyed fingerprints. */
package palyra.vault.internal.known;
