package palyra.shell.internal.host;

import palyra.api.command.CommandArguments;

/**
 * An argument list that was checked against a spec.
 *
 * @param help whether help was asked for; the arguments are not checked then
 * @param json whether JSON was asked for
 * @param verbose whether details of defects were asked for
 */
record ParsedLine(CommandArguments arguments, boolean help, boolean json, boolean verbose) {}
