package palyra.testing.sandbox;

/**
 * A command that must not succeed in a sandbox.
 *
 * @param id as in the acceptance list
 * @param command for {@code sh -c}; exit code 0 means that it worked, unless there is a host check
 * @param hostCheck run outside afterwards, exit code 0 means that it worked; empty for none
 * @param control a command that must succeed outside, so that a failure inside means something;
 *     empty for the command itself, {@code -} for none: the system refuses it without a sandbox too
 */
public record Abuse(String id, String command, String hostCheck, String control) {
    static Abuse of(String id, String command) {
        return new Abuse(id, command, "", "");
    }

    static Abuse of(String id, String command, String control) {
        return new Abuse(id, command, "", control);
    }
}
