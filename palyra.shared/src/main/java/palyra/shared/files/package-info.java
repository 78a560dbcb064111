/** Files that other programs write. Copied privately into each bundle that uses it. */
package palyra.shared.files;
