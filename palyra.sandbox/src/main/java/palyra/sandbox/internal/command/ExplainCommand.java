package palyra.sandbox.internal.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxBackend;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.sandbox.internal.canary.CanaryReport;
import palyra.sandbox.internal.canary.CanaryStatus;
import palyra.sandbox.internal.run.SandboxSettings;

/** {@code sandbox explain}: why a tier may be used or not, and what it would enforce. */
final class ExplainCommand implements Command {
    private static final String USABLE = "usable";
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "sandbox explain",
                    "Explains why each tier may be used or not, and what it would enforce",
                    "The exit code is 1 when no sandbox of the requested tiers may be used.",
                    List.of(SandboxOptions.TIER),
                    List.of(),
                    CommandServices.READ,
                    false);

    private final CommandServices services;

    ExplainCommand(CommandServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        Optional<Tier> requested = SandboxOptions.tier(context.arguments());
        List<Map<String, Object>> all = new ArrayList<>();
        for (Tier tier : requested.map(List::of).orElse(List.of(Tier.B, Tier.C))) {
            all.addAll(explained(tier));
        }
        if (context.json()) {
            context.output().fields(Map.of("sandboxes", all));
        } else {
            all.forEach(context.output()::fields);
        }
        return all.stream().anyMatch(fields -> fields.get(USABLE).equals(true))
                ? ExitCodes.OK
                : ExitCodes.FAILED;
    }

    private List<Map<String, Object>> explained(Tier tier) {
        List<SandboxBackend> its =
                services.backends().all().stream().filter(one -> one.tier() == tier).toList();
        return its.isEmpty()
                ? List.of(absent(tier))
                : its.stream().map(each -> fields(each, each == its.get(0))).toList();
    }

    private static Map<String, Object> absent(Tier tier) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("tier", tier.name());
        fields.put(USABLE, false);
        fields.put("cause", "No sandbox of tier " + tier + " fits this host.");
        fields.put("remedy", "See palyra bundle list for bundles palyra.sandbox that do not run.");
        return fields;
    }

    private Map<String, Object> fields(SandboxBackend backend, boolean chosen) {
        CanaryStatus canaryStatus = services.canaries().canaryStatus(backend);
        BackendStatus status = backend.status();
        SandboxSettings settings = services.processes().settings();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("tier", backend.tier().name());
        fields.put("executor", backend.executor());
        fields.put("chosen", chosen);
        fields.put(USABLE, chosen && canaryStatus.state() == CanaryStatus.State.PROVEN);
        fields.put("state", ListCommand.lower(status.state()));
        fields.put("cause", canaryStatus.cause());
        fields.put("remedy", status.remedy());
        fields.put("facts", status.facts());
        fields.put(
                "enforcement",
                canaryStatus.report().map(CanaryReport::enforcement).orElse("not known yet"));
        fields.put("canary", canaryStatus.report().map(CanaryReport::citation).orElse("none yet"));
        fields.put(
                "session",
                canaryStatus
                        .report()
                        .map(report -> report.notShared().orElse("proven"))
                        .orElse("not known yet"));
        fields.put("open", tried(canaryStatus, CanaryReport.State.OPEN));
        fields.put("broken", tried(canaryStatus, CanaryReport.State.BROKEN));
        fields.put("refused", tried(canaryStatus, CanaryReport.State.REFUSED));
        fields.put("notOffered", tried(canaryStatus, CanaryReport.State.NOT_OFFERED));
        fields.put("leftOut", canaryStatus.report().map(CanaryReport::leftOut).orElse(List.of()));
        fields.put("permitMissing", settings.permitMissing().stream().sorted().toList());
        fields.put("workspaces", settings.workspaces().toString());
        fields.put("protectedPaths", settings.protectedPaths().entries());
        fields.put("limits", limits(settings.limits()));
        return fields;
    }

    private static Map<String, Object> limits(SandboxLimits limits) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("wallMillis", limits.wallMillis());
        fields.put("cpuMillis", limits.cpuMillis());
        fields.put("memoryBytes", limits.memoryBytes());
        fields.put("processes", limits.processes());
        fields.put("fileBytes", limits.fileBytes());
        fields.put("openFiles", limits.openFiles());
        fields.put("outputBytes", limits.outputBytes());
        fields.put("scratchBytes", limits.scratchBytes());
        return fields;
    }

    private static List<String> tried(CanaryStatus canaryStatus, CanaryReport.State state) {
        List<String> found = new ArrayList<>();
        canaryStatus
                .report()
                .ifPresent(
                        report ->
                                report.results().stream()
                                        .filter(one -> one.state() == state)
                                        .forEach(
                                                one ->
                                                        found.add(
                                                                one.probe()
                                                                        + ": "
                                                                        + one.detail())));
        return found;
    }
}
