/** The vault, by the number of secrets that it keeps. */
package palyra.bench.vault;
