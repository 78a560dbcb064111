package palyra.shell.internal.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
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
import palyra.api.core.journal.Journal;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.ReadinessJudge;
import palyra.shared.readiness.CheckedReadiness;
import palyra.shared.readiness.Startup;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Loops;
import palyra.shell.internal.host.Seams;

/** {@code doctor}: all findings with their remedies. */
@Component(service = Command.class)
public final class DoctorCommand extends ShellCommand {
    private static final long NO_BUNDLE = -1;

    private final Seams seams;
    private final ServiceComponentRuntime runtime;
    private final BundleContext context;

    /** Findings are read without waiting; a source that fails is reported. */
    private final Map<FindingSource, Long> sources = new ConcurrentHashMap<>(); // with its bundle

    private final Loops loops = new Loops();
    private final CheckedReadiness readiness = new CheckedReadiness();

    @Activate
    public DoctorCommand(
            @Reference Seams seams,
            @Reference ServiceComponentRuntime runtime,
            BundleContext context) {
        super(
                spec(
                        "doctor",
                        "Lists problems of the gateway, and what to do about them.",
                        "Exit code 0: all is well; 1: something is not.",
                        "system.doctor",
                        List.of(),
                        List.of()));
        this.seams = seams;
        this.runtime = runtime;
        this.context = context;
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    public void bindSource(FindingSource source, Map<String, Object> properties) {
        Object bundle = properties.get(Constants.SERVICE_BUNDLEID);
        sources.put(source, bundle instanceof Long id ? id : NO_BUNDLE);
    }

    public void unbindSource(FindingSource source) {
        sources.remove(source);
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
    public void bindReadiness(ReadinessJudge judge) {
        readiness.add(judge);
    }

    public void unbindReadiness(ReadinessJudge judge) {
        readiness.remove(judge);
    }

    @Override
    public int run(CommandContext command) {
        Map<String, String> notReady = readiness.notReady();
        List<Reported> reported = reported();
        ComponentDoctor components = new ComponentDoctor(runtime, context, explaining(reported));
        List<Finding> findings = findings(components, reported, notReady);
        boolean well =
                notReady.isEmpty()
                        && findings.stream().allMatch(each -> each.severity() == Severity.INFO);
        if (command.json()) {
            command.output()
                    .table(
                            List.of("Severity", "Area", "Message", "Remedy"),
                            findings.stream().map(DoctorCommand::row).toList());
        } else {
            findings.forEach(finding -> write(command, finding));
            command.output()
                    .line(
                            (well ? "All is well: " : "Not all is well; ")
                                    + readiness(notReady.keySet())
                                    + components.working()
                                    + " components are at work.");
        }
        return well ? ExitCodes.OK : ExitCodes.FAILED;
    }

    /** What a bundle reported about itself. */
    private record Reported(long bundle, Finding finding) {}

    private List<Reported> reported() {
        List<Reported> reported = new ArrayList<>();
        sources.forEach(
                (source, bundle) ->
                        ask(source).forEach(each -> reported.add(new Reported(bundle, each))));
        return reported;
    }

    private static Set<Long> explaining(List<Reported> reported) {
        return reported.stream()
                .filter(each -> each.finding().severity() == Severity.ERROR)
                .map(Reported::bundle)
                .collect(Collectors.toSet());
    }

    private List<Finding> findings(
            ComponentDoctor components, List<Reported> reported, Map<String, String> notReady) {
        List<Finding> all = new ArrayList<>(components.findings());
        all.addAll(BundleDoctor.findings(context));
        SystemDoctor system = new SystemDoctor(seams, context);
        all.addAll(system.findings());
        all.addAll(loops.findings());
        reported.forEach(each -> all.add(each.finding()));
        if (Startup.goesOn() && !notReady.isEmpty()) {
            all.removeIf(FindingGroups::isAbsence);
            all.add(starting(notReady.keySet()));
        } else {
            FindingGroups.unexplained(notReady, all)
                    .forEach((check, why) -> all.add(failed(check, why)));
        }
        return FindingGroups.fold(
                        all, Seams.ifPresent(seams.journal(), Journal::status), system.full())
                .stream()
                .sorted(Comparator.comparing(Finding::severity).reversed())
                .toList();
    }

    private static Finding failed(String check, String why) {
        return new Finding(
                Severity.ERROR,
                check,
                "The gateway is not ready: " + why,
                "It becomes ready when this is fixed.");
    }

    private static Finding starting(Set<String> checks) {
        return new Finding(
                Severity.INFO,
                "start",
                "The gateway is starting; not there yet: " + String.join(", ", checks) + ".",
                "Ask again in a moment.");
    }

    private static String readiness(Set<String> checks) {
        return checks.isEmpty()
                ? "the gateway is ready; "
                : "the gateway is "
                        + (Startup.goesOn() ? "starting (" : "not ready (")
                        + String.join(", ", checks)
                        + "); ";
    }

    private static List<Finding> ask(FindingSource source) {
        try {
            return source.findings();
        } catch (RuntimeException | LinkageError e) {
            return List.of(
                    new Finding(
                            Severity.WARNING,
                            "doctor",
                            "A source of findings ("
                                    + source.getClass().getName()
                                    + ") could not be asked: "
                                    + e.getClass().getSimpleName()
                                    + ".",
                            "Ask again; it may be in the middle of an update."));
        }
    }

    private static List<String> row(Finding finding) {
        return List.of(
                finding.severity().name(), finding.area(), finding.message(), finding.remedy());
    }

    private static void write(CommandContext command, Finding finding) {
        String label = finding.severity().name().toLowerCase(Locale.ROOT);
        command.output().line(label + " [" + finding.area() + "] " + finding.message());
        if (!finding.remedy().isEmpty()) {
            command.output().line("    → " + finding.remedy());
        }
    }
}
