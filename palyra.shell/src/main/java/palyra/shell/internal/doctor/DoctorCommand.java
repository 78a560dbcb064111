package palyra.shell.internal.doctor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.BundleContext;
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
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.shell.internal.commands.ShellCommand;
import palyra.shell.internal.host.Loops;
import palyra.shell.internal.host.Seams;

/** {@code doctor}: everything that is not as it should be, with what to do. */
@Component(service = Command.class)
public final class DoctorCommand extends ShellCommand {
    private final Seams seams;
    private final ServiceComponentRuntime runtime;
    private final BundleContext context;

    /** Findings are read, never waited for; a source that goes meanwhile is told as it is. */
    private final Set<FindingSource> sources = ConcurrentHashMap.newKeySet();

    private final Loops loops = new Loops();

    @Activate
    public DoctorCommand(
            @Reference Seams seams,
            @Reference ServiceComponentRuntime runtime,
            BundleContext context) {
        super(
                spec(
                        "doctor",
                        "Explains what is not as it should be, and what to do.",
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
    public void bindSource(FindingSource source) {
        sources.add(source);
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

    @Override
    public int run(CommandContext command) {
        ComponentDoctor components = new ComponentDoctor(runtime, context);
        List<Finding> findings = new ArrayList<>(components.findings());
        findings.addAll(BundleDoctor.findings(context));
        findings.addAll(new SystemDoctor(seams, context).findings());
        findings.addAll(loops.findings());
        sources.forEach(source -> findings.addAll(ask(source)));
        findings.sort(Comparator.comparing(Finding::severity).reversed());
        boolean well = findings.stream().allMatch(each -> each.severity() == Severity.INFO);
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
                                    + components.working()
                                    + " components are at work.");
        }
        return well ? ExitCodes.OK : ExitCodes.FAILED;
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
