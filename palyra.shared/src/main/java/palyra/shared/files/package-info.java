/** Files that somebody else writes. Copied privately into each bundle that uses it. */
package palyra.shared.files;
