/** Tries to get out of sandboxes: the same commands for every backend, and where they run. */
package palyra.sandbox.abuse;
