package palyra.shell.internal.host;

/**
 * A command that asks for permission again for each thing it touches, with its owner. Before it
 * runs, the shell asks only whether the caller may do that to what is its own.
 */
public interface AsksForEach {}
