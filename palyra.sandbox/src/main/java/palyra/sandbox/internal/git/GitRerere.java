package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at the list of conflicts of which git keeps how they were solved ({@code MERGE_RR}). By it
 * {@code git commit} writes what is kept in {@code rr-cache} to each path in the list, wherever
 * that leads. It is looked at whether it is new or not, since links come and go. Stateless.
 */
final class GitRerere {
    static final String LIST = "MERGE_RR";

    private static final int MOST_BYTES = 1 << 20;

    /** As git writes it; with a number below 0 it would write without asking. */
    private static final Pattern ENTRY =
            Pattern.compile(
                    "(?:[0-9a-f]{64}|[0-9a-f]{40})(?:\\.[1-9][0-9]{0,3})?\t([^\\x00]+)\\x00",
                    Pattern.DOTALL);

    private GitRerere() {}

    /**
     * Returns what is wrong with the list of a folder of git, as words that follow its name; empty
     * when nothing is.
     *
     * @param after what is there
     */
    static String fault(Path workspace, String folder, GitSnapshot after) {
        try (GitFolder git = GitFolder.open(workspace, folder)) {
            GitFile list = git.read(LIST, MOST_BYTES);
            if (!list.isThere() || list.content().length == 0) {
                return "";
            }
            return list.isFile()
                    ? fault(list.text(), tops(workspace, folder, git, after), workspace, after)
                    : "which cannot be read,";
        } catch (NoSuchFileException | ClosedChannelException e) {
            return ""; // it has gone, or all is looked at again after the interruption
        } catch (IOException | IllegalArgumentException e) {
            return "which cannot be compared,";
        }
    }

    private static String fault(String text, Set<Path> tops, Path workspace, GitSnapshot after) {
        Matcher entry = ENTRY.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!entry.region(at, text.length()).lookingAt()) {
                return "which is not of the form that git writes,";
            }
            String path = entry.group(1);
            if (!tops.stream().allMatch(top -> isPlain(path, top, workspace, after))) {
                return "which names the path '" + path + "',";
            }
            at = entry.end();
        }
        return "";
    }

    /** Hidden files are never in it: protected names are hidden ones. */
    private static boolean isPlain(String path, Path top, Path workspace, GitSnapshot after) {
        if (!GitNames.isPlain(path, true)) {
            return false;
        }
        Path at = top;
        for (String name : path.split("/")) {
            at = at.resolve(GitPaths.path(bytes(name)));
            boolean git =
                    at.startsWith(workspace)
                            && after.folders().containsKey(GitPaths.text(workspace.relativize(at)));
            if (git || name.startsWith(".") || Files.isSymbolicLink(at)) {
                return false;
            }
        }
        return true;
    }

    /** Returns what may be its work tree: several names may lead to one folder of git. */
    private static Set<Path> tops(Path workspace, String folder, GitFolder git, GitSnapshot after)
            throws IOException {
        Path at = workspace.resolve(GitPaths.path(folder));
        Set<Path> tops = new LinkedHashSet<>();
        tops.add(at.getParent());
        GitPlaces.plain("gitdir", git.read("gitdir", GitScan.MOST_FILE_BYTES))
                .map(place -> GitPlaces.resolved(at, place).getParent())
                .ifPresent(tops::add);
        for (String name : List.of("config", "config.worktree")) {
            for (String tree : workTrees(git.read(name, GitScan.MOST_FILE_BYTES))) {
                tops.add(GitPlaces.resolved(at, GitPaths.path(bytes(tree))));
            }
        }
        String place = GitPaths.text(at);
        after.files()
                .forEach(
                        (path, file) -> {
                            if (GitReview.last(path).equalsIgnoreCase(".git")
                                    && file.place().equals(place)) {
                                tops.add(workspace.resolve(GitPaths.path(path)).getParent());
                            }
                        });
        return tops;
    }

    private static List<String> workTrees(GitFile settings) {
        return GitConfig.read(settings.isFile() ? settings.text() : "").stream()
                .flatMap(config -> config.entries().stream())
                .filter(entry -> entry.name().equals("core.worktree") && entry.value() != null)
                .map(GitConfig.Entry::value)
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
