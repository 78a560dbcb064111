package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.files.MediumFailure;

/**
 * Takes the lines out that run programs ({@code exec}) of the lists by which git goes on with an
 * unfinished rebase, unless they were there before the command. Everything else of the list stays,
 * so that the rebase can go on. Stateless.
 */
final class GitTodo {
    private static final Logger LOG = LoggerFactory.getLogger(GitTodo.class);

    /** Folders of a repository with such a list; see rebase-merge in gitrepository-layout(5). */
    static final List<String> FOLDERS = List.of("rebase-merge", "sequencer");

    /** Names of the lists in these. */
    static final List<String> NAMES = List.of("git-rebase-todo", "todo");

    /** As git reads a line: a word in full or as one letter, and what may follow it. */
    private static final Pattern RUNS =
            Pattern.compile("[ \\t]*(exec|x)([ \\t\\r\\x00].*)?", Pattern.DOTALL);

    private GitTodo() {}

    /**
     * Looks at the lists of one repository.
     *
     * @param folder folder of git, relative to the workspace
     * @param same whether it is the one that was there before the command
     * @param notes takes what was undone, as sentences
     */
    static void review(
            Path workspace,
            String folder,
            GitSnapshot before,
            GitSnapshot after,
            boolean same,
            List<String> notes) {
        for (String name : FOLDERS) {
            String list = folder.isEmpty() ? name : folder + "/" + name;
            if (after.file(list).kind() == GitFile.Kind.LINK) {
                change(workspace, list, "The link " + GitReview.shown(list) + " was", null, notes);
            }
            for (String file : NAMES) {
                String path = list + "/" + file;
                GitFile was = same ? before.file(path) : GitFile.ABSENT;
                list(workspace, path, after.file(path), was, notes);
            }
        }
        GitOptions.FILES.forEach(
                (name, files) ->
                        files.forEach(
                                file -> {
                                    String path =
                                            (folder.isEmpty() ? "" : folder + "/")
                                                    + name
                                                    + "/"
                                                    + file;
                                    GitFile was = same ? before.file(path) : GitFile.ABSENT;
                                    options(workspace, path, file, after.file(path), was, notes);
                                }));
    }

    private static void options(
            Path workspace,
            String path,
            String name,
            GitFile now,
            GitFile was,
            List<String> notes) {
        boolean stays = now.isLike(was) && !now.shared();
        if (now.isThere() && !stays && !GitOptions.areGitsOwn(name, now)) {
            String what =
                    "The file "
                            + GitReview.shown(path)
                            + ", with a strategy or option that git does not write, was";
            change(workspace, path, what, null, notes);
        }
    }

    private static void list(
            Path workspace, String path, GitFile now, GitFile was, List<String> notes) {
        if (!now.isThere() || (now.isLike(was) && !now.shared())) {
            return;
        }
        if (!now.isFile()) {
            change(
                    workspace,
                    path,
                    "The list " + GitReview.shown(path) + ", which cannot be read, was",
                    null,
                    notes);
            return;
        }
        Set<String> known = was.isFile() ? running(was.text()) : Set.of();
        List<String> kept =
                lines(now.text()).filter(line -> !runs(line) || known.contains(line)).toList();
        boolean changed = kept.size() < lines(now.text()).count();
        if (changed || now.shared()) {
            byte[] rest = String.join("\n", kept).getBytes(StandardCharsets.ISO_8859_1);
            String what =
                    "The lines with exec of the unfinished rebase in "
                            + GitReview.shown(path)
                            + " were";
            change(workspace, path, changed ? what : "", rest, notes);
        }
    }

    private static Stream<String> lines(String text) {
        return Stream.of(text.split("\n", -1));
    }

    private static boolean runs(String line) {
        return RUNS.matcher(line).matches();
    }

    private static Set<String> running(String text) {
        return lines(text).filter(GitTodo::runs).collect(Collectors.toSet());
    }

    /**
     * Writes or removes a file.
     *
     * @param what beginning of the sentence about it; empty to say nothing
     * @param content what it is to hold; null to remove it
     */
    private static void change(
            Path workspace, String path, String what, byte[] content, List<String> notes) {
        int slash = path.lastIndexOf('/');
        try (GitFolder folder = GitFolder.open(workspace, path.substring(0, Math.max(0, slash)))) {
            if (content == null) {
                folder.setAside(path.substring(slash + 1));
            } else {
                folder.write(path.substring(slash + 1), content, false);
            }
            if (!what.isEmpty()) {
                notes.add(
                        what
                                + " made by the command and taken out: git rebase --continue outside of"
                                + " the sandbox would run what they name. Run it yourself after the"
                                + " rebase.");
            }
        } catch (IOException e) {
            String why = MediumFailure.sentence(e, workspace.resolve(GitPaths.path(path)));
            LOG.error("What a command made in a repository could not be undone: {}", why);
            notes.add(
                    GitReview.shown(path)
                            + " makes git outside of the sandbox run code and could not be changed: "
                            + why
                            + ". Run git rebase --abort before git is used there.");
        }
    }
}
