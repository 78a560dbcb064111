package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.files.MediumFailure;

/**
 * Undoes what makes programs outside of a sandbox run code of a command: settings that are not
 * plain, hooks, and files that send git to a folder that is not looked at; and sets aside what is
 * new at protected names. Everything else that was done to the repositories stays. Not thread-safe.
 */
final class GitReview {
    private static final Logger LOG = LoggerFactory.getLogger(GitReview.class);
    private static final String WHY =
            " Programs outside of the sandbox would obey or run it. Ask the operator to do it there.";

    /** Sentences about the same. */
    private static final int MOST_TOLD = 10;

    /** How long one review goes on with links beyond the number that one look finds. */
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final Pattern OF_WORK_TREE =
            Pattern.compile("(?:(.*)/)?worktrees/[^/]+/commondir", Pattern.DOTALL);

    private final Path workspace;
    private boolean unfinished;
    private String stuck = "";
    private final GitSnapshot before;
    private final GitSnapshot after;
    private final List<String> permitted;
    private final List<String> notes = new ArrayList<>();

    private GitReview(
            Path workspace, GitSnapshot before, GitSnapshot after, List<String> permitted) {
        this.workspace = workspace;
        this.before = before;
        this.after = after;
        this.permitted = permitted;
    }

    /**
     * Compares a workspace with what it was and undoes.
     *
     * @param permitted paths that may have changed, with what is below them
     */
    static GitReview undo(Path workspace, GitSnapshot before, List<String> permitted) {
        return undo(workspace, before, permitted, GitProtection.Bounds.USUAL);
    }

    /** The same in other bounds. */
    static GitReview undo(
            Path workspace,
            GitSnapshot before,
            List<String> permitted,
            GitProtection.Bounds bounds) {
        int most = bounds.most();
        GitRemoval removal = new GitRemoval(workspace);
        long until = System.nanoTime() + MOST_NANOS;
        GitSnapshot seen;
        GitSnapshot left;
        boolean more;
        boolean went;
        do {
            int earlier = removal.count();
            seen = GitScan.of(workspace, before, path -> isAmong(permitted, path), bounds);
            left = removal.remove(seen);
            more = seen.links().size() >= most || seen.inner().size() >= most;
            went = removal.count() > earlier;
        } while (more && went && System.nanoTime() - until < 0);
        GitReview review = new GitReview(workspace, before, left, permitted);
        review.unfinished = more || !left.cut().isEmpty();
        review.stuck =
                more && removal.count() == 0
                        ? removal.whyNothing()
                        : more && went ? "" : left.cut();
        review.notes.addAll(
                removal.sentences(seen.links().size() >= most, seen.inner().size() >= most));
        if (!left.cut().isEmpty()) {
            review.notes.add(
                    "Not all of git's own files could be looked at: "
                            + left.cut()
                            + ". The workspace is closed to commands until that is done.");
        }
        removal.failed().entrySet().stream()
                .limit(MOST_TOLD)
                .forEach(one -> review.failed(one.getKey(), one.getValue()));
        review.after.folders().keySet().stream().sorted().forEach(review::folder);
        new TreeMap<>(review.after.files()).forEach(review::outside);
        review.indexes();
        for (String name : new TreeSet<>(before.absent())) {
            if (!review.after.absent().contains(name)) {
                review.setAside(name);
            }
        }
        if (review.after.bounded()) {
            review.notes.add(
                    "Not every folder of the workspace was looked at for repositories: it has more"
                            + " than "
                            + GitScan.MOST_FOLDERS
                            + " folders, or some more than "
                            + GitScan.DEEPEST
                            + " levels deep, or a path that is too long for the system. Remove"
                            + " them.");
        }
        return review;
    }

    /** Returns whether there was more to undo than one review may take; make another one. */
    boolean isUnfinished() {
        return unfinished;
    }

    /** Returns why another one would remove nothing either; empty when that is not known. */
    String stuck() {
        return stuck;
    }

    /** Returns what was undone, as sentences. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** Returns the state before, with what is now at the permitted paths. */
    GitSnapshot permitted() {
        Map<String, GitFile> files = new TreeMap<>(before.files());
        files.keySet().removeIf(this::isPermitted);
        after.files()
                .forEach(
                        (path, file) -> {
                            if (isPermitted(path)) {
                                files.put(path, file);
                            }
                        });
        Set<String> absent = new TreeSet<>(before.absent());
        absent.addAll(Quarantine.absent(workspace, GitChoice.others(permitted)));
        return new GitSnapshot(
                before.folders(),
                files,
                before.inner(),
                Map.of(),
                absent,
                before.bounded(),
                before.cut());
    }

    private boolean isPermitted(String path) {
        return isAmong(permitted, path);
    }

