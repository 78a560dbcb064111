package palyra.sandbox.internal.guard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds a command on the search path, as execvp(3) would, and says what it is: by the name asked
 * for, by the name of the file behind all links, and by its content. Thread-safe.
 */
final class ProgramFinder {
    private final List<String> searchPath;
    private final ProgramDigests digests;
    private final KnownInterpreters interpreters;

    ProgramFinder(List<String> searchPath, HostPrograms host) {
        this.searchPath = List.copyOf(searchPath);
        this.digests = host.digests();
        this.interpreters = host.interpreters();
    }

    /**
     * Finds.
     *
     * @param workspace real path; a script in it counts as an interpreter, because an agent may
     *     have written it
     */
    FoundProgram find(String command, Path workspace) throws Refusal {
        for (String folder : searchPath) {
            Path candidate = candidate(folder, command);
            if (candidate != null
                    && Files.isRegularFile(candidate)
                    && Files.isExecutable(candidate)) {
                return look(command, candidate, workspace);
            }
        }
        throw new Refusal(
                "sandbox.command_not_found",
                "There is no program '"
                        + Refusal.shown(command)
                        + "' in "
                        + String.join(":", searchPath)
                        + "; use an installed one.");
    }

    private static Path candidate(String folder, String command) {
        try {
            return Path.of(folder).resolve(command);
        } catch (InvalidPathException e) {
            return null; // a name that this JVM's locale cannot express names nothing for us
        }
    }

    private FoundProgram look(String command, Path found, Path workspace) throws Refusal {
        try {
            Path real = found.toRealPath();
            String fileName = real.getFileName().toString();
            Path start =
                    fileName.equals(command)
                            ? real
                            : found.getParent().toRealPath().resolve(command);
            Set<String> names = new LinkedHashSet<>(ProgramNames.readings(command));
            names.addAll(ProgramNames.readings(fileName));
            Optional<Path> copied = interpreters.sameAs(real, searchPath);
            copied.map(path -> ProgramNames.readings(path.getFileName().toString()))
                    .ifPresent(names::addAll);
            boolean script = Shebang.interpreterOf(real).isPresent();
            ProgramKind kind = kind(command, real, copied);
            if (real.startsWith(workspace)) { // an agent can have written it
                kind = stricter(kind, script ? ProgramKind.INTERPRETER : ProgramKind.RUNS_PROGRAMS);
            }
            return new FoundProgram(start, real, digests.of(real), names, kind, script);
        } catch (IOException e) {
            throw new Refusal(
                    "sandbox.command_not_found",
                    "The program '"
                            + Refusal.shown(command)
                            + "' cannot be read ("
                            + e.getClass().getSimpleName()
                            + "), so it cannot be checked; use another program.");
        }
    }

    /**
     * A link such as {@code ls} to a multi-call binary is what its own name says; by the binary's
     * name, or as a copy, it is a dispatcher.
     */
    private static ProgramKind kind(String command, Path real, Optional<Path> copied)
            throws IOException {
        String fileName = real.getFileName().toString();
        ProgramKind asked = ProgramNames.kindOf(command);
        if (MultiCall.isBinary(fileName) && !MultiCall.isBinary(command)) {
            return asked;
        }
        ProgramKind kind = stricter(asked, ProgramNames.kindOf(fileName));
        if (copied.isEmpty()) {
            return kind;
        }
        Path original = copied.get();
        String name = original.getFileName().toString();
        boolean sameApplet = MultiCall.isBinary(name) && Files.isSameFile(original, real);
        return sameApplet ? kind : stricter(kind, ProgramNames.kindOf(name));
    }

    private static ProgramKind stricter(ProgramKind one, ProgramKind other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
