package palyra.sandbox.internal.canary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.sandbox.internal.run.RunResult;

/** The commands of a battery while it is made, and what had to be left out. For one thread. */
final class ProbeList {
    /** Required of every sandbox, regardless of its enforcement. */
    static final Predicate<EnforcementFacts> ALWAYS = facts -> true;

    /** How long a command may take that has nothing to wait for. */
    static final long PATIENT_MILLIS = 20_000;

    private static final String DONE = ProbeChecks.DONE;

    private final String shell;
    private final ProbeChecks verdicts;
    private final List<Probe> probes = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    /**
     * @throws PalyraException TOOL_UNAVAILABLE without a shell
     */
    ProbeList(ProbeChecks verdicts) {
        this.verdicts = verdicts;
        this.shell =
                SystemPrograms.find("sh")
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.TOOL_UNAVAILABLE,
                                                "There is no /bin/sh to test sandboxes with."));
    }

    List<Probe> probes() {
        return List.copyOf(probes);
    }

    List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    String shell() {
        return shell;
    }

    void add(Probe probe) {
        probes.add(probe);
    }

    void leaveOut(String what) {
        leftOut.add(what);
    }

    void needs(String id, String program, Predicate<EnforcementFacts> required, String script) {
        if (SystemPrograms.find(program).isPresent()) {
            denied(id, required, script);
        } else {
            leaveOut(id + " (" + program + " is not installed)");
        }
    }

    /** Adds a command that must come to its end without having said that it got out. */
    void denied(String id, Predicate<EnforcementFacts> required, String script) {
        add(id, required, script + "; echo " + DONE, verdicts::finished);
    }

    void add(
            String id,
            Predicate<EnforcementFacts> required,
            String script,
            BiFunction<RunResult, CanaryEnvironment, Optional<String>> verdict) {
        probes.add(
                new Probe(
                        id,
                        Egress.STRICT,
                        List.of(
                                shell,
                                "-c",
                                script.endsWith(DONE) ? script : script + "; echo " + DONE),
                        PATIENT_MILLIS,
                        required,
                        verdict));
    }

    /**
     * Quotes a path for the shell; one with a quote in it was not made by {@link
     * CanaryEnvironment}.
     */
    static String quoted(Path path) {
        if (path.toString().indexOf('\'') >= 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The folder " + path + " has a quote in its name; sandboxes cannot be tested.");
        }
        return "'" + path + "'";
    }
}