    private static boolean isAmong(List<String> permitted, String path) {
        return permitted.stream().anyMatch(one -> (path + "/").startsWith(one + "/"));
    }

    private void folder(String folder) {
        boolean same = after.folders().get(folder).equals(before.folders().get(folder));
        // One that was not seen before is new, also when not all was looked at then.
        settings(folder, "config", same);
        settings(folder, "config.worktree", same);
        commonFolder(folder, same);
        hooks(folder, same);
        GitScan.REMOTES.forEach(name -> remotes(path(folder, name), same));
        GitTodo.review(workspace, folder, before, after, same, notes);
    }

    /** By what is in these git writes to paths that nothing has looked at. */
    private void indexes() {
        GitIndexes indexes = new GitIndexes(workspace, before, this::setAside);
        for (String folder : new TreeSet<>(after.folders().keySet())) {
            indexes.review(
                    folder, after.folders().get(folder).equals(before.folders().get(folder)));
            String words = GitRerere.fault(workspace, folder, after);
            if (!words.isEmpty()) {
                String path = path(folder, GitRerere.LIST);
                setAside(
                        path,
                        "The list of conflicts " + shown(path) + ", " + shown(words),
                        "Git outside of the sandbox would write there what the command prepared.");
            }
        }
    }

    private void setAside(String path, String what, String remedy) {
        if (setAside(path, last(path))) {
            notes.add(
                    what
                            + " was made by the command and is now named "
                            + shown(last(path) + Quarantine.SUFFIX)
                            + ". "
                            + remedy);
        }
    }

    private GitFile earlier(String path, boolean same) {
        if (isPermitted(path)) {
            return after.file(path);
        }
        return same ? before.file(path) : GitFile.ABSENT;
    }

    private static String path(String folder, String name) {
        return folder.isEmpty() ? name : folder + "/" + name;
    }

    private void settings(String folder, String name, boolean same) {
        String path = path(folder, name);
        settings(path, earlier(path, same), false);
    }

    private void settings(String path, GitFile was, boolean modules) {
        GitFile now = after.file(path);
        if (!now.isThere() || (now.isLike(was) && !now.shared() && !now.isForbidden())) {
            return;
        }
        Optional<GitConfig> config = now.isFile() ? GitConfig.read(now.text()) : Optional.empty();
        if (config.isEmpty()) {
            putBack(
                    path,
                    sound(path, was),
                    "The file of settings " + shown(path) + ", which cannot be read,");
            return;
        }
        GitFile sound = sound(path, was);
        List<GitConfig.Entry> old =
                sound.isFile()
                        ? GitConfig.read(sound.text())
                                .map(one -> guarded(one, path))
                                .orElse(List.of())
                        : List.of();
        List<GitConfig.Entry> changed = guarded(config.get(), path);
        if (!areLike(old, changed)) {
            String text = config.get().without(changed) + GitConfig.written(old);
            if (write(path, text.getBytes(StandardCharsets.ISO_8859_1), false)) {
                say(path, old, changed);
            }
        } else if (now.shared() && !modules) {
            write(path, now.content(), false); // so that no other name changes it
        }
    }

    /** Returns earlier settings without those that lead elsewhere than they did, see leadsOut. */
    private GitFile sound(String path, GitFile was) {
        List<String> places = was.place().lines().toList();
        return GitConfig.read(was.isFile() ? was.text() : "")
                .map(
                        config ->
                                config.without(
                                        config.entries().stream()
                                                .filter(one -> hasMoved(one, path, places))
                                                .toList()))
                .filter(text -> was.isFile() && !text.equals(was.text()))
                .map(
                        text ->
                                new GitFile(
                                        was.kind(),
                                        text.getBytes(StandardCharsets.ISO_8859_1),
                                        was.executable(),
                                        was.shared()))
                .orElse(was);
    }

    private boolean hasMoved(GitConfig.Entry entry, String path, List<String> places) {
        String place = GitPlaces.ofEntry(workspace, path, entry);
        return GitPlaces.isForbidden(place) || !(place.isEmpty() || places.contains(place));
    }

    private List<GitConfig.Entry> guarded(GitConfig config, String path) {
        int depth = (int) path.chars().filter(c -> c == '/').count();
        return config.entries().stream()
                .filter(entry -> !GitSettings.isPlain(entry, depth) || leadsOut(entry, path))
                .toList();
    }

