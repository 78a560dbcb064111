package palyra.sandbox.internal.canary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.sandbox.SharedSandbox;
import palyra.sandbox.internal.canary.CanaryReport.ProbeResult;
import palyra.sandbox.internal.canary.CanaryReport.State;
import palyra.sandbox.internal.run.RunOrder;
import palyra.sandbox.internal.run.RunResult;
import palyra.sandbox.internal.run.Runner;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.shared.files.MediumFailure;
import palyra.shared.hash.Ulids;

/** Tries the battery on a sandbox, the way calls go: same runner, same specification. */
public final class CanaryTrial {
    /** Below it the battery's own files do not fit, and what must work does not. */
    private static final long ROOM_BYTES = 4L << 20;

    private final Runner runner;
    private final Supplier<SandboxSettings> settings;
    private final Path gatewayFolder;
    private final Map<String, String> ownEnvironment;
    private final Ulids ids = new Ulids();

    /**
     * Creates it.
     *
     * @param gatewayFolder a folder that no workspace may touch; it holds the targets that must not
     *     be reached
     */
    public CanaryTrial(
            Runner runner,
            Supplier<SandboxSettings> settings,
            Path gatewayFolder,
            Map<String, String> ownEnvironment) {
        this.runner = runner;
        this.settings = settings;
        this.gatewayFolder = gatewayFolder;
        this.ownEnvironment = Map.copyOf(ownEnvironment);
    }

    /**
     * Tries everything; what cannot be tried is broken.
     *
     * @throws UntestableException the medium of the tests' own files takes nothing, which says
     *     nothing about the sandbox
     */
    public CanaryReport of(SandboxBackend backend, BackendStatus status) {
        List<ProbeResult> results = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        String[] enforcement = {""};
        try {
            single(backend, results, leftOut, enforcement);
            if (results.stream().noneMatch(one -> one.state() == State.REFUSED)) {
                shared(backend, results);
            }
        } catch (UntestableException e) {
            requireEscape(results, e);
        } catch (IOException | UncheckedIOException e) {
            requireEscape(results, untestable(e));
        } catch (RuntimeException e) {
            results.add(
                    new ProbeResult("site", State.BROKEN, "The tests cannot be prepared: " + e));
        }
        requireRoom(results);
        return new CanaryReport(
                ids.next(),
                backend.tier(),
                backend.executor(),
                status.fingerprint(),
                enforcement[0],
                System.currentTimeMillis(),
                results,
                leftOut);
    }

    private void single(
            SandboxBackend backend,
            List<ProbeResult> results,
            List<String> leftOut,
            String[] enforcement)
            throws IOException {
        try (CanaryEnvironment environment = environment()) {
            CanaryProbes probes = new CanaryProbes(environment, ownEnvironment);
            leftOut.addAll(probes.leftOut());
            for (Probe probe : probes.probes()) {
                ProbeResult one =
                        runWithRetry(backend, probe, environment, Optional.empty(), enforcement);
                results.add(one);
                if (one.state() == State.REFUSED) {
                    return; // it would say the same to everything else
                }
            }
        }
    }

    /** The same in a sandbox that the commands share, with a site of its own. */
    private void shared(SandboxBackend backend, List<ProbeResult> results) throws IOException {
        try (CanaryEnvironment environment = environment()) {
            List<Probe> probes = new CanaryProbes(environment, ownEnvironment).shared();
            SharedSandbox sandbox = environment.shared("canary-" + ids.next());
            try (HeldSandbox held =
                    held(backend, spec(sandbox.id(), probes.get(0), environment), sandbox)) {
                if (held.sandbox().isEmpty()) {
                    results.add(
                            new ProbeResult(
                                    CanaryReport.SHARED + "made",
                                    State.NOT_OFFERED,
                                    held.problem()));
                    return;
                }
                for (Probe probe : probes) {
                    results.add(
                            runWithRetry(
                                    backend,
                                    probe,
                                    environment,
                                    held.sandbox(),
                                    new String[] {""}));
                }
                int left = held.end();
                results.add(
                        new ProbeResult(
                                CanaryReport.SHARED + "ends",
                                left > 0 ? State.BROKEN : State.HELD,
                                left > 0 ? ProbeChecks.NOT_ENDED + held.problem() : ""));
            }
        }
    }

    /** What could not be made on a busy machine gets a second chance. */
    private HeldSandbox held(SandboxBackend backend, SandboxSpec spec, SharedSandbox sandbox) {
        HeldSandbox first = HeldSandbox.make(runner, backend, spec, sandbox);
        return first.sandbox().isPresent()
                ? first
                : HeldSandbox.make(runner, backend, spec, sandbox);
    }

    private CanaryEnvironment environment() throws IOException {
        return CanaryEnvironment.make(settings.get().workspaces(), gatewayFolder);
    }

    /**
     * An escape counts even if the tests ended early; other results of an incomplete trial do not.
     */
    private static void requireEscape(List<ProbeResult> results, UntestableException why) {
        if (!escaped(results)) {
            throw why;
        }
    }

    private static boolean escaped(List<ProbeResult> results) {
        return results.stream()
                .anyMatch(
                        one ->
                                one.state() == State.BROKEN
                                        && !ProbeChecks.mayBeOverload(one.detail()));
    }

