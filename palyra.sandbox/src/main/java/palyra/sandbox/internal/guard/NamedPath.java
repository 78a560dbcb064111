package palyra.sandbox.internal.guard;

/**
 * A path that an argument names.
 *
 * @param path where it leads, absolute
 * @param option the option or key it is the value of; empty for an operand
 * @param position which argument, from 0
 */
record NamedPath(String path, String option, int position) {}
