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

/** {@code config show PID}: what is in force, and which layer each value comes from. */
final class ConfigShowCommand implements Command {
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "config show",
                    "Shows the settings of a PID, each with the layer that decided it",
                    "Secrets are never shown.",
                    List.of(),
                    List.of(
                            PositionalSpec.required(
                                    "PID", "What to show: PID, or PID~NAME of an instance")),
                    ConfigListCommand.ACTION,
                    false);

    private final ConfigurationWatch watch;

    ConfigShowCommand(ConfigurationWatch watch) {
        this.watch = watch;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) throws InterruptedException {
        String name = context.arguments().positional(0).orElse("");
        Target target = Target.parse(name).orElseThrow(() -> unknown(name, watch.view()));
        if (!isKnown(target)) {
            watch.lookAgain(); // its bundle may have arrived a moment ago
        }
        if (!isKnown(target)) {
            throw unknown(name, watch.view());
        }
        ConfigurationView view = watch.view();
        Optional<Schema> schema = watch.catalogue().schema(target.pid());
        context.output()
                .table(List.of("Key", "Value", "From", "Allowed"), rows(view, target, schema));
        view.problemsOf(target).forEach(p -> context.output().note(p.message() + " " + p.remedy()));
        return ExitCodes.OK;
    }

    private boolean isKnown(Target target) {
        return watch.catalogue().schema(target.pid()).isPresent()
                || !watch.view().sourcesOf(target).isEmpty();
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
                                    ? attribute.map(Shown::defaults).orElse("")
                                    : Shown.value(setting.value(), attribute),
                            (setting == null ? Layer.BUILT_IN : setting.from().layer()).label(),
                            attribute.map(Attribute::allowed).orElse("")));
        }
        return rows;
    }

    private PalyraException unknown(String name, ConfigurationView view) {
        Set<String> known = new TreeSet<>(watch.catalogue().pids());
        view.sources().forEach(s -> known.add(s.target().toString()));
        String near =
                Nearest.to(name, known)
                        .map(n -> "did you mean " + n + "?")
                        .orElse("config list --all shows what there is.");
        return new PalyraException(
                ErrorCode.NOT_FOUND,
                "Nothing is called '"
                        + name
                        + "': no bundle declares it and no file is for it; "
                        + near);
    }

    @Override
    public List<String> complete(int index, String prefix) {
        return watch.catalogue().pids().stream()
                .filter(pid -> index == 0 && pid.startsWith(prefix))
                .sorted()
                .toList();
    }
}