    /** On a full medium nothing works that must. */
    private void requireRoom(List<ProbeResult> results) {
        if (escaped(results) || results.stream().noneMatch(one -> one.state() == State.BROKEN)) {
            return;
        }
        for (Path place : places()) {
            long free = MediumFailure.freeBytes(place);
            if (free >= 0 && free < ROOM_BYTES) {
                throw new UntestableException(
                        ErrorCode.DISK_FULL,
                        MediumFailure.NO_SPACE.words(place)
                                + "; "
                                + MediumFailure.NO_SPACE.remedy(),
                        null);
            }
        }
    }

    private List<Path> places() {
        return List.of(settings.get().workspaces(), gatewayFolder);
    }

    /** Two folders are written, maybe on two media: the one with less space is the full one. */
    private UntestableException untestable(Exception e) {
        Path place =
                places().stream()
                        .min(Comparator.comparingLong(MediumFailure::freeBytes))
                        .orElse(gatewayFolder);
        return new UntestableException(
                MediumFailure.of(e, place).code(ErrorCode.TOOL_UNAVAILABLE),
                MediumFailure.sentence(e, place),
                e);
    }

    /**
     * What did not even run to its end on a busy machine gets a second chance, and so does what was
     * not seen to end in time; an escape does not.
     */
    private ProbeResult runWithRetry(
            SandboxBackend backend,
            Probe probe,
            CanaryEnvironment environment,
            Optional<SharedSandbox> shared,
            String[] enforcement) {
        ProbeResult first = runProbe(backend, probe, environment, shared, enforcement);
        boolean again =
                first.state() == State.BROKEN
                        && ProbeChecks.mayBeOverload(first.detail())
                        && !Thread.currentThread().isInterrupted();
        return again ? runProbe(backend, probe, environment, shared, enforcement) : first;
    }

    /**
     * Returns which of some programs a command finds in a sandbox; empty when that cannot be found
     * out.
     *
     * @param names of letters, digits, {@code +} and {@code -}
     */
    public Optional<List<String>> programs(SandboxBackend backend, List<String> names) {
        ProbeList list = new ProbeList(new ProbeChecks(ownEnvironment));
        list.add(
                "programs",
                ProbeList.ALWAYS,
                "for p in "
                        + String.join(" ", names)
                        + "; do command -v $p >/dev/null 2>&1 && echo $p; done",
                (run, at) -> Optional.empty());
        try (CanaryEnvironment environment =
                CanaryEnvironment.make(settings.get().workspaces(), gatewayFolder)) {
            SandboxSpec spec = spec("canary-" + ids.next(), list.probes().get(0), environment);
            RunResult run = runner.start(RunOrder.trial(backend.tier(), spec), backend).await();
            List<String> lines = ProbeChecks.text(run).lines().toList();
            return lines.contains(ProbeChecks.DONE)
                    ? Optional.of(names.stream().filter(lines::contains).toList())
                    : Optional.empty();
        } catch (IOException | UncheckedIOException | PalyraException | UntestableException e) {
            return Optional.empty();
        }
    }

    private ProbeResult runProbe(
            SandboxBackend backend,
            Probe probe,
            CanaryEnvironment environment,
            Optional<SharedSandbox> shared,
            String[] enforcement) {
        SandboxSpec own = spec("canary-" + ids.next(), probe, environment);
        SandboxSpec spec = shared.map(own::in).orElse(own);
        RunResult run;
        try {
            run = runner.start(RunOrder.trial(backend.tier(), spec), backend).await();
        } catch (PalyraException e) {
            if (MediumFailure.of(e, environment.workspace()) == MediumFailure.NO_SPACE) {
                throw untestable(e);
            }
            return new ProbeResult(probe.id(), unstarted(probe, e), e.getMessage());
        }
        if (enforcement[0].isEmpty()) {
            enforcement[0] = run.enforcement();
        }
        return judged(backend, probe, run, environment);
    }

    private static State unstarted(Probe probe, PalyraException why) {
        boolean refusal =
                why.code() == ErrorCode.DENIED || why.code() == ErrorCode.TOOL_UNAVAILABLE;
        if (!refusal) {
            return State.BROKEN;
        }
        return probe.egress() == Egress.STRICT ? State.REFUSED : State.NOT_OFFERED;
    }

    private static ProbeResult judged(
            SandboxBackend backend, Probe probe, RunResult run, CanaryEnvironment environment) {
        Optional<String> wrong = probe.verdict().apply(run, environment);
        if (run.leftBehind() > 0) {
            return new ProbeResult(probe.id(), State.BROKEN, ProbeChecks.NOT_ENDED + run.problem());
        }
        if (wrong.isEmpty()) {
            return new ProbeResult(probe.id(), State.HELD, "");
        }
        EnforcementFacts facts = EnforcementFacts.of(backend.tier(), run.enforcement());
        return new ProbeResult(
                probe.id(), probe.required().test(facts) ? State.BROKEN : State.OPEN, wrong.get());
    }

    private SandboxSpec spec(String callId, Probe probe, CanaryEnvironment environment) {
        return new SandboxSpec(
                callId,
                probe.argv(),
                Map.of(),
                environment.workspace().toString(),
                environment.workspace().toString(),
                List.of(),
                List.of(),
                probe.egress(),
                Optional.empty(),
                Set.of(environment.forbiddenPort()),
                new SandboxLimits(
                        probe.wallMillis(),
                        10_000,
                        256L << 20,
                        32,
                        CanaryProbes.FILE_BYTES,
                        64,
                        64L << 10,
                        4L << 20),
                settings.get().permitMissing(),
                false);
    }
}
