/** The commands that come with Palyra, one small class each. */
package palyra.shell.internal.commands;
