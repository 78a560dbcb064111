/** The files in the vault's folder, and how they change. */
package palyra.vault.internal.store;
