package palyra.config.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.shared.text.Nearest;

/** {@code config show PID}: the settings in force and the layer of each value. */
final class ConfigShowCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "config show",
                    "Shows the settings of a PID, each with its layer",
                    "Secrets are never shown.",
                    List.of(),
                    List.of(PositionalSpec.required("PID", "PID, or PID~NAME of an instance")),
                    ConfigListCommand.ACTION,
                    false);

    private final ConfigurationWatcher watcher;

    ConfigShowCommand(ConfigurationWatcher watcher) {
        this.watcher = watcher;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        String name = context.arguments().positional(0).orElse("");
        Target target = Target.parse(name).orElseThrow(() -> unknown(name, watcher.view()));
        if (!isKnown(target)) {
            watcher.refreshCatalogue(); // its bundle may have been installed a moment ago
        }
        if (!isKnown(target)) {
            throw unknown(name, watcher.view());
        }
        ConfigurationView view = watcher.view();
        Optional<Schema> schema = watcher.catalogue().schema(target.pid());
        context.output()
                .table(List.of("Key", "Value", "From", "Allowed"), rows(view, target, schema));
        view.problemsOf(target).forEach(p -> context.output().note(p.message() + " " + p.remedy()));
        return ExitCodes.OK;
    }

    private boolean isKnown(Target target) {
        return watcher.catalogue().schema(target.pid()).isPresent()
                || !watcher.view().sourcesOf(target).isEmpty();
    }

    private static List<List<String>> rows(
            ConfigurationView view, Target target, Optional<Schema> schema) {
        Map<String, Attribute> attributes = schema.map(Schema::attributes).orElse(Map.of());
        Map<String, ConfigurationReconciler.Setting> settings =
                view.settings().getOrDefault(target, Map.of());
        Set<String> keys = new TreeSet<>(attributes.keySet());
        keys.addAll(settings.keySet());
        List<List<String>> rows = new ArrayList<>();
        for (String key : keys) {
            Optional<Attribute> attribute = Optional.ofNullable(attributes.get(key));
            ConfigurationReconciler.Setting setting = settings.get(key);
            rows.add(
                    List.of(
                            key,
                            setting == null
                                    ? attribute.map(DisplayValues::defaults).orElse("")
                                    : DisplayValues.value(setting.value(), attribute),
                            (setting == null ? Layer.BUILT_IN : setting.from().layer()).label(),
                            attribute.map(Attribute::allowed).orElse("")));
        }
        return rows;
    }

    private PalyraException unknown(String name, ConfigurationView view) {
        Set<String> known = new TreeSet<>(watcher.catalogue().pids());
        view.sources().forEach(s -> known.add(s.target().toString()));
        String near =
                Nearest.to(name, known)
                        .map(n -> "did you mean " + n + "?")
                        .orElse("config list --all shows the declared PIDs.");
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "Configuration not found: '"
                        + name
                        + "': no bundle declares it and no file configures it;  "
                        + near);
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return watcher.catalogue().pids().stream()
                .filter(pid -> index == 0 && pid.startsWith(prefix))
                .sorted()
                .toList();
    }
}
