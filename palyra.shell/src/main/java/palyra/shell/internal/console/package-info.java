/** Commands about accounts and sessions of the console. */
package palyra.shell.internal.console;
