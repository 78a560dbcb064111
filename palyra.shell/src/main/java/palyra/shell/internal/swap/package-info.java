/**
 * Replacing a bundle while everything runs: checked before, watched after, undone when health does
 * not return.
 */
package palyra.shell.internal.swap;
