/** Folders that are held open, and what is made in them. */
package palyra.sandbox.posix.internal.folder;
