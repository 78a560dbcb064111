package palyra.sandbox.internal.git;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

    /** Returns the variables by which git knows who commits, and that the workspace is its own. */
    public Map<String, String> environment(String agentId) {
        String who = name.isEmpty() ? agentId : name;
        String where = email.isEmpty() ? agentId + "@agents.invalid" : email;
        Map<String, String> variables = new TreeMap<>();
        for (String role : List.of("AUTHOR", "COMMITTER")) {
            variables.put("GIT_" + role + "_NAME", who);
            variables.put("GIT_" + role + "_EMAIL", where);
        }
        variables.put("GIT_CONFIG_NOSYSTEM", "1");
        variables.put("GIT_CONFIG_COUNT", "2");
        variables.put("GIT_CONFIG_KEY_0", "safe.directory");
        variables.put("GIT_CONFIG_VALUE_0", "*");
        variables.put("GIT_CONFIG_KEY_1", "init.defaultBranch");
        variables.put("GIT_CONFIG_VALUE_1", "main");
        return variables;
    }
}
