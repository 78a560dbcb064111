package palyra.sandbox.internal.canary;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.sandbox.internal.run.RunOutcome;
import palyra.sandbox.internal.run.RunResult;

/** What went wrong with a command of the battery. Each answer is empty when nothing did. */
final class ProbeChecks {
    /** What a command says at its end. */
    static final String DONE = "canary-done";

    /** What a command says that got what it must not get. */
    static final String ESCAPED = "canary-escaped";

    /** How the sentence begins about a command that did not come to its end. */
    static final String NOT_TRIED = "The probe did not complete: ";

    /** How the sentence begins about a command that could not do what every command may. */
    static final String MUST_WORK = "A permitted operation failed: ";

    /** How the sentence begins about a command whose end was not seen whole. */
    static final String NOT_ENDED = "Its end could not be confirmed: ";

    /** Variables that a sandbox sets itself. */
    private static final Set<String> COMMON =
            Set.of("PATH", "HOME", "TMPDIR", "LANG", "PWD", "OLDPWD", "SHLVL", "_", "USER", "TERM");

    private final Map<String, String> ownEnvironment;

    /**
     * @param ownEnvironment environment of the gateway, nothing of which may show inside
     */
    ProbeChecks(Map<String, String> ownEnvironment) {
        this.ownEnvironment = Map.copyOf(ownEnvironment);
    }

    /** Whether a machine that is very busy is enough to explain what went wrong. */
    static boolean mayBeOverload(String wrong) {
        return wrong.startsWith(NOT_TRIED)
                || wrong.startsWith(MUST_WORK)
                || wrong.startsWith(NOT_ENDED);
    }

    /** Nothing is wrong when the command said this and came to its end. */
    Optional<String> says(RunResult run, CanaryEnvironment at, String word) {
        return text(run).contains(word) ? finished(run, at) : Optional.of(MUST_WORK + brief(run));
    }

    /** Nothing is wrong when the command came to its end and did not get out. */
    Optional<String> finished(RunResult run, CanaryEnvironment at) {
        String text = text(run);
        if (text.contains(ESCAPED) || text.contains(at.secret())) {
            return Optional.of("It got out.");
        }
        return run.outcome() == RunOutcome.OK && text.contains(DONE)
                ? Optional.empty()
                : Optional.of(NOT_TRIED + brief(run));
    }

    /** Nothing is wrong when no variable of the gateway shows besides. */
    Optional<String> environment(RunResult run, CanaryEnvironment at) {
        Set<String> lines = Set.copyOf(text(run).lines().toList());
        for (Map.Entry<String, String> variable : ownEnvironment.entrySet()) {
            if (!COMMON.contains(variable.getKey())
                    && lines.contains(variable.getKey() + "=" + variable.getValue())) {
                return Optional.of("It sees the gateway's variable " + variable.getKey() + ".");
            }
        }
        return finished(run, at);
    }

    /** Returns the beginning of what a command printed. */
    static String text(RunResult run) {
        return new String(run.stdout().beginning(), StandardCharsets.UTF_8);
    }

    private static String brief(RunResult run) {
        String error = new String(run.stderr().beginning(), StandardCharsets.UTF_8).strip();
        String said = error.length() > 200 ? error.substring(0, 200) + "…" : error;
        return run.outcome()
                + (run.problem().isEmpty() ? "" : ", " + run.problem())
                + (said.isEmpty() ? "." : " (" + said + ")");
    }

    /** Returns the size of a file; 0 when it does not exist. */
    static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return Long.MAX_VALUE; // what cannot be looked at is not proved
        }
    }
}
