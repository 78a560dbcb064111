package palyra.sandbox.internal.wiring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.sandbox.internal.canary.Canaries;
import palyra.sandbox.internal.canary.CanaryStatus;
import palyra.sandbox.internal.process.ProcessToolService;
import palyra.sandbox.internal.run.Backends;
import palyra.sandbox.internal.run.SandboxSettings;
import palyra.sandbox.internal.run.SessionSandboxes;

/** What operators see of the sandboxes. Thread-safe. */
final class SandboxReport implements FindingSource, MetricSource {
    private static final String AREA = "sandbox";

    private final ProcessToolService service;
    private final Backends backends;
    private final Canaries canaries;
    private final SessionSandboxes sessions;

    SandboxReport(
            ProcessToolService service,
            Backends backends,
            Canaries canaries,
            SessionSandboxes sessions) {
        this.service = service;
        this.sessions = sessions;
        this.backends = backends;
        this.canaries = canaries;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(service.runner().counts().findings());
        List<SandboxBackend> present = backends.all();
        present.forEach(backend -> finding(backend, findings));
        for (Tier tier : List.of(Tier.C, Tier.B)) {
            if (present.stream().noneMatch(one -> one.tier() == tier)) {
                findings.add(absent(tier));
            }
        }
        settings(service.settings(), findings);
        sessions(findings);
        findings.sort((a, b) -> b.severity().compareTo(a.severity()));
        return findings;
    }

    private void finding(SandboxBackend backend, List<Finding> findings) {
        CanaryStatus canaryStatus = canaries.canaryStatus(backend);
        BackendStatus status = backend.status();
        String name = "Sandbox tier " + backend.tier() + " (" + backend.executor() + ")";
        if (canaryStatus.state() == CanaryStatus.State.FAILED) {
            findings.add(
                    new Finding(
                            Severity.ERROR,
                            AREA,
                            name + " is stopped. " + canaryStatus.cause(),
                            "See palyra sandbox explain; it runs no command until it passes its"
                                    + " tests."));
        } else if (status.state() != BackendStatus.State.REFUSING // it says so itself
                && canaryStatus.state() == CanaryStatus.State.PROBING) {
            findings.add(
                    new Finding(
                            Severity.INFO,
                            AREA,
                            name + " is not available now. " + canaryStatus.cause(),
                            ""));
        }
    }

    private static Finding absent(Tier tier) {
        return new Finding(
                Severity.WARNING,
                AREA,
                "There is no sandbox of tier " + tier + "; calls that need it are refused.",
                "Install and start the bundle of that tier that fits this host.");
    }

    private static void settings(SandboxSettings settings, List<Finding> findings) {
        Set<String> given = new TreeSet<>(settings.permitMissing());
        given.remove("cgroup"); // permitted as shipped; the sandboxes say when it is missing
        if (!given.isEmpty()) {
            findings.add(
                    new Finding(
                            Severity.WARNING,
                            AREA,
                            "Sandboxes may run without " + String.join(", ", given) + ".",
                            "Take them out of permitMissing of palyra.sandbox when this host has"
                                    + " them."));
        }
        if (settings.guard().allowInterpreters()) {
            findings.add(
                    new Finding(
                            Severity.INFO,
                            AREA,
                            "Interpreters may be run in sandboxes, so an approved command can"
                                    + " start any other command.",
                            "Set allowInterpreters of palyra.sandbox to false if none is needed."));
        }
    }

    private void sessions(List<Finding> findings) {
        int open = sessions.count();
        if (open > 0) {
            findings.add(
                    new Finding(
                            Severity.INFO,
                            AREA,
                            "Open sandboxes of sessions: "
                                    + open
                                    + " of "
                                    + service.settings().sessions().most()
                                    + "; their folders hold "
                                    + sessions.heldBytes()
                                    + " bytes.",
                            ""));
        }
    }

    @Override
    public List<Metric> metrics() {
        List<Metric> metrics =
                new ArrayList<>(service.runner().counts().metrics(service.runner().running()));
        metrics.add(
                Metric.gauge(
                        "palyra_sandbox_sessions",
                        "Sandboxes of sessions that are open now.",
                        sessions.count()));
        metrics.add(
                Metric.gauge(
                        "palyra_sandbox_session_bytes",
                        "What the folders of the sandboxes of sessions hold, as last counted.",
                        sessions.heldBytes()));
        for (SandboxBackend backend : backends.all()) {
            boolean proven = canaries.canaryStatus(backend).state() == CanaryStatus.State.PROVEN;
            metrics.add(
                    new Metric(
                            "palyra_sandbox_proven",
                            "Whether a sandbox has passed its self-tests in its current form.",
                            Metric.Type.GAUGE,
                            Map.of("tier", backend.tier().name(), "executor", backend.executor()),
                            proven ? 1 : 0));
        }
        return metrics;
    }
}
