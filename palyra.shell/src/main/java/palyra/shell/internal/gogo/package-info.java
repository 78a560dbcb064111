/** The commands on Gogo, and Gogo as a command. Only loaded where Gogo is installed. */
package palyra.shell.internal.gogo;
