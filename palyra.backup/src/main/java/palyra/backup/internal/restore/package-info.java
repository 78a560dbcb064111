/** The restoration of a backup into an empty state folder, without a gateway. */
package palyra.backup.internal.restore;
