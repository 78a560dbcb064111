package palyra.sandbox.internal.command;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import palyra.api.Require;
import palyra.api.command.CommandArguments;
import palyra.api.command.OptionSpec;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxLimits;

/** Options that these commands share, and how they are read. Pure functions. */
final class SandboxOptions {
    static final OptionSpec TIER =
            OptionSpec.choice("tier", "TIER", "Tier of the sandbox", List.of("b", "c"));
    static final OptionSpec EGRESS =
            OptionSpec.choice(
                    "egress",
                    "MODE",
                    "How the network is kept from it",
                    List.of("none", "preflight", "strict"));
    static final OptionSpec LIMITS =
            OptionSpec.value(
                    "limits",
                    "NAME=NUMBER,…",
                    "Other limits: wall, cpu (milliseconds), memory, file, output, scratch"
                            + " (bytes), processes, files");

    private static final List<String> NAMES =
            List.of("wall", "cpu", "memory", "processes", "file", "files", "output", "scratch");

    private SandboxOptions() {}

    static Optional<Tier> tier(CommandArguments arguments) {
        return arguments.option("tier").map(text -> Tier.valueOf(text.toUpperCase(Locale.ROOT)));
    }

    static Optional<Egress> egress(CommandArguments arguments) {
        return arguments
                .option("egress")
                .map(text -> Egress.valueOf(text.toUpperCase(Locale.ROOT)));
    }

    /** Returns the configured limits with those that were given in their place. */
    static SandboxLimits limits(CommandArguments arguments, SandboxLimits configured) {
        Map<String, Long> given = new HashMap<>();
        arguments.option("limits").ifPresent(text -> read(text, given));
        return new SandboxLimits(
                given.getOrDefault("wall", configured.wallMillis()),
                given.getOrDefault("cpu", configured.cpuMillis()),
                given.getOrDefault("memory", configured.memoryBytes()),
                (int) (long) given.getOrDefault("processes", (long) configured.processes()),
                given.getOrDefault("file", configured.fileBytes()),
                (int) (long) given.getOrDefault("files", (long) configured.openFiles()),
                given.getOrDefault("output", configured.outputBytes()),
                given.getOrDefault("scratch", configured.scratchBytes()));
    }

    private static void read(String text, Map<String, Long> given) {
        for (String part : text.split(",", -1)) {
            String[] sides = part.split("=", -1);
            boolean usable =
                    sides.length == 2
                            && NAMES.contains(sides[0])
                            && sides[1].matches("[1-9][0-9]{0,11}")
                            && Long.parseLong(sides[1]) <= most(sides[0]);
            Require.that(
                    usable,
                    "--limits has '"
                            + part
                            + "': write NAME=NUMBER with one of "
                            + String.join(", ", NAMES)
                            + (sides.length == 2 && NAMES.contains(sides[0])
                                    ? " and a number up to " + most(sides[0])
                                    : ""));
            given.put(sides[0], Long.parseLong(sides[1]));
        }
    }

    private static long most(String name) {
        return switch (name) {
            case "wall" -> 590_000;
            case "cpu" -> 3_600_000;
            case "processes" -> 32_768;
            case "files" -> 65_536;
            case "output" -> 16L << 20;
            default -> 1L << 40;
        };
    }
}
