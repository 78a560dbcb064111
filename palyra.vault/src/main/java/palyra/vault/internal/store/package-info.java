/** What lies in the vault's folder, and how it changes. */
package palyra.vault.internal.store;
