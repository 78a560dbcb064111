/** Scoped access to secrets of the vault. Copied privately into each bundle that uses it. */
package palyra.shared.vault;
