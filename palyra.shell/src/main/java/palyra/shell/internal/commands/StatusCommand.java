package palyra.shell.internal.commands;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.Version;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.core.gateway.Intake;
import palyra.api.core.gateway.Setback;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.ops.ReadinessJudge;
import palyra.shared.bundles.ComponentFailures;
import palyra.shared.readiness.CheckedReadiness;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Gauges;
import palyra.shell.internal.host.Loops;
import palyra.shell.internal.host.Seams;

/** {@code status}: the state of the gateway, also when parts are missing. */
@Component(service = Command.class)
public final class StatusCommand extends ShellCommand {
    private final Seams seams;
    private final ServiceComponentRuntime runtime;
    private final BundleContext bundles;
    private final Loops loops = new Loops();
    private final Gauges gauges = new Gauges();
    private final CheckedReadiness readiness = new CheckedReadiness();

    @Activate
    public StatusCommand(
            @Reference Seams seams,
            @Reference ServiceComponentRuntime runtime,
            BundleContext bundles) {
        super(
                spec(
                        "status",
                        "Shows how the gateway is doing.",
                        "Exit code 0: ready for messages; 1: not ready.",
                        "system.status",
                        List.of(),
                        List.of()));
        this.seams = seams;
        this.runtime = runtime;
        this.bundles = bundles;
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindLoops(LoopSource source) {
        loops.add(source);
    }

    public void unbindLoops(LoopSource source) {
        loops.remove(source);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindMetrics(MetricSource source) {
        gauges.add(source);
    }

    public void unbindMetrics(MetricSource source) {
        gauges.remove(source);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindReadiness(ReadinessJudge judge) {
        readiness.add(judge);
    }

    public void unbindReadiness(ReadinessJudge judge) {
        readiness.remove(judge);
    }

    @Override
    public int run(CommandContext context) {
        Map<String, String> notReady = readiness.notReady();
        boolean ready = notReady.isEmpty();
        Map<String, Object> fields =
                Fields.of(
                        "ready",
                        ready,
                        "notReady",
                        ready && !context.json() ? "none" : notReady,
                        "version",
                        version(bundles.getBundle().getVersion()),
                        "pid",
                        ProcessHandle.current().pid(),
                        context.json() ? "uptimeMillis" : "uptime",
                        uptime(context.json()),
                        "state",
                        property(Ops.STATE_FOLDER),
                        "safeMode",
                        Boolean.parseBoolean(property(Ops.SAFE_MODE)),
                        "journal",
                        journal(context.json()),
                        "activeRuns",
                        activeRuns(),
                        "setAside",
                        setAside(),
                        "loops",
                        loops.fields(context.json()),
                        "endpoints",
                        endpoints(),
                        "bundles",
                        bundleCounts(context.json()));
        gauges.value("palyra_sandbox_sessions")
                .ifPresent(open -> fields.put("sandboxSessions", sessions(open, context.json())));
        List<String> failed = ComponentFailures.of(runtime);
        fields.put("failedComponents", failed.isEmpty() && !context.json() ? "none" : failed);
        context.output().fields(fields);
        return ready ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** Returns a version as palyra --version writes it, with a hyphen before the qualifier. */
    private static String version(Version of) {
        String numbers = of.getMajor() + "." + of.getMinor() + "." + of.getMicro();
        return of.getQualifier().isEmpty() ? numbers : numbers + "-" + of.getQualifier();
    }

    private String property(String name) {
        String value = bundles.getProperty(name);
        return value == null ? "" : value;
    }

    private static Object uptime(boolean json) {
        // By the monotonic clock: a wall clock that is set would make it wrong or negative.
        long millis = ManagementFactory.getRuntimeMXBean().getUptime();
        return json ? (Object) millis : Words.duration(millis);
    }

    private Map<String, Object> journal(boolean json) {
        Map<String, Object> fields =
                Seams.ifPresent(seams.journal(), Journal::status)
                        .map(status -> journal(status, json))
                        .orElse(Fields.of("state", "ABSENT"));
        if (json) {
            Seams.ifPresent(seams.journal(), journal -> journal.headSeq("journal"))
                    .ifPresent(head -> fields.put("events", head));
        }
        return fields;
    }

    private static Map<String, Object> journal(JournalStatus status, boolean json) {
        Map<String, Object> fields =
                Fields.of(
                        "state",
                        status.state().name(),
                        "records",
                        status.recordCount(),
                        json ? "sizeBytes" : "size",
                        bytes(status.databaseBytes(), json),
                        json ? "freeBytes" : "free",
                        bytes(status.freeBytes(), json),
                        "schema",
                        status.schemaVersion());
        status.scrub()
                .ifPresent(
                        scrub -> {
                            fields.put(
                                    json ? "scrubbedAtMillis" : "scrubbed",
                                    json
                                            ? (Object) scrub.endedAtMillis()
                                            : Instant.ofEpochMilli(scrub.endedAtMillis())
                                                    .toString());
                            fields.put("scrubbedRecords", scrub.records());
                            fields.put("scrubFaults", scrub.faults());
                        });
        if (!status.detail().isEmpty()) {
            fields.put("detail", status.detail());
        }
        return fields;
    }

    private Map<String, Object> sessions(double open, boolean json) {
        long held = (long) gauges.value("palyra_sandbox_session_bytes").orElse(0);
        return Fields.of("open", (long) open, json ? "heldBytes" : "held", bytes(held, json));
    }

    private static Object bytes(long count, boolean json) {
        return json ? (Object) count : Words.bytes(count);
    }

    private Object activeRuns() {
        return Seams.ifPresent(seams.intake(), Intake::activeRuns)
                .<Object>map(count -> count)
                .orElse("unknown: the gateway is not there now");
    }

    /** What the gateway tries again and again: how much, and the oldest with its reason. */
    private Map<String, Object> setAside() {
        List<Setback> setbacks =
                Seams.ifPresent(seams.intake(), Intake::setbacks).orElse(List.of());
        Map<String, Object> fields = Fields.of("all", setbacks.size());
        setbacks.stream().findFirst().ifPresent(oldest -> fields.put("oldest", oldest.sentence()));
        return fields;
    }

    private Map<String, String> endpoints() {
        Map<String, String> endpoints = new TreeMap<>();
        for (ServiceReference<?> reference : references("(" + Ops.ENDPOINT_URI + "=*)")) {
            Object name = reference.getProperty(Ops.ENDPOINT_NAME);
            endpoints.put(
                    name == null ? "unnamed" : name.toString(),
                    reference.getProperty(Ops.ENDPOINT_URI).toString());
        }
        return endpoints;
    }

    private ServiceReference<?>[] references(String filter) {
        try {
            ServiceReference<?>[] found = bundles.getAllServiceReferences(null, filter);
            return found == null ? new ServiceReference<?>[0] : found;
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(filter, e);
        }
    }

    private Map<String, Object> bundleCounts(boolean json) {
        List<Bundle> all = new ArrayList<>(Arrays.asList(bundles.getBundles()));
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("active", all.stream().filter(b -> b.getState() == Bundle.ACTIVE).count());
        List<String> inactive =
                all.stream()
                        .filter(bundle -> bundle.getState() != Bundle.ACTIVE)
                        .filter(bundle -> bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null)
                        .map(BundlesCommand::name)
                        .toList();
        counts.put("inactive", inactive.isEmpty() && !json ? "none" : inactive);
        return counts;
    }
}
