/** Backups of a running gateway: the command, and the check of a restored state folder. */
package palyra.backup.internal;
