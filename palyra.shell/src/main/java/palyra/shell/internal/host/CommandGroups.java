package palyra.shell.internal.host;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.api.command.CommandSpec;

/** In which part of the help a command is listed, by its first word. */
final class CommandGroups {
    private static final String OTHERS = "Of other bundles";

    private static final Map<String, List<String>> WORDS = new LinkedHashMap<>();

    static {
        WORDS.put("Talk", List.of("ask", "runs", "run", "sessions", "event"));
        WORDS.put("Approvals", List.of("approvals"));
        WORDS.put("Evidence", List.of("why", "tape", "attestation"));
        WORDS.put(
                "Agents, tools and models",
                List.of("agents", "tools", "models", "budgets", "costs"));
        WORDS.put("Policies and access", List.of("policy", "access", "console"));
        WORDS.put("Sandboxes", List.of("sandbox"));
        WORDS.put(
                "Skills and bundles",
                List.of("skills", "deploy", "swap", "bundles", "bundle", "lb", "scr", "gogo"));
        WORDS.put("Configuration and secrets", List.of("config", "vault", "secrets"));
        WORDS.put("Data kept and backed up", List.of("backup", "retention"));
        WORDS.put(
                "The gateway",
                List.of(
                        "status",
                        "doctor",
                        "metrics",
                        "logs",
                        "stop",
                        "help",
                        "completion",
                        "exit"));
    }

    private CommandGroups() {}

    /** Returns the group of a command. */
    static String of(CommandSpec spec) {
        String first = spec.name().split(" ")[0];
        return WORDS.entrySet().stream()
                .filter(group -> group.getValue().contains(first))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(OTHERS);
    }

    /** Returns the commands by group, in the order of the help; groups without commands are out. */
    static Map<String, List<CommandSpec>> grouped(List<CommandSpec> specs) {
        Map<String, List<CommandSpec>> groups = new LinkedHashMap<>();
        WORDS.keySet().forEach(group -> groups.put(group, of(group, specs)));
        groups.put(OTHERS, of(OTHERS, specs));
        groups.values().removeIf(List::isEmpty);
        return groups;
    }

    private static List<CommandSpec> of(String group, List<CommandSpec> specs) {
        return specs.stream().filter(spec -> of(spec).equals(group)).toList();
    }
}
