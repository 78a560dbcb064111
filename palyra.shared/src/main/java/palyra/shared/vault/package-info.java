/** How parts of Palyra get at secrets. Copied privately into each bundle that uses it. */
package palyra.shared.vault;
