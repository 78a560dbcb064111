package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where files of git and links lead, through any links that are on the way now. A command keeps in
 * the private folders of its session what it likes, and no review looks there: what leads there, or
 * to a place that cannot be told, is forbidden. Stateless.
 */
final class GitPlaces {
    /** Folder in which the private files of sessions are; see SessionSandboxes. */
    static final String SESSIONS = ".sessions";

    private static final String FORBIDDEN = "!";
    private static final String UNKNOWN = "?";
    private static final String GITDIR = "gitdir: ";
    private static final Path ROOT = Path.of("/");
    private static final Path PROC = Path.of("/proc");
    private static final int MOST_LINKS = 64; // the kernel follows 40

    /** The same for each process that opens it: what it has open, not what a command has. */
    private static final Pattern OWN_STREAM =
            Pattern.compile("/dev/(?:stdin|stdout|stderr)|/proc/self/fd/[0-2]");

    /** What all readers of git's files take for the same path. */
    private static final Pattern PLAIN = Pattern.compile("([!-~](?:[ -~]*[!-~])?)\n?");

    private GitPlaces() {}

    /** Returns the path that a file or link names; empty where readers may differ about it. */
    static Optional<Path> plain(String name, GitFile file) {
        if (file.kind() == GitFile.Kind.LINK) {
            return Optional.of(GitPaths.path(file.text()));
        }
        boolean prefixed = name.equalsIgnoreCase(".git");
        if (!file.isFile() || (prefixed && !file.text().startsWith(GITDIR))) {
            return Optional.empty();
        }
        String text = prefixed ? file.text().substring(GITDIR.length()) : file.text();
        return Optional.of(PLAIN.matcher(text))
                .filter(Matcher::matches)
                .map(found -> Path.of(found.group(1)));
    }

    /**
     * Returns where what is at a path of a workspace leads, as a text that is compared; empty when
     * it names no place.
     */
    static String of(Path workspace, String path, GitFile file) {
        Path folder = workspace.resolve(GitPaths.path(path)).getParent();
        if (file.kind() == GitFile.Kind.LINK) {
            return place(workspace, folder, GitPaths.path(file.text()));
        }
        if (!file.isFile()) {
            return "";
        }
        String name = path.substring(path.lastIndexOf('/') + 1);
        return switch (name.toLowerCase(Locale.ROOT)) {
            case ".git" ->
                    file.text().startsWith(GITDIR)
                            ? ofText(workspace, folder, file.text().substring(GITDIR.length()))
                            : "";
            case "commondir", "gitdir" -> ofText(workspace, folder, file.text());
            case "alternates" ->
                    file.text()
                            .lines()
                            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                            .map(line -> ofText(workspace, folder.getParent(), line))
                            .collect(Collectors.joining("\n"));
            case "config", "config.worktree", ".gitmodules" ->
                    GitConfig.read(file.text()).stream()
                            .flatMap(config -> config.entries().stream())
                            .map(entry -> ofEntry(workspace, path, entry))
                            .filter(place -> !place.isEmpty())
                            .collect(Collectors.joining("\n"));
            default -> "";
        };
    }

    /** Returns where a setting leads of those that send git to a folder; empty for others. */
    static String ofEntry(Path workspace, String path, GitConfig.Entry entry) {
        Path folder = workspace.resolve(GitPaths.path(path)).getParent();
        if (entry.name().equals("core.worktree") && entry.value() != null) {
            return ofText(workspace, folder, entry.value());
        }
        return GitSettings.location(entry)
                        .filter(text -> isForbidden(workspace, folder, text))
                        .isPresent()
                ? FORBIDDEN
                : "";
    }

