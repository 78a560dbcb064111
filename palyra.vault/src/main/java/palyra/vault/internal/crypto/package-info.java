/** How values and keys are encrypted. Pure. */
package palyra.vault.internal.crypto;
