package palyra.sandbox.internal.environment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import palyra.api.core.sandbox.SandboxBackend;

/**
 * Which well-known programs commands find: looked for once in each sandbox, and again when it has
 * changed. Until then what the search path has on the host counts. Thread-safe.
 */
public final class PresentPrograms {
    /** The programs that are looked for, in the order in which they are told. */
    static final List<String> NAMES =
            List.of(
                    "bash", "git", "rg", "jq", "curl", "make", "cmake", "gcc", "g++", "clang",
                    "python3", "pip", "node", "npm", "java", "mvn", "gradle", "go", "cargo",
                    "ruby");

    private record Found(String fingerprint, List<String> names) {}

    private final Map<String, Found> inSandboxes = new ConcurrentHashMap<>(); // by executor

    /**
     * Looks into a sandbox unless that was done since it changed.
     *
     * @param fingerprint of the sandbox as it is now
     * @param finder returns which of some programs are there; empty when it cannot tell
     */
    public void look(
            SandboxBackend backend,
            String fingerprint,
            Function<List<String>, Optional<List<String>>> finder) {
        Found before = inSandboxes.get(backend.executor());
        if (before == null || !before.fingerprint().equals(fingerprint)) {
            finder.apply(NAMES)
                    .ifPresent(
                            names ->
                                    inSandboxes.put(
                                            backend.executor(), new Found(fingerprint, names)));
        }
    }

    /** Returns the programs of {@link #NAMES} that commands find in a sandbox. */
    List<String> in(SandboxBackend backend, List<String> searchPath) {
        Found found = inSandboxes.get(backend.executor());
        return NAMES.stream()
                .filter(
                        name ->
                                found == null
                                        ? onHost(name, searchPath)
                                        : found.names().contains(name))
                .toList();
    }

    private static boolean onHost(String name, List<String> searchPath) {
        return searchPath.stream().anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }
}