    /**
     * Git takes a path in a setting from the top of a work tree, of which there may be several, or
     * from its own folder, and adds an ending. Links in the workspace that lead to sessions are
     * removed anyway.
     */
    private static boolean isForbidden(Path workspace, Path folder, String text) {
        return ("/" + text + "/").contains("/" + SESSIONS + "/")
                || Stream.of(folder, folder.resolve("..").normalize(), workspace)
                        .flatMap(
                                from ->
                                        Stream.of(text, text + ".git")
                                                .map(end -> List.of(from, end)))
                        .anyMatch(
                                one ->
                                        isForbidden(
                                                ofText(
                                                        workspace,
                                                        (Path) one.get(0),
                                                        (String) one.get(1))));
    }

    /** Reads a path as git does: all bytes up to the end of the line. */
    private static String ofText(Path workspace, Path folder, String text) {
        String line = text.replaceFirst("[\n\r]+\\z", "");
        int end = line.indexOf('\0');
        try {
            byte[] bytes =
                    (end < 0 ? line : line.substring(0, end)).getBytes(StandardCharsets.ISO_8859_1);
            return place(workspace, folder, GitPaths.path(bytes));
        } catch (IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    private static String place(Path workspace, Path folder, Path named) {
        Path place = resolved(folder, named);
        boolean forbidden =
                !OWN_STREAM.matcher(named.toString()).matches() && isForbidden(workspace, place);
        return (forbidden ? FORBIDDEN : "") + GitPaths.text(place);
    }

    /** Returns whether a place is one to which nothing may lead. */
    static boolean isForbidden(String place) {
        return place.startsWith(FORBIDDEN) || place.contains("\n" + FORBIDDEN);
    }

    /** Returns whether a link leads to where nothing may lead. */
    static boolean isForbidden(Path workspace, Path folder, Path named) {
        boolean stays =
                !named.isAbsolute() && folder.resolve(named).normalize().startsWith(workspace);
        boolean simple = stays && !turnsBack(named) && !names(named, SESSIONS);
        return !simple && isForbidden(place(workspace, folder, named));
    }

    private static boolean isForbidden(Path workspace, Path place) {
        if (place.startsWith(workspace)) {
            return false;
        }
        boolean ofProcess = place.startsWith(PROC) && place.getNameCount() > 2;
        return names(place, SESSIONS)
                || (ofProcess && !Files.exists(place, LinkOption.NOFOLLOW_LINKS))
                || (ofProcess && Files.isSymbolicLink(place));
    }

    private static boolean names(Path path, String name) {
        for (Path one : path) {
            if (one.toString().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a way up follows a name: what that name is, a link perhaps, decides where it leads.
     */
    static boolean turnsBack(Path path) {
        boolean named = false;
        for (Path one : path) {
            boolean up = one.toString().equals("..");
            if (up && named) {
                return true;
            }
            named |= !up;
        }
        return false;
    }

    /**
     * Follows a path as the system does, further than what is there. Ends at a link of a process in
     * {@code /proc}, which leads elsewhere than its text says, and in a circle of links.
     *
     * @param from absolute real path
     */
    static Path resolved(Path from, Path named) {
        Deque<Path> left = new ArrayDeque<>();
        named.forEach(left::add);
        Path at = named.isAbsolute() ? ROOT : from;
        int links = 0;
        while (!left.isEmpty()) {
            Path name = left.poll();
            if (name.toString().equals("..")) {
                at = at.getParent() == null ? ROOT : at.getParent();
                continue;
            }
            Path next = name.toString().equals(".") ? at : at.resolve(name);
            if (!Files.isSymbolicLink(next)) {
                at = next;
                continue;
            }
            if (++links > MOST_LINKS || (next.startsWith(PROC) && next.getNameCount() > 2)) {
                return next;
            }
            try {
                Path target = Files.readSymbolicLink(next);
                at = target.isAbsolute() ? ROOT : at;
                for (int names = target.getNameCount() - 1; names >= 0; names--) {
                    left.addFirst(target.getName(names));
                }
            } catch (IOException e) {
                at = next; // it has changed meanwhile
            }
        }
        return at;
    }
}
