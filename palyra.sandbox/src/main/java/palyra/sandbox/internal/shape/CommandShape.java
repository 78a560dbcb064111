package palyra.sandbox.internal.shape;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.CallPattern;
import palyra.sandbox.internal.guard.ResolvedCommand;
import palyra.shared.json.Jcs;

/** Tells what a command would do, and what of it a person may allow for longer. Thread-safe. */
public final class CommandShape {
    /** Marks of commands that may name paths which are no facts. */
    private static final Set<String> UNBOUNDED = Set.of("!outside", "!unclear", "!protected");

    private final ProgramTrust trust;
    private final CommandRows rows;

    /** Creates it with whose programs are trusted and which commands are known. */
    public CommandShape(ProgramTrust trust, CommandRows rows) {
        this.trust = trust;
        this.rows = rows;
    }

    /** Describes a command that the guard let through. Reads files and changes nothing. */
    public CallDescription describe(CommandCall call, ResolvedCommand command) {
        Optional<CommandForm> form =
                CommandForm.of(rows, call.command(), call.arguments(), command);
        String once = OnceOnlyRule.why(call, command, form, trust);
        return new CallDescription(
                CommandSummary.of(call, command, form),
                command.argv(),
                once,
                once.isEmpty() ? form.flatMap(known -> pattern(call, command, known)) : NO_PATTERN);
    }

    private static final Optional<CallPattern> NO_PATTERN = Optional.empty();

    private static Optional<CallPattern> pattern(
            CommandCall call, ResolvedCommand command, CommandForm form) {
        Set<String> hosts = new TreeSet<>(call.hosts());
        if (form.row().grade() == CommandRow.Grade.BUILD_EXACT
                || call.stdinBytes() >= 0
                || !Collections.disjoint(command.facts().flags(), UNBOUNDED)
                || !staysInside(command)
                || !namesNoOtherHost(command.facts().hosts(), hosts)) {
            return NO_PATTERN;
        }
        ObjectNode fixed = JsonNodeFactory.instance.objectNode();
        if (form.row().grade() == CommandRow.Grade.BUILD_PATTERN) {
            Optional<ObjectNode> files = BuildFiles.digests(command.workingFolder());
            if (files.isEmpty()) {
                return NO_PATTERN;
            }
            fixed.set("build_files", files.get());
        }
        fill(fixed, call, command, form);
        Set<String> options = new TreeSet<>(form.global());
        options.addAll(form.reading().options());
        return Optional.of(
                new CallPattern(
                        CommandSummary.pattern(call, command, form),
                        Jcs.text(fixed),
                        options,
                        hosts));
    }

    private static void fill(
            ObjectNode fixed, CommandCall call, ResolvedCommand command, CommandForm form) {
        fixed.put("table", CommandRows.VERSION);
        fixed.put("tool", call.tool());
        fixed.put("command", call.command());
        fixed.put("called_as", command.program().toString());
        fixed.put("executable", command.facts().executable());
        fixed.put("executable_sha256", command.programSha256());
        fixed.put("workspace", command.workspace().toString());
        fixed.put("working_folder", command.workingFolder().toString());
        texts(fixed.putArray("subcommand"), form.subcommands());
        texts(fixed.putArray("kept"), new TreeSet<>(form.reading().narrowing()));
        fixed.put("ends_options", form.reading().endsOptions());
        fixed.put("timeout_ms", call.timeoutMillis());
        fixed.put("background", call.background());
        if (call.session()) {
            fixed.put("session", true);
        }
    }

    private static void texts(ArrayNode array, Collection<String> texts) {
        texts.forEach(array::add);
    }

    /** Whether every path that it names is in the workspace, links followed. */
    private static boolean staysInside(ResolvedCommand command) {
        Path workspace = command.workspace();
        return Stream.concat(
                        command.facts().readPaths().stream(), command.facts().writePaths().stream())
                .allMatch(
                        path ->
                                path.equals(workspace.toString())
                                        || path.startsWith(workspace + "/"));
    }

    private static boolean namesNoOtherHost(Set<String> named, Set<String> requested) {
        return named.stream()
                .allMatch(host -> requested.stream().anyMatch(one -> isHost(one, host)));
    }

    private static boolean isHost(String hostAndPort, String host) {
        int colon = hostAndPort.lastIndexOf(':');
        return hostAndPort.substring(0, colon).replaceAll("[\\[\\]]", "").equals(host);
    }
}
