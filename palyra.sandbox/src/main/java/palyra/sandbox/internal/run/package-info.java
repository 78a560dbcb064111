/** Runs one command in a sandbox and owns it until nothing of it is left. */
package palyra.sandbox.internal.run;
