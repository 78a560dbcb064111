package palyra.sandbox.internal.shape;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.core.access.CallFacts;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.sandbox.internal.guard.GuardVerdict;
import palyra.sandbox.internal.guard.ResolvedCommand;

/**
 * Marks commands by their surroundings and by the table of known commands: {@code !runs-programs}
 * when git would run programs of its repository, {@code !unknown} when no row says what program and
 * options do. The marks are facts of the call, so that an answer does not hold once they change.
 * Reads files and changes nothing.
 */
public final class CommandMarks {
    /** Nothing is known about this form of the command; it may start other programs. */
    static final String UNKNOWN = "!unknown";

    private CommandMarks() {}

    /** Says that the call asks to reach hosts; see the guard. */
    private static final String NETWORK = "!network";

    /** Returns a verdict without the mark of a network when an operator allows all hosts anyway. */
    public static GuardVerdict withUsualHosts(
            List<AllowedHost> usual, Set<String> requested, GuardVerdict verdict) {
        boolean all =
                !requested.isEmpty()
                        && requested.stream()
                                .map(AllowedHost::parse)
                                .allMatch(one -> usual.stream().anyMatch(each -> each.covers(one)));
        if (!all || !(verdict instanceof GuardVerdict.Accepted accepted)) {
            return verdict;
        }
        Set<String> flags = new TreeSet<>(accepted.command().facts().flags());
        flags.remove(NETWORK);
        return new GuardVerdict.Accepted(with(flags, accepted.command()));
    }

    /** Returns a verdict with the marks of its command. */
    public static GuardVerdict marked(
            CommandRows rows, String name, List<String> arguments, GuardVerdict verdict) {
        return switch (verdict) {
            case GuardVerdict.Accepted accepted ->
                    new GuardVerdict.Accepted(marked(rows, name, arguments, accepted.command()));
            case GuardVerdict.Refused refused -> refused;
        };
    }

    private static ResolvedCommand marked(
            CommandRows rows, String name, List<String> arguments, ResolvedCommand command) {
        Set<String> flags = new TreeSet<>(command.facts().flags());
        if (GitState.runsPrograms(name, arguments, command)) {
            flags.add(GitState.MARK);
        }
        if (CommandForm.of(rows, name, arguments, command).isEmpty()) {
            flags.add(UNKNOWN);
        }
        return flags.equals(command.facts().flags()) ? command : with(flags, command);
    }

    private static ResolvedCommand with(Set<String> flags, ResolvedCommand command) {
        CallFacts facts = command.facts();
        return new ResolvedCommand(
                command.program(),
                command.programSha256(),
                command.argv(),
                command.workspace(),
                command.workingFolder(),
                command.interpreter(),
                new CallFacts(
                        facts.executable(),
                        facts.executableSha256(),
                        facts.workingFolder(),
                        facts.subcommand(),
                        flags,
                        facts.argumentCount(),
                        facts.hosts(),
                        facts.ports(),
                        facts.methods(),
                        facts.readPaths(),
                        facts.writePaths(),
                        facts.secrets()),
                command.concerns());
    }
}
