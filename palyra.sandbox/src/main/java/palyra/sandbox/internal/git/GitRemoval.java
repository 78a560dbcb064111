package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import palyra.shared.files.MediumFailure;

/**
 * Removes links that lead to where nothing may lead, and what git itself makes nowhere among its
 * files. They hold nothing that could be lost, and under another name they would lead there, too.
 * Counts all and keeps the first ones to tell of. For one review.
 */
final class GitRemoval {
    /** Sentences about the same. */
    private static final int MOST_TOLD = 10;

    private final Path workspace;
    private final Map<String, String> links = new TreeMap<>(); // the first ones
    private final Map<String, GitFile> inner = new TreeMap<>(); // the first ones
    private final Map<String, IOException> failed = new TreeMap<>(); // the first of each folder
    private final Set<String> failedFolders = new HashSet<>();
    private int linkCount;
    private int innerCount;

    GitRemoval(Path workspace) {
        this.workspace = workspace;
    }

    /** Returns how many were removed. */
    int count() {
        return linkCount + innerCount;
    }

    /** Removes what a look found; returns the look without what no other review has to see. */
    GitSnapshot remove(GitSnapshot seen) {
        Map<String, GitFile> left = new TreeMap<>(seen.files());
        left.keySet().removeAll(seen.links().keySet());
        byFolder(seen.links().keySet())
                .forEach((above, names) -> removeLinks(above, names, seen.links()));
        Set<String> others = new HashSet<>(seen.inner().keySet());
        others.removeAll(seen.links().keySet());
        byFolder(others).forEach((above, names) -> unlink(above, names, seen.inner(), left));
        return new GitSnapshot(
                seen.folders(),
                left,
                Map.of(),
                Map.of(),
                seen.absent(),
                seen.bounded(),
                seen.cut());
    }

    private static Map<String, List<String>> byFolder(Collection<String> paths) {
        Map<String, List<String>> folders = new TreeMap<>();
        paths.forEach(
                path ->
                        folders.computeIfAbsent(GitReview.above(path), any -> new ArrayList<>())
                                .add(GitReview.last(path)));
        return folders;
    }

    private void removeLinks(String above, List<String> names, Map<String, String> all) {
        for (int from = 0; from < names.size(); from++) {
            try (GitFolder folder = GitFolder.open(workspace, above)) {
                for (; from < names.size(); from++) {
                    if (folder.removeLink(names.get(from))) {
                        linkCount++;
                        first(links, path(above, names.get(from)), all);
                    }
                }
            } catch (NoSuchFileException e) {
                continue; // it has gone, perhaps with what it was in
            } catch (IOException e) {
                failed(above, path(above, names.get(Math.min(from, names.size() - 1))), e);
            }
        }
    }

    private void unlink(
            String above, List<String> names, Map<String, GitFile> all, Map<String, GitFile> left) {
        for (int from = 0; from < names.size(); from++) {
            try (GitFolder folder = GitFolder.open(workspace, above)) {
                for (; from < names.size(); from++) {
                    String path = path(above, names.get(from));
                    if (all.get(path).isFile()
                            ? folder.setAsideFile(names.get(from))
                            : folder.unlink(names.get(from))) {
                        innerCount++;
                        first(inner, path, all);
                        left.computeIfPresent(path, (any, file) -> isContent(file) ? file : null);
                    }
                }
            } catch (NoSuchFileException e) {
                continue; // it has gone, perhaps with what it was in
            } catch (IOException e) {
                failed(above, path(above, names.get(Math.min(from, names.size() - 1))), e);
            }
        }
    }

    /** A file that got a content of its own is reviewed for that as well. */
    private static boolean isContent(GitFile file) {
        return file.isFile() || file.kind() == GitFile.Kind.LARGE;
    }

    private static <T> void first(Map<String, T> first, String path, Map<String, T> all) {
        if (first.size() < MOST_TOLD) {
            first.put(path, all.get(path));
        }
    }

    private void failed(String above, String path, IOException e) {
        if (failedFolders.add(above)) {
            failed.put(path, e);
        }
    }

    private static String path(String above, String name) {
        return above.isEmpty() ? name : above + "/" + name;
    }

    /** Returns what could not be removed and why: the first of each folder. */
    Map<String, IOException> failed() {
        return failed;
    }

    /** Returns why nothing was removed of what there is, as a clause. */
    String whyNothing() {
        return "an earlier one left links, special files or other names of files that the gateway"
                + " could not remove: "
                + why()
                + ". Remove them";
    }

    private String why() {
        return failed.entrySet().stream()
                .findFirst()
                .map(
                        one ->
                                GitReview.shown(one.getKey())
                                        + ": "
                                        + MediumFailure.sentence(
                                                one.getValue(),
                                                workspace.resolve(GitPaths.path(one.getKey()))))
                .orElse("they were at other places when they were to be removed");
    }

    /**
     * Tells what was removed.
     *
     * @param leftLinks whether there are more links
     * @param leftInner whether there is more among git's files
     */
    List<String> sentences(boolean leftLinks, boolean leftInner) {
        List<String> notes = new ArrayList<>();
        links.forEach(
                (path, target) ->
                        notes.add(
                                "The link "
                                        + GitReview.shown(path)
                                        + " has been removed: it led to "
                                        + GitReview.shown(target)
                                        + ", where commands keep what programs outside of the"
                                        + " sandbox must not obey or run."));
        if (linkCount > links.size()) {
            notes.add(
                    (linkCount - links.size())
                            + " more links that led there have been removed"
                            + (leftLinks ? ", and some are left to be removed." : "."));
        }
        inner.keySet().stream().map(this::innerSentence).forEach(notes::add);
        if (innerCount > inner.size()) {
            notes.add("The same was done to " + (innerCount - inner.size()) + " more.");
        }
        if (leftInner) {
            notes.add(
                    "Links, special files or other names of files are left among git's own files:"
                            + " there are more than one review removes. The workspace is closed to"
                            + " commands until they are removed.");
        }
        return notes;
    }

    private String innerSentence(String path) {
        if (inner.get(path).isFile()) {
            return "The file "
                    + GitReview.shown(path)
                    + " was made or changed by the command and is now named "
                    + GitReview.shown(GitReview.last(path) + Quarantine.SUFFIX)
                    + ": git has none of that name, and programs outside of the sandbox could run"
                    + " what it says.";
        }
        return (inner.get(path).kind() == GitFile.Kind.LINK
                        ? "The link "
                        : "The special file, or other name of a file, ")
                + GitReview.shown(path)
                + " was made by the command and has been removed: git makes none among its files,"
                + " and would write to where it leads.";
    }
}
