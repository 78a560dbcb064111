package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sets aside indexes by which git would write outside of a work tree or into its own folder: it
 * believes that nothing but itself made them. Only those are read that are not as before. For one
 * review.
 */
final class GitIndexes {
    static final String INDEX = "index";

    /** Most parts of one repository of which it is known whether they have changed. */
    static final int MOST_KNOWN = 1_000;

    /** Most parts of one repository that are read. */
    private static final int MOST_PARTS = 50_000;

    private static final Pattern SHARED =
            Pattern.compile(
                    "sharedindex\\.(?:[0-9a-f]{40}|[0-9a-f]{64})", Pattern.CASE_INSENSITIVE);

    private static final long MOST_BYTES = 512L << 20;
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int SHORT_ID = 20; // SHA-1
    private static final int LONG_ID = 32; // SHA-256
    private static final int UNKNOWN = 0;

    private final Path workspace;
    private final GitSnapshot before;
    private final Aside aside;
    private final long until = System.nanoTime() + MOST_NANOS;
    private long left = MOST_BYTES;

    /** Sets something aside. */
    interface Aside {
        /**
         * Gives it another name, and tells it.
         *
         * @param what begins the sentence
         * @param remedy a sentence
         */
        void set(String path, String what, String remedy);
    }

    GitIndexes(Path workspace, GitSnapshot before, Aside aside) {
        this.workspace = workspace;
        this.before = before;
        this.aside = aside;
    }

    /** Returns whether a name of a folder of git is that of an index, or of a part of one. */
    static boolean isOne(String name) {
        return name.toLowerCase(Locale.ROOT).equals(INDEX) || isPart(name);
    }

    /** Returns whether it is that of a part of one. */
    static boolean isPart(String name) {
        return SHARED.matcher(name).matches();
    }

    /**
     * Looks at the indexes of a folder of git, when its settings are as they stay.
     *
     * @param same whether it is the one that was there before
     */
    void review(String folder, boolean same) {
        int idBytes = idBytes(folder);
        boolean stays = same && idBytes == idBytes(folder, before);
        try (GitFolder git = GitFolder.open(workspace, folder)) {
            boolean broken = false;
            List<String> names = git.names(GitIndexes::isOne, MOST_PARTS);
            if (names.size() >= MOST_PARTS) {
                if (git.attributes(INDEX).isPresent()) {
                    setAside(folder, INDEX, "which has more parts than are looked at");
                }
                return;
            }
            for (String name : names) {
                broken |= isPart(name) && review(git, folder, name, stays, idBytes);
            }
            for (String name : names) {
                if (isPart(name)) {
                    continue;
                }
                if (broken) {
                    setAside(folder, name, "of which a part was set aside");
                } else {
                    review(git, folder, name, stays, idBytes);
                }
            }
        } catch (IOException e) {
            return; // it has gone meanwhile
        }
    }

    /** Returns whether it was set aside. */
    private boolean review(GitFolder git, String folder, String name, boolean stays, int idBytes) {
        String words;
        try {
            GitFile now = git.read(name, 0);
            boolean content = now.isFile() || now.kind() == GitFile.Kind.LARGE;
            GitFile was = stays ? before.file(path(folder, name)) : GitFile.ABSENT;
            if (!content || now.isLike(was)) {
                return false; // links and special files have gone already
            }
            words = fault(git, name, idBytes);
        } catch (NoSuchFileException | ClosedChannelException e) {
            return false; // it has gone, or all is looked at again after the interruption
        } catch (IOException e) {
            words = "which cannot be read";
        }
        if (!words.isEmpty()) {
            setAside(folder, name, words);
        }
        return !words.isEmpty();
    }

    private String fault(GitFolder git, String name, int idBytes) throws IOException {
        if (idBytes == UNKNOWN) {
            return "of which it is not known how long its ids are";
        }
        try (SeekableByteChannel file = git.content(name)) {
            left -= file.size();
            if (left < 0) {
                return "which is too large to be looked at";
            }
            IndexFile.check(file, idBytes, () -> System.nanoTime() - until >= 0);
            return "";
        } catch (IndexFile.Fault e) {
            return e.getMessage();
        }
    }

    private void setAside(String folder, String name, String words) {
        String path = path(folder, name);
        aside.set(
                path,
                "The index " + GitReview.shown(path) + ", " + GitReview.shown(words) + ",",
                "Git outside of the sandbox would write the files that it names. Run `git reset`"
                        + " to make one from the last commit.");
    }

    /** Returns how long ids of objects are, by the settings that are there now. */
    private int idBytes(String folder) {
        String common = common(folder, pointer(folder));
        if (common == null) {
            return UNKNOWN;
        }
        try (GitFolder git = GitFolder.open(workspace, common)) {
            return idBytes(git.read("config", GitScan.MOST_FILE_BYTES));
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    private int idBytes(String folder, GitSnapshot at) {
        String common = common(folder, at.file(path(folder, "commondir")));
        return common == null ? UNKNOWN : idBytes(at.file(path(common, "config")));
    }

    private static int idBytes(GitFile settings) {
        if (!settings.isThere()) {
            return SHORT_ID;
        }
        Set<String> formats =
                GitConfig.read(settings.isFile() ? settings.text() : "\0").stream()
                        .flatMap(config -> config.entries().stream())
                        .filter(entry -> entry.name().equals("extensions.objectformat"))
                        .map(entry -> String.valueOf(entry.value()))
                        .collect(Collectors.toSet());
        if (!settings.isFile() || GitConfig.read(settings.text()).isEmpty()) {
            return UNKNOWN;
        }
        return formats.isEmpty() || formats.equals(Set.of("sha1"))
                ? SHORT_ID
                : formats.equals(Set.of("sha256")) ? LONG_ID : UNKNOWN;
    }

    /** Returns what leads to the folder that has the settings, when others were undone. */
    private GitFile pointer(String folder) {
        try (GitFolder git = GitFolder.open(workspace, folder)) {
            GitFile file = git.read("commondir", GitScan.MOST_FILE_BYTES);
            return file.at(GitPlaces.of(workspace, path(folder, "commondir"), file));
        } catch (IOException e) {
            return GitFile.ABSENT;
        }
    }

    /** Returns the folder that has the settings, relative to the workspace; null for outside. */
    private String common(String folder, GitFile pointer) {
        if (!pointer.isThere()) {
            return folder;
        }
        if (!pointer.place().startsWith("/") || pointer.place().indexOf('\n') >= 0) {
            return null;
        }
        Path target = GitPaths.path(pointer.place());
        return target.startsWith(workspace) ? GitPaths.text(workspace.relativize(target)) : null;
    }

    private static String path(String folder, String name) {
        return folder.isEmpty() ? name : folder + "/" + name;
    }
}
