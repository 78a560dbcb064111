package palyra.sandbox.posix.internal.spawn;

/**
 * How this host's {@code /bin/sh} is spoken to.
 *
 * @param problem one sentence, why it cannot be used; empty when it can
 * @param processFlag option of {@code ulimit} that limits processes; empty when it has none
 * @param fileBlock bytes of one unit of {@code ulimit -f}
 * @param bash whether it is bash, which needs to be told not to end when an execution fails
 */
public record ShellDialect(String problem, String processFlag, int fileBlock, boolean bash) {
    /** What POSIX promises, for systems where nothing can be observed. */
    static final ShellDialect PORTABLE = new ShellDialect("", "-u", 512, false);

    static ShellDialect unusable(String problem) {
        return new ShellDialect(problem, "", 512, false);
    }

    /** Returns whether stages can be built on it. */
    public boolean usable() {
        return problem.isEmpty();
    }
}