    /** Git writes the files of a repository to where this setting leads, through any link. */
    private boolean leadsOut(GitConfig.Entry entry, String path) {
        if (GitPlaces.isForbidden(GitPlaces.ofEntry(workspace, path, entry))) {
            return true;
        }
        if (!entry.name().equals("core.worktree")) {
            return false;
        }
        try {
            // A sub-module that was removed has none; no link may be where it was, or on the way.
            Path folder = workspace.resolve(GitPaths.path(path)).getParent();
            Path named = Path.of(entry.value());
            Path target = folder.resolve(named).normalize();
            return !path.contains("/modules/")
                    || GitPlaces.turnsBack(named)
                    || !target.startsWith(workspace)
                    || !target.equals(GitPlaces.resolved(folder, named))
                    || !(Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)
                            || Files.notExists(target, LinkOption.NOFOLLOW_LINKS));
        } catch (InvalidPathException e) {
            return true;
        }
    }

    private static boolean areLike(List<GitConfig.Entry> some, List<GitConfig.Entry> others) {
        for (int at = 0; at < Math.min(some.size(), others.size()); at++) {
            if (!some.get(at).isLike(others.get(at))) {
                return false;
            }
        }
        return some.size() == others.size();
    }

    private void say(String path, List<GitConfig.Entry> old, List<GitConfig.Entry> changed) {
        for (GitConfig.Entry entry : changed) {
            if (old.stream().noneMatch(entry::isLike)) {
                notes.add(
                        "The git setting "
                                + shown(entry.name())
                                + " in "
                                + shown(path)
                                + " was made by the command and has been removed."
                                + WHY);
            }
        }
        for (GitConfig.Entry entry : old) {
            if (changed.stream().noneMatch(entry::isLike)) {
                notes.add(
                        "The git setting "
                                + shown(entry.name())
                                + " in "
                                + shown(path)
                                + " was changed or removed by the command and is as it was again.");
            }
        }
    }

    private void commonFolder(String folder, boolean same) {
        String path = path(folder, "commondir");
        GitFile now = after.file(path);
        pointer(
                path,
                now,
                earlier(path, same),
                isOfWorkTree(path, now),
                "The file " + shown(path) + ", which sends git to another folder,");
    }

    /** Git itself writes it for a work tree alone, beside the repository of which that is. */
    private boolean isOfWorkTree(String path, GitFile now) {
        Matcher found = OF_WORK_TREE.matcher(path);
        return now.isFile()
                && now.text().strip().equals("../..")
                && found.matches()
                && after.folders().containsKey(found.group(1) == null ? "" : found.group(1))
                && isLookedAt(path, now);
    }

    /**
     * Undoes what sends git elsewhere, unless it is as before and leads to where it led before.
     *
     * @param fine whether it may also be new
     */
    private void pointer(String path, GitFile now, GitFile was, boolean fine, String what) {
        boolean stays = now.isLike(was) && !now.isForbidden() && !isMissed(now);
        if (now.isThere() && !stays && !fine) {
            boolean leadsBack =
                    !was.isForbidden() && was.place().equals(GitPlaces.of(workspace, path, was));
            putBack(path, leadsBack ? was : GitFile.ABSENT, what);
        }
    }

    /** Whether it leads git into the workspace, to a folder that was not looked at. */
    private boolean isMissed(GitFile now) {
        if (!now.place().startsWith("/") || now.place().indexOf('\n') >= 0) {
            return false;
        }
        Path target = GitPaths.path(now.place());
        return target.startsWith(workspace)
                && Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)
                && !target.endsWith("objects")
                && !after.folders().containsKey(GitPaths.text(workspace.relativize(target)));
    }

    private void remotes(String folder, boolean same) {
        new TreeMap<>(after.files())
                .forEach(
                        (path, now) -> {
                            if (path.equals(folder) || path.startsWith(folder + "/")) {
                                String what = "The file " + shown(path) + ", which names a remote,";
                                pointer(path, now, earlier(path, same), false, what);
                            }
                        });
    }

    private void hooks(String folder, boolean same) {
        String hooks = path(folder, "hooks");
        GitFile link = after.file(hooks);
        if (link.isThere() && !link.isLike(earlier(hooks, same))) {
            putBack(hooks, GitFile.ABSENT, "The link " + shown(hooks));
        }
        String begin = hooks + "/";
        for (String path : new TreeMap<>(after.files()).keySet()) {
            if (path.startsWith(begin)) {
                hook(path, after.file(path), earlier(path, same));
            }
        }
        if (same) {
            new TreeMap<>(before.files())
                    .forEach(
                            (path, was) -> {
                                if (path.startsWith(begin)
                                        && was.isFile()
                                        && was.executable()
                                        && !isPermitted(path)
                                        && !after.file(path).isThere()) {
                                    putBack(path, was, "The git hook " + shown(path));
                                }
                            });
        }
    }

    private void hook(String path, GitFile now, GitFile was) {
        boolean runs = now.executable() && now.kind() != GitFile.Kind.OTHER;
        if ((runs || was.executable()) && (!now.isLike(was) || now.shared())) {
            putBack(path, was, "The git hook " + shown(path));
        }
    }

    /** What is beside the files of a work tree: where its repository is, and its sub-modules. */
    private void outside(String path, GitFile now) {
        String name = last(path).toLowerCase(Locale.ROOT);
        GitFile was = before.file(path);
        switch (name) {
            case ".gitmodules" -> settings(path, was, true);
            case ".git" ->
                    pointer(
                            path,
                            now,
                            was,
                            isLookedAt(path, now),
                            "The file " + shown(path) + ", which names a repository,");
            case "hgrc", "hgrc-not-shared", "sharedpath" ->
                    pointer(
                            path,
                            now,
                            was,
                            false,
                            "The file " + shown(path) + ", which Mercurial obeys,");
            case "gitdir" ->
                    pointer(
                            path,
                            now,
                            was,
                            isInside(path, now),
                            "The file " + shown(path) + ", which names a work tree,");
            case "alternates" ->
                    pointer(
                            path,
                            now,
                            was,
                            now.isFile() && !now.isForbidden() && isPlain(now),
                            "The file " + shown(path) + ", which names other repositories,");
            default -> {
                return;
            }
        }
    }

    private static boolean isPlain(GitFile alternates) {
        return alternates.text().matches("(?:[!#-~](?:[ -~]*[!-~])?\n)*");
    }

    /** Whether a file or link leads to a folder of git that was looked at, by no further link. */
    private boolean isLookedAt(String path, GitFile now) {
        return lead(path, now)
                .filter(target -> after.folders().containsKey(GitPaths.text(target)))
                .isPresent();
    }

    private boolean isInside(String path, GitFile now) {
        return now.isFile()
                && lead(path, now).filter(target -> target.endsWith(".git")).isPresent();
    }

    /** Returns the place in the workspace to which something leads by no further link. */
    private Optional<Path> lead(String path, GitFile now) {
        Path folder = workspace.resolve(GitPaths.path(path)).getParent();
        return GitPlaces.plain(last(path), now)
                .filter(named -> !GitPlaces.turnsBack(named))
                .map(named -> folder.resolve(named).normalize())
                .filter(target -> target.startsWith(workspace))
                .filter(target -> target.equals(GitPlaces.resolved(folder, target)))
                .map(workspace::relativize);
    }

    /**
     * What is at a protected name is renamed, so that programs do not find it and nothing is lost.
     */
    private void setAside(String name) {
        try {
            Quarantine.setAside(workspace, name)
                    .ifPresent(
                            moved ->
                                    notes.add(
                                            "What the command made at "
                                                    + shown(name)
                                                    + " is now at "
                                                    + shown(moved)
                                                    + ": programs outside of the sandbox run what"
                                                    + " they find at a protected path. Do not"
                                                    + " commit the move. To have it there, run `mv "
                                                    + shown(moved)
                                                    + " "
                                                    + shown(name)
                                                    + "` with it in protected_paths, which a person"
                                                    + " is asked about, or ask"
                                                    + " the operator."));
        } catch (IOException e) {
            failed(name, e);
        }
    }

    private void putBack(String path, GitFile was, String what) {
        if (was.isFile()) {
            if (write(path, was.content(), was.executable())) {
                notes.add(what + " was changed by the command and is as it was again." + WHY);
            }
        } else if (setAside(path, last(path))) {
            boolean link = after.file(path).kind() == GitFile.Kind.LINK;
            notes.add(
                    what
                            + " was made by the command and "
                            + (link
                                    ? "has been removed."
                                    : "is now named " + shown(last(path) + Quarantine.SUFFIX) + ".")
                            + WHY);
        }
    }

    private boolean write(String path, byte[] content, boolean executable) {
        try (GitFolder folder = GitFolder.open(workspace, above(path))) {
            folder.write(last(path), content, executable);
            return true;
        } catch (IOException e) {
            return failed(path, e);
        }
    }

    private boolean setAside(String path, String name) {
        try (GitFolder folder = GitFolder.open(workspace, above(path))) {
            folder.setAside(name);
            return true;
        } catch (IOException e) {
            return failed(path, e);
        }
    }

    static String above(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    static String last(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private boolean failed(String path, IOException e) {
        String why = MediumFailure.sentence(e, workspace.resolve(GitPaths.path(path)));
        LOG.error("What a command made in a repository could not be undone: {}", why);
        notes.add(
                "The file "
                        + shown(path)
                        + " makes programs outside of the sandbox run code and could not be undone: "
                        + why
                        + ". Remove it before git is used there.");
        return false;
    }

    /** A text of a command as it may stand in a sentence. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(200)
                .map(
                        c ->
                                Character.isISOControl(c)
                                                || Character.getType(c) == Character.FORMAT
                                        ? '?'
                                        : c)
                .forEach(shown::appendCodePoint);
        return shown.toString();
    }
}
