package palyra.sandbox.internal.canary;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import palyra.api.core.access.Confinement.Egress;
import palyra.sandbox.internal.run.RunResult;

/**
 * One command that tries to get out, or that must work.
 *
 * @param id name in reports; constant
 * @param egress mode in which it is tried
 * @param argv the command; its program is an absolute real path
 * @param wallMillis time that it may take
 * @param required whether a sandbox that enforces this is held to it
 * @param verdict what went wrong, one sentence; empty when all is well
 */
record Probe(
        String id,
        Egress egress,
        List<String> argv,
        long wallMillis,
        Predicate<EnforcementFacts> required,
        BiFunction<RunResult, CanaryEnvironment, Optional<String>> verdict) {
    Probe {
        argv = List.copyOf(argv);
    }

    /** Returns the same under another name. */
    Probe named(String other) {
        return new Probe(other, egress, argv, wallMillis, required, verdict);
    }
}
