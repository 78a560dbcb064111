/** Installed versions, their states, and their rows in the ledger. */
package palyra.skills.internal.store;
