package palyra.sandbox.posix.internal.spawn;

/**
 * The {@code ulimit} dialect of this host's {@code /bin/sh}.
 *
 * @param problem one sentence, why it cannot be used; empty when it can
 * @param processFlag option of {@code ulimit} that limits processes; empty when the shell has no
 *     such option
 * @param fileBlock bytes of one unit of {@code ulimit -f}
 * @param bash whether it is bash, which needs {@code execfail} to go on after a failed execution
 */
public record ShellDialect(String problem, String processFlag, int fileBlock, boolean bash) {
    /** The dialect that POSIX defines, for systems without {@code /proc}. */
    static final ShellDialect PORTABLE = new ShellDialect("", "-u", 512, false);

    static ShellDialect unusable(String problem) {
        return new ShellDialect(problem, "", 512, false);
    }

    /** Returns whether stages can be built on it. */
    public boolean usable() {
        return problem.isEmpty();
    }
}
