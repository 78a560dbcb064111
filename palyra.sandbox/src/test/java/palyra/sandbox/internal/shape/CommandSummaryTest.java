package palyra.sandbox.internal.shape;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.CallFacts;
import palyra.sandbox.internal.guard.Concern;
import palyra.sandbox.internal.guard.ResolvedCommand;

class CommandSummaryTest {
    private static final Concern INTERPRETER =
            new Concern(Concern.Kind.INTERPRETER, "sandbox.interpreter", "It is one.");

    private static void says(String end, Set<String> hosts, Concern... concerns) {
        CallFacts facts =
                new CallFacts(
                        "/bin/sh", "d1", "/w", "", Set.of(), 0, hosts, Set.of(), Set.of(), Set.of(),
                        Set.of(), Set.of());
        ResolvedCommand command =
                new ResolvedCommand(
                        Path.of("/bin/sh"),
                        "d1",
                        List.of("/bin/sh"),
                        Path.of("/w"),
                        Path.of("/w"),
                        true,
                        facts,
                        List.of(concerns));
        CommandCall call =
                new CommandCall("palyra.process.run", "sh", List.of(), -1, hosts, 0, false, false);
        String summary = CommandSummary.of(call, command, Optional.empty());
        assertTrue(
                summary.endsWith(" It runs only where nothing but the workspace" + end), summary);
    }

    @Test
    void whatIsWithinReachNamesHostsAndProtectedPaths() {
        Concern writes =
                new Concern(
                        Concern.Kind.PROTECTED, "sandbox.protected", "It does.", Set.of("/w/.x"));
        says(" is within reach.", Set.of(), INTERPRETER);
        says(
                " and the hosts that it is allowed are within reach.",
                Set.of("a.test:443"),
                INTERPRETER);
        says(
                ", with the protected paths that it writes, is within reach.",
                Set.of(),
                writes,
                INTERPRETER);
    }
}
