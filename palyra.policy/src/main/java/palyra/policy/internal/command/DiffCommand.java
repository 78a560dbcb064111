package palyra.policy.internal.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandContext;
import palyra.api.command.CommandSpec;
import palyra.api.command.ExitCodes;
import palyra.api.command.PositionalSpec;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.policy.internal.set.PolicyService;
import palyra.policy.internal.set.Snapshot;

/** {@code policy diff [A] [B]}: what differs between two sets. */
final class DiffCommand implements Command {
    private static final String FILES = "files";
    private static final CommandSpec SPEC =
            new CommandSpec(
                    "policy diff",
                    "Shows what differs between two policy sets",
                    "Without arguments: the set in force and the saved files. With one: that set"
                            + " and the one in force. The word files means the saved files."
                            + " Exit code 0 also when something differs.",
                    List.of(),
                    List.of(
                            PositionalSpec.optional("A", "Digest, or its beginning, or files"),
                            PositionalSpec.optional("B", "Digest, or its beginning, or files")),
                    PolicyServices.READ,
                    false);

    private final PolicyServices services;

    DiffCommand(PolicyServices services) {
        this.services = services;
    }

    @Override
    public CommandSpec spec() {
        return SPEC;
    }

    @Override
    public int run(CommandContext context) {
        Optional<String> first = context.arguments().positional(0);
        Optional<String> second = context.arguments().positional(1);
        Snapshot before = first.map(this::set).orElseGet(() -> services.snapshot(""));
        Snapshot after =
                second.map(this::set)
                        .orElseGet(() -> first.isEmpty() ? set(FILES) : services.snapshot(""));
        Map<String, String> was = policies(before);
        Map<String, String> is = policies(after);
        List<String> added = is.keySet().stream().filter(n -> !was.containsKey(n)).toList();
        List<String> removed = was.keySet().stream().filter(n -> !is.containsKey(n)).toList();
        List<String> changed =
                is.keySet().stream()
                        .filter(n -> was.containsKey(n) && !was.get(n).equals(is.get(n)))
                        .toList();
        List<String> lines = lines(before, after);
        if (context.json()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("before", before.view().sha256());
            fields.put("after", after.view().sha256());
            fields.put("added", added);
            fields.put("removed", removed);
            fields.put("changed", changed);
            fields.put("lines", lines);
            context.output().fields(fields);
        } else if (lines.isEmpty()) {
            context.output().line("Nothing differs.");
        } else {
            lines.forEach(context.output()::line);
            context.output()
                    .line(
                            "policies added: "
                                    + added
                                    + ", removed: "
                                    + removed
                                    + ", changed: "
                                    + changed);
        }
        return ExitCodes.OK;
    }

    private Snapshot set(String named) {
        if (!named.equals(FILES)) {
            return services.snapshot(Digest.beginning(named));
        }
        PolicyService.Candidate candidate = services.sets().candidate(Optional.empty());
        return candidate
                .snapshot()
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.CONFLICT,
                                        "The saved files are not usable: "
                                                + candidate.report().summary()
                                                + " See palyra policy validate."));
    }

    private static Map<String, String> policies(Snapshot set) {
        Map<String, String> texts = new TreeMap<>();
        set.origins().values().forEach(origin -> texts.put(origin.name(), origin.text()));
        return texts;
    }

    private static List<String> lines(Snapshot before, Snapshot after) {
        Map<String, String> was = texts(before);
        Map<String, String> is = texts(after);
        TreeSet<String> names = new TreeSet<>(was.keySet());
        names.addAll(is.keySet());
        List<String> lines = new ArrayList<>();
        for (String name : names) {
            List<String> differs =
                    LineDiff.unified(was.getOrDefault(name, ""), is.getOrDefault(name, ""));
            if (!differs.isEmpty() || was.containsKey(name) != is.containsKey(name)) {
                lines.add("--- " + (was.containsKey(name) ? name : "(no file)"));
                lines.add("+++ " + (is.containsKey(name) ? name : "(no file)"));
                lines.addAll(differs);
            }
        }
        return lines;
    }

    private static Map<String, String> texts(Snapshot set) {
        Map<String, String> texts = new TreeMap<>();
        for (PolicyText file : set.files()) {
            texts.put(file.name(), file.text());
        }
        return texts;
    }

    @Override
    public List<String> complete(int index, String prefix) {
        List<String> offered = new ArrayList<>(services.complete(prefix));
        if (FILES.startsWith(prefix)) {
            offered.add(FILES);
        }
        return index <= 1 ? offered : List.of();
    }
}
