/** Counts what the processes of a command use, and ends them when it is too much. */
package palyra.sandbox.tierc.macos.internal.watch;
