package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.Require;

/**
 * What an operator chooses about git in sandboxes.
 *
 * @param mode {@code checked}: commands may write settings and hooks, and what could run code
 *     outside is undone at their end; {@code frozen}: besides, sandboxes keep those that are there
 *     read-only meanwhile
 * @param name of who commits; empty for the agent's id
 * @param email of who commits; empty for the agent's id at a host that does not exist
 */
public record GitChoice(String mode, String name, String email) {
    private static final Set<String> MODES = Set.of("checked", "frozen");
    private static final String INSIDE = ".git/";

    /** Hidden among the files with output of commands. */
    private static final String FILE = ".gitconfig";

    /** What it was called once. */
    private static final String FORMER_FILE = "gitconfig";

    /** As it is configured unless an operator says otherwise; after what its check needs. */
    public static final GitChoice DEFAULT = new GitChoice("checked", "", "");

    /** Checks. */
    public GitChoice {
        Require.that(
                MODES.contains(mode), "gitConfig is '" + mode + "'; it takes checked and frozen");
        requireLine("gitName", name);
        requireLine("gitEmail", email);
    }

    private static void requireLine(String what, String text) {
        Require.that(
                text.length() <= 200
                        && text.chars().noneMatch(c -> c < ' ' || c == '<' || c == '>'),
                what
                        + " is '"
                        + text
                        + "': use one line of at most 200 characters without < and >");
    }

    private boolean isChecked() {
        return mode.equals("checked");
    }

    /** Returns the protected paths that sandboxes are to keep read-only. */
    public List<String> frozen(List<String> protectedPaths) {
        return isChecked() ? others(protectedPaths) : protectedPaths;
    }

    /** Returns the protected paths that are not inside of a repository's own folder. */
    public static List<String> others(List<String> protectedPaths) {
        return protectedPaths.stream().filter(path -> !path.startsWith(INSIDE)).toList();
    }

    /**
     * Returns a configuration file of the system for git in a sandbox: who commits, unless git is
     * told otherwise there, and that every repository is the user's own.
     */
    String settings(String agentId) {
        String who = name.isEmpty() ? agentId : name;
        String where = email.isEmpty() ? agentId + "@agents.invalid" : email;
        return GitConfig.written(
                List.of(
                        entry("user", "name", who),
                        entry("user", "email", where),
                        entry("init", "defaultBranch", "main"),
                        entry("safe", "directory", "*")));
    }

    private static GitConfig.Entry entry(String section, String key, String value) {
        return new GitConfig.Entry(section, null, key, value, 0, 0);
    }

    /**
     * Writes those settings, unless they are there, and returns the variables by which git reads
     * them in place of the host's.
     *
     * @param folder real path of a folder that commands of the agent can read and not write
     * @throws IOException when they cannot be written
     */
    public Map<String, String> environment(Path folder, String agentId) throws IOException {
        Path file = folder.resolve(FILE);
        byte[] wanted = settings(agentId).getBytes(StandardCharsets.UTF_8);
        if (!Files.isRegularFile(file) || !Arrays.equals(Files.readAllBytes(file), wanted)) {
            Files.deleteIfExists(folder.resolve(FORMER_FILE));
            Path part = Files.createTempFile(folder, FILE, ".part");
            try {
                Files.write(part, wanted);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        }
        return Map.of("GIT_CONFIG_SYSTEM", file.toString());
    }
}
