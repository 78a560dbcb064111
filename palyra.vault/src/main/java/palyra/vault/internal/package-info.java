/** Keeps secrets, lends them by permit, and finds them in text. */
package palyra.vault.internal;
