package palyra.shell.internal.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import palyra.api.command.CommandOutput;
import palyra.api.command.CommandSpec;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;

/** Writes help from specs. */
final class Help {
    private Help() {}

    /** Returns the usage line of a command. */
    static String usage(CommandSpec spec) {
        StringBuilder usage = new StringBuilder("palyra ").append(spec.name());
        for (PositionalSpec positional : spec.positionals()) {
            String name = positional.name() + (positional.repeated() ? "…" : "");
            usage.append(' ').append(positional.required() ? name : "[" + name + "]");
        }
        return usage.append(spec.options().isEmpty() ? "" : " [options]").toString();
    }

    /** Lists commands with their summaries, by group; in JSON one array with the group of each. */
    static void list(List<CommandSpec> specs, boolean json, CommandOutput output) {
        if (json) {
            output.table(
                    List.of("Command", "Summary", "Group"),
                    specs.stream()
                            .map(
                                    spec ->
                                            List.of(
                                                    spec.name(),
                                                    spec.summary(),
                                                    CommandGroups.of(spec)))
                            .toList());
            return;
        }
        output.line("Usage: palyra COMMAND [arguments] [options]");
        CommandGroups.grouped(specs)
                .forEach(
                        (group, commands) ->
                                section(
                                        group,
                                        commands.stream()
                                                .map(spec -> List.of(spec.name(), spec.summary()))
                                                .toList(),
                                        output));
        output.line("");
        output.line("palyra help COMMAND explains one; --json gives JSON, -- ends options.");
    }

    /** Explains one command. */
    static void explain(CommandSpec spec, boolean json, CommandOutput output) {
        if (json) {
            output.fields(asMap(spec));
            return;
        }
        output.line(spec.summary());
        output.line("");
        output.line("Usage: " + usage(spec));
        section("Arguments", positionals(spec), output);
        section("Options", options(spec), output);
        if (!spec.details().isBlank()) {
            output.line("");
            spec.details().lines().forEach(output::line);
        }
    }

    private static List<List<String>> positionals(CommandSpec spec) {
        return spec.positionals().stream()
                .map(positional -> List.of(positional.name(), positional.description()))
                .toList();
    }

    private static List<List<String>> options(CommandSpec spec) {
        List<List<String>> rows = new ArrayList<>();
        for (OptionSpec option : spec.options()) {
            rows.add(List.of(form(option), describe(option)));
        }
        rows.add(List.of("--json", "Write JSON."));
        rows.add(List.of("--help", "Show this."));
        return rows;
    }

    static String form(OptionSpec option) {
        return "--" + option.name() + (option.isFlag() ? "" : " " + option.valueName());
    }

    private static String describe(OptionSpec option) {
        StringBuilder text = new StringBuilder(option.description());
        if (!option.values().isEmpty()) {
            text.append("; one of ").append(String.join(", ", option.values()));
        }
        return text.append(option.repeatable() ? "; may be repeated" : "").toString();
    }

    private static void section(String title, List<List<String>> rows, CommandOutput output) {
        if (rows.isEmpty()) {
            return;
        }
        output.line("");
        output.line(title + ":");
        int width = rows.stream().mapToInt(row -> row.get(0).length()).max().orElse(0);
        for (List<String> row : rows) {
            output.line(
                    "  " + row.get(0) + " ".repeat(width - row.get(0).length() + 2) + row.get(1));
        }
    }

    private static Map<String, Object> asMap(CommandSpec spec) {
        return Fields.of(
                "name", spec.name(),
                "summary", spec.summary(),
                "usage", usage(spec),
                "details", spec.details(),
                "action", spec.action(),
                "mutating", spec.mutating(),
                "arguments", spec.positionals().stream().map(Help::asMap).toList(),
                "options", spec.options().stream().map(Help::asMap).toList());
    }

    private static Map<String, Object> asMap(PositionalSpec positional) {
        return Fields.of(
                "name", positional.name(),
                "description", positional.description(),
                "required", positional.required(),
                "repeated", positional.repeated());
    }

    private static Map<String, Object> asMap(OptionSpec option) {
        return Fields.of(
                "name", option.name(),
                "valueName", option.valueName(),
                "description", option.description(),
                "values", option.values(),
                "repeatable", option.repeatable());
    }
}
