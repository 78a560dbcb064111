package palyra.sandbox.tierc.macos.internal;

import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.ProcessLauncher;
import palyra.sandbox.tierc.macos.internal.watch.ProcessTable;
import palyra.shared.hash.Digests;

/** Looks at what this host has and which profile works on it. */
final class Probe {
    private final ProcessLauncher launcher;
    private final SandboxExec sandboxExec;
    private final Optional<ProcessTable> table;
    private final SelfTest selfTest;

    /**
     * Result of a probe.
     *
     * @param status the published status
     * @param reading the profile in force; absent unless READY
     * @param identity digest of {@code sandbox-exec} then; empty unless READY
     */
    record Found(BackendStatus status, Optional<Reading> reading, String identity) {
        /** Nothing, yet. */
        static final Found NOTHING = new Found(BackendStatus.probing(), Optional.empty(), "");
    }

    /**
     * Creates a probe.
     *
     * @param table process table; absent when this host has none that can be read
     */
    Probe(
            ProcessLauncher launcher,
            SandboxExec sandboxExec,
            Optional<ProcessTable> table,
            SelfTest selfTest) {
        this.launcher = launcher;
        this.sandboxExec = sandboxExec;
        this.table = table;
        this.selfTest = selfTest;
    }

    /** Looks; blocks for some seconds. */
    Found look() throws InterruptedException {
        Map<String, String> facts = new TreeMap<>();
        facts.put("profiles", "sha256:" + ProfileParts.digest().substring(0, 16));
        facts.put("evidence", "evaluator, not run on hardware");
        String identity;
        try {
            identity = sandboxExec.identity();
        } catch (PalyraException e) {
            return refusing(e.getMessage(), "Run Tier C on macOS, or on Linux.", facts);
        }
        facts.put("sandbox-exec", "sha256:" + identity.substring(0, 16));
        HostFacts host = launcher.host();
        facts.put("kernel", host.kernel());
        Optional<Found> refused = host(host, facts);
        return refused.isPresent() ? refused.get() : tested(identity, host, facts);
    }

    private Optional<Found> host(HostFacts host, Map<String, String> facts) {
        if (!host.os().equals("macos")) {
            return Optional.of(
                    refusing(
                            "This host runs " + host.os() + ", and the profiles are for macOS.",
                            "Use the backend of this system.",
                            facts));
        }
        if (host.effectiveUid() == 0) {
            return Optional.of(
                    refusing(
                            "The gateway runs as root, which no profile holds.",
                            "Run it as a user of its own.",
                            facts));
        }
        if (!host.problem().isEmpty()) {
            return Optional.of(refusing(host.problem(), "Repair that first.", facts));
        }
        int self = Math.toIntExact(ProcessHandle.current().pid());
        if (table.isEmpty() || table.get().use(self).isEmpty()) {
            return Optional.of(
                    refusing(
                            "The memory of processes cannot be read through libproc.",
                            "Start the JVM with --enable-native-access=ALL-UNNAMED.",
                            facts));
        }
        return Optional.empty();
    }

    private Found tested(String identity, HostFacts host, Map<String, String> facts)
            throws InterruptedException {
        StringJoiner problems = new StringJoiner("; ");
        for (Reading reading : Reading.values()) {
            Optional<String> problem = selfTest.problem(reading);
            if (problem.isEmpty()) {
                facts.put("profile", reading.text());
                return new Found(
                        BackendStatus.ready(facts, fingerprint(identity, host, reading)),
                        Optional.of(reading),
                        identity);
            }
            facts.put("profile." + reading.text(), problem.get());
            problems.add(reading.text() + ": " + problem.get());
        }
        return refusing(
                "No profile works on this host (" + problems + ").",
                "Report the release of macOS and these words.",
                facts);
    }

    private static String fingerprint(String identity, HostFacts host, Reading reading) {
        return Digests.hex(
                Digests.tagged("palyra.sandbox.macos.v1")
                        .lp(identity)
                        .lp(host.kernel())
                        .lp(host.arch())
                        .lp(reading.text())
                        .lp(ProfileParts.digest())
                        .bytes());
    }

    private static Found refusing(String cause, String remedy, Map<String, String> facts) {
        return new Found(BackendStatus.refusing(cause, remedy, facts), Optional.empty(), "");
    }
}
