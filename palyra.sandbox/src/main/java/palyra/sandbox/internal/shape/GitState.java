package palyra.sandbox.internal.shape;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.sandbox.internal.guard.ResolvedCommand;

/**
 * Marks git commands in repositories that make git run other programs: by a hook, by what their
 * configuration says (see git-config(1): fsmonitor, hooksPath, filters, external diff, pagers,
 * signing …), or by another repository within. Only the settings of an allowlist count as data; any
 * other setting sets the mark. The mark is a fact of the call, so that an approval of a call in a
 * harmless repository does not hold once the repository is not. Reads files and changes nothing.
 */
public final class GitState {
    static final String MARK = "!runs-programs";
    private static final int MOST_BYTES = 256 * 1_024;
    private static final int MOST_HEAD_BYTES = 512;
    private static final Pattern VALID_HEAD =
            Pattern.compile("(?:ref: refs/[!-~]+|[0-9a-f]{40}|[0-9a-f]{64})\\n");
    private static final Map<String, Set<String>> DATA =
            Map.of(
                    "core",
                            Set.of(
                                    "repositoryformatversion",
                                    "filemode",
                                    "bare",
                                    "logallrefupdates",
                                    "ignorecase",
                                    "precomposeunicode",
                                    "symlinks",
                                    "autocrlf",
                                    "eol",
                                    "quotepath"),
                    "remote", Set.of("url", "fetch", "pushurl"),
                    "branch",
                            Set.of("remote", "merge", "rebase", "pushremote", "vscode-merge-base"),
                    "user", Set.of("name", "email"),
                    "init", Set.of("defaultbranch"),
                    "pull", Set.of("rebase", "ff"),
                    "color", Set.of("ui"));
    private static final Pattern HEADER =
            Pattern.compile("\\[\\s*(?<section>[A-Za-z]+)(?:\\s+\"[^\"\\\\]*\")?\\s*]");
    private static final Pattern ENTRY =
            Pattern.compile("(?<key>[A-Za-z][A-Za-z0-9-]*)(?:\\s*=[^\\\\]*)?");

    private GitState() {}

    /** Returns whether it is such a command. */
    static boolean runsPrograms(String name, List<String> arguments, ResolvedCommand command) {
        return isGit(name, command)
                && (leavesTheFolder(arguments)
                        || !isHarmless(command.workingFolder(), command.workspace()));
    }

    /** An option before the sub-command may name another repository, or settings. */
    private static boolean leavesTheFolder(List<String> arguments) {
        for (String argument : arguments) {
            if (!argument.startsWith("-")) {
                return false;
            }
            if (!CommandForm.isGlobal("git", argument)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isGit(String command, ResolvedCommand resolved) {
        return isGit(command) || isGit(CommandForm.fileName(resolved));
    }

    private static boolean isGit(String name) {
        return name.toLowerCase(Locale.ROOT).startsWith("git");
    }

    /**
     * Looks for the repository as git does, from the folder upwards, up to the workspace. git goes
     * past a {@code .git} that is no repository to it, and takes a folder itself for a bare one; so
     * only one that is whole ends the search, only an empty folder is passed by (sandboxes put one
     * there), and anything else that could be part of a repository counts.
     */
    private static boolean isHarmless(Path folder, Path workspace) {
        for (Path at = folder; at != null && at.startsWith(workspace); at = at.getParent()) {
            Path inside = at.resolve(".git");
            if (isThere(at, ".git") && !isEmptyFolder(inside)) {
                return isWhole(inside) && isHarmlessRepository(inside, at);
            }
            if (isThere(at, "HEAD")) {
                return false;
            }
        }
        return true; // no repository, so git does nothing
    }

    private static boolean isEmptyFolder(Path folder) {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            return !entries.iterator().hasNext();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether git takes it for a repository: see is_git_directory() of git's setup.c. */
    private static boolean isWhole(Path repository) {
        Path head = repository.resolve("HEAD");
        try {
            return isFolder(repository, "objects")
                    && isFolder(repository, "refs")
                    && Files.isRegularFile(head, LinkOption.NOFOLLOW_LINKS)
                    && Files.size(head) <= MOST_HEAD_BYTES
                    && VALID_HEAD
                            .matcher(Files.readString(head, StandardCharsets.ISO_8859_1))
                            .matches();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isFolder(Path folder, String name) {
        return Files.isDirectory(folder.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isHarmlessRepository(Path repository, Path tree) {
        try {
            return Files.isDirectory(repository, LinkOption.NOFOLLOW_LINKS)
                    && isHarmlessCommonFolder(repository.resolve("commondir"))
                    && !isThere(repository, "config.worktree")
                    && !isThere(repository, "modules")
                    && !isThere(tree, ".gitmodules")
                    && hasNoHook(repository.resolve("hooks"))
                    && isData(repository.resolve("config"))
                    && GitIndex.isFlat(repository);
        } catch (IOException e) {
            return false; // what cannot be read can say anything
        }
    }

    /** A sandbox keeps others from being made by one that names the repository itself. */
    private static boolean isHarmlessCommonFolder(Path file) throws IOException {
        return !Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                || Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                        && Files.size(file) <= 2
                        && Files.readString(file, StandardCharsets.ISO_8859_1).strip().equals(".");
    }

    private static boolean isThere(Path folder, String name) {
        return Files.exists(folder.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean hasNoHook(Path hooks) throws IOException {
        if (!Files.exists(hooks, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        if (!Files.isDirectory(hooks, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(hooks)) {
            for (Path entry : entries) {
                if (!entry.getFileName().toString().endsWith(".sample")) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isData(Path config) throws IOException {
        if (!Files.exists(config, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        if (!Files.isRegularFile(config, LinkOption.NOFOLLOW_LINKS)
                || Files.size(config) > MOST_BYTES) {
            return false;
        }
        String section = "";
        for (String line : lines(config)) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#") || text.startsWith(";")) {
                continue;
            }
            Matcher header = HEADER.matcher(text);
            if (header.matches()) {
                section = header.group("section").toLowerCase(Locale.ROOT);
            } else if (!isData(section, text)) {
                return false;
            }
        }
        return true;
    }

    private static List<String> lines(Path config) throws IOException {
        return List.of(Files.readString(config, StandardCharsets.ISO_8859_1).split("\\n", -1));
    }

    private static boolean isData(String section, String text) {
        Matcher entry = ENTRY.matcher(text);
        return entry.matches()
                && DATA.getOrDefault(section, Set.of())
                        .contains(entry.group("key").toLowerCase(Locale.ROOT));
    }
}
