package palyra.sandbox.internal.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.sandbox.internal.process.CommandExaminer;
import palyra.sandbox.internal.process.ProcessInput;
import palyra.sandbox.internal.process.ProcessToolService;
import palyra.shared.json.Jcs;
import palyra.shared.tool.OperatorDecision;

/**
 * What {@code sandbox run} was asked for.
 *
 * @param input the command as a tool call has it
 * @param inputJson the same as JSON
 * @param tier tier asked for; absent means the strictest
 * @param egress mode asked for; absent means the strictest
 * @param limits what it may use
 * @param examiner what looks at it
 */
record RunRequest(
        ProcessInput input,
        String inputJson,
        Optional<Tier> tier,
        Optional<Egress> egress,
        SandboxLimits limits,
        CommandExaminer examiner) {
    private static final int MAX_STDIN = 1 << 20;

    static RunRequest of(CommandContext context, ProcessToolService service) throws IOException {
        CommandArguments arguments = context.arguments();
        List<String> line = arguments.positionals();
        ProcessInput input =
                new ProcessInput(
                        line.get(0),
                        line.subList(1, line.size()),
                        arguments.option("cwd").orElse(""),
                        arguments.flag("stdin") ? Optional.of(stdin(context)) : Optional.empty(),
                        new LinkedHashSet<>(arguments.options().getOrDefault("allow", List.of())),
                        Set.of(),
                        0,
                        false,
                        false,
                        false,
                        false);
        return new RunRequest(
                input,
                json(input),
                SandboxOptions.tier(arguments),
                SandboxOptions.egress(arguments),
                SandboxOptions.limits(arguments, service.settings().limits()),
                service.special(
                        OperatorDecision.AGENT,
                        workspace(context),
                        arguments.flag("allow-interpreters")));
    }

    /**
     * Returns the confinement that was requested, the strictest where none was: at least as strict
     * as {@code decided}.
     *
     * @throws PalyraException DENIED when less was requested
     */
    Confinement confinement(Confinement decided) {
        Confinement requested =
                new Confinement(
                        tier.orElse(Confinement.STRICTEST.tier()),
                        egress.orElse(Confinement.STRICTEST.egress()));
        if (!requested.and(decided).equals(requested)) {
            throw new PalyraException(
                    ErrorCode.DENIED,
                    "Tier "
                            + requested.tier()
                            + " with egress "
                            + requested.egress()
                            + " was requested, but policy requires at least tier "
                            + decided.tier()
                            + " with egress "
                            + decided.egress()
                            + " for the agent "
                            + OperatorDecision.AGENT
                            + "; annotate a permit for it with @tier and @egress.");
        }
        return requested;
    }

    private static String stdin(CommandContext context) throws IOException {
        byte[] bytes = context.in().readNBytes(MAX_STDIN + 1);
        Require.that(
                bytes.length <= MAX_STDIN,
                "standard input has more than " + MAX_STDIN + " bytes; give less");
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the folder that was given, or null. */
    private static Path workspace(CommandContext context) {
        Optional<String> given = context.arguments().option("workspace");
        if (given.isEmpty()) {
            return null;
        }
        Path path = Path.of(context.workingFolder()).resolve(given.get()).normalize();
        Require.that(path.isAbsolute(), "--workspace is " + path + ": give an absolute folder");
        return path;
    }

    private static String json(ProcessInput input) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("command", input.command());
        input.arguments().forEach(node.putArray("args")::add);
        if (!input.workingFolder().isEmpty()) {
            node.put("cwd", input.workingFolder());
        }
        input.stdin().ifPresent(text -> node.put("stdin", text));
        if (!input.hosts().isEmpty()) {
            new TreeSet<>(input.hosts()).forEach(node.putArray("hosts")::add);
        }
        return Jcs.text(node);
    }
}
