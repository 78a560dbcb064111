/** Folders that are held open, and operations relative to them. */
package palyra.sandbox.posix.internal.folder;
