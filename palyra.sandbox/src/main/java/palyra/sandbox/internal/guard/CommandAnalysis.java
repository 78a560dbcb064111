package palyra.sandbox.internal.guard;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import palyra.api.core.access.CallFacts;
import palyra.sandbox.internal.guard.GuardRule.Column;

/**
 * Reads the arguments of a found program once, from left to right: notes paths that lead outside,
 * and collects the facts. The same request on the same files gives the same facts. Not thread-safe.
 */
final class CommandAnalysis {
    /** Says that the call asks to reach hosts. */
    static final String NETWORK = "!network";

    /** Says that the program can start others by what it was given. */
    static final String RUNS_PROGRAMS = "!runs-programs";

    /** Says that an interpreter is handed code as an argument. */
    static final String EVAL = "!eval";

    /**
     * Marks a program that executes its input or starts other programs: policy has to allow
     * interpreters for it.
     */
    static final String INTERPRETER = "!interpreter";

    /** Marks a script outside of the workspace. */
    static final String SCRIPT = "!script";

    private static final int MAX_FLAG = 64;
    private static final int MAX_PATHS = 1_000;
    private static final Pattern SHORT = Pattern.compile("-[A-Za-z0-9?#_-]+", Pattern.DOTALL);
    private static final Pattern CODE = // -c -ec -e -pe --eval=x --command …, also /c
            Pattern.compile(
                    "(?is)-[a-z]*[cepr].*|--?(?:eval|command|exec|execute|print|source|run).*|/[ck]");

    private final FoundProgram program;
    private final CommandRequest request;
    private final String workingFolder;
    private final Predicate<String> isProtected;
    private final Concerns concerns;
    private final LinkCache links;
    private final Hosts hosts = new Hosts();
    private final Set<String> flags = new TreeSet<>();
    private final PathArguments paths;
    private final Set<String> named;
    private final boolean takesPorts;

    /**
     * Begins.
     *
     * @param links what {@code bounds} looks links up in
     * @param isProtected whether no command may write an absolute path
     * @param named protected paths that the caller says it writes, absolute
     * @param concerns takes what is noticed
     */
    CommandAnalysis(
            FoundProgram program,
            CommandRequest request,
            String workingFolder,
            PathBounds bounds,
            LinkCache links,
            Predicate<String> isProtected,
            Set<String> named,
            Concerns concerns) {
        this.named = named;
        this.isProtected = isProtected;
        this.concerns = concerns;
        this.links = links;
        this.program = program;
        this.request = request;
        this.workingFolder = workingFolder;
        this.takesPorts = GuardRule.of(program.names(), Column.PORT_OPERANDS).isPresent();
        this.paths =
                new PathArguments(
                        bounds,
                        workingFolder,
                        hosts,
                        concerns,
                        GuardRule.of(program.names(), Column.REMOTE_PATHS).isPresent(),
                        GuardRule.of(program.names(), Column.ROLE).isPresent());
    }

    CallFacts facts() throws Refusal {
        for (String host : new TreeSet<>(request.hosts())) {
            hosts.addRequested(host);
            flags.add(NETWORK);
        }
        List<String> arguments = request.arguments();
        int skipped = MultiCall.skipped(program, arguments);
        Set<String> names = new LinkedHashSet<>(program.names());
        if (skipped > 0) {
            names.addAll(ProgramNames.readings(MultiCall.applet(arguments.get(0))));
        }
        List<String> own = arguments.subList(skipped, arguments.size());
        arguments(names, own);
        marks(names, own);
        FileRoles roles = FileRoles.of(program, own, paths.named());
        Set<String> kept = new TreeSet<>(named);
        roles.surelyWritten().stream().filter(isProtected).forEach(kept::add);
        noteKept(kept);
        Set<String> read = limited(roles.read());
        Set<String> written = new TreeSet<>(limited(roles.written()));
        written.addAll(named);
        links.exhausted().ifPresent(concerns::unclear);
        flags.addAll(concerns.flags());
        return new CallFacts(
                program.real().toString(),
                program.sha256(),
                workingFolder,
                Subcommands.of(names, own),
                flags,
                arguments.size(),
                hosts.hosts(),
                hosts.ports(),
                Set.of(),
                read,
                written,
                Set.of());
    }

    /** Notes known writes; the sandbox stops those that neither the caller nor the guard names. */
    private void noteKept(Set<String> kept) {
        kept.stream()
                .findFirst()
                .ifPresent(
                        path ->
                                concerns.protectedPaths(
                                        "The call lets '"
                                                + Refusal.shown(request.command())
                                                + "' write "
                                                + Refusal.shown(path)
                                                + ", which is protected, because other programs"
                                                + " execute its content: a person has to allow"
                                                + " that.",
                                        kept));
    }

    private void arguments(Set<String> names, List<String> arguments) {
        TextArguments texts = TextArguments.of(names, arguments);
        Optional<Integer> port =
                GuardRule.word(program.names(), Column.DEFAULT_PORT).map(Integer::valueOf);
        boolean operandsOnly = false;
        String previous = "";
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!operandsOnly && argument.equals("--")) {
                operandsOnly = true;
                previous = "";
                continue;
            }
            boolean option = !operandsOnly && argument.startsWith("-") && argument.length() > 1;
            if (option) {
                flags.add(flag(argument));
            }
            if (!texts.isText(argument, previous, operandsOnly)) {
                paths.check(argument, i, previous, operandsOnly, isCode(previous));
                if (!option && !GuardRule.any(GuardRule.ANY, Column.NO_HOST_AFTER, previous)) {
                    host(argument, port);
                }
            }
            previous = option ? argument : "";
        }
    }

    /** Whether the argument after an option is executed. */
    private boolean isCode(String option) {
        return program.kind().compareTo(ProgramKind.DISPATCHER) >= 0
                && CODE.matcher(option).matches();
    }

    private void host(String operand, Optional<Integer> port) {
        if (port.isEmpty() || operand.contains("://")) {
            return;
        }
        if (takesPorts && operand.matches("[0-9]{1,5}")) {
            hosts.port(Integer.parseInt(operand));
        } else {
            hosts.operand(operand, port.get());
        }
    }

    private void marks(Set<String> names, List<String> arguments) {
        boolean interpreter = program.kind() == ProgramKind.INTERPRETER;
        if (Escapes.runsPrograms(program, names, arguments)) {
            flags.add(RUNS_PROGRAMS);
        }
        if (program.kind().compareTo(ProgramKind.DISPATCHER) >= 0) {
            flags.add(INTERPRETER);
        }
        if (interpreter && arguments.stream().anyMatch(a -> CODE.matcher(a).matches())) {
            flags.add(EVAL);
        }
        if (program.script() && !interpreter) {
            flags.add(SCRIPT);
        }
    }

    /** An option without its value; letters together stay together. */
    private static String flag(String argument) {
        String name = argument;
        if (argument.startsWith("--")) {
            int end = argument.indexOf('=');
            name = end < 0 ? argument : argument.substring(0, end);
        } else {
            Matcher letters = SHORT.matcher(argument);
            name = letters.lookingAt() ? letters.group() : argument.substring(0, 2);
        }
        return name.length() <= MAX_FLAG ? name : name.substring(0, MAX_FLAG);
    }

    private Set<String> limited(Set<String> all) {
        if (all.size() <= MAX_PATHS) {
            return all;
        }
        concerns.unclear(
                "The arguments name "
                        + all.size()
                        + " paths; name at most "
                        + MAX_PATHS
                        + ", or a folder that holds them.");
        return all.stream().limit(MAX_PATHS).collect(Collectors.toCollection(TreeSet::new));
    }
}
