/** Commands about secrets. A value is never an argument, and shown only where that is the point. */
package palyra.shell.internal.vault;
