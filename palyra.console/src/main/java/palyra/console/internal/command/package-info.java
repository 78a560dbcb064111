/** Commands of the shell as the console runs them. */
package palyra.console.internal.command;
