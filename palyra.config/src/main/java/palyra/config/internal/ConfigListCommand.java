package palyra.config.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.core.ops.Finding;

/** {@code config list}: every PID with its state and files. */
final class ConfigListCommand implements Command {
    static final String ACTION = "config.read";
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "config list",
                    "Lists the configured PIDs, their sources, and whether they are in force",
                    "A later source wins, key by key: built-in defaults, shipped files, files of"
                            + " the drop-in folder, operator files, --set.",
                    List.of(OptionSpec.flag("all", "Also PIDs with default values only")),
                    List.of(),
                    ACTION,
                    false);

    private final ConfigurationWatcher watcher;

    ConfigListCommand(ConfigurationWatcher watcher) {
        this.watcher = watcher;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        ConfigurationView view = watcher.view();
        Set<String> names = new TreeSet<>();
        view.sources().forEach(s -> names.add(s.target().toString()));
        view.settings().keySet().forEach(t -> names.add(t.toString()));
        if (context.arguments().flag("all")) {
            names.addAll(watcher.catalogue().pids());
        }
        List<List<?>> rows = new ArrayList<>();
        names.forEach(name -> Target.parse(name).ifPresent(t -> rows.add(row(view, t))));
        context.output().table(List.of("PID", "State", "Sources"), rows);
        view.problems().forEach(p -> context.output().note(p.message() + " " + p.remedy()));
        return ExitCodes.OK;
    }

    private List<?> row(ConfigurationView view, Target target) {
        List<String> sources =
                view.sourcesOf(target).stream().map(s -> s.id().layer().label()).toList();
        String state = state(view, target);
        boolean failed = watcher.outcomes().failed(target);
        return List.of(
                target.toString(), failed ? state + ", but its component failed" : state, sources);
    }

    static String state(ConfigurationView view, Target target) {
        boolean inForce = view.settings().containsKey(target);
        boolean faulty =
                view.problemsOf(target).stream()
                        .anyMatch(p -> p.severity() == Finding.Severity.ERROR);
        if (faulty) {
            return inForce ? "last good in force" : "not in force";
        }
        return inForce ? "in force" : "defaults";
    }
}
