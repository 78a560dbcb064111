/** The form of a backup: a ZIP archive with a manifest, sealed by a passphrase or plain. */
package palyra.backup.internal.archive;
