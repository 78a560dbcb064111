/**
 * The command host: finds commands, checks arguments, asks for permission, runs, writes results.
 */
package palyra.shell.internal.host;
