package palyra.sandbox.internal.output;

/**
 * How much of the output of commands is kept in files.
 *
 * @param callBytes most bytes of one command, both streams together
 * @param agentBytes most bytes of all commands of an agent
 * @param files most files of an agent
 * @param maxAgeMillis how long a file is kept, in milliseconds
 */
public record OutputBounds(long callBytes, long agentBytes, int files, long maxAgeMillis) {
    /** One command of an agent leaves room for others. */
    private static final int SHARES = 4;

    long shareOfCall() {
        return Math.min(callBytes, agentBytes / SHARES);
    }
}
