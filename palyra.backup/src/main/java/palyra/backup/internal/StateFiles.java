package palyra.backup.internal;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.files.FileTree;

/**
 * The files of a state folder beside the journal. Journal and files are of one moment when no file
 * changed while they were copied: then what the journal knows of vault, skills and policies is what
 * their files hold.
 */
final class StateFiles {
    /** Made again by a start, of this run only, or written by the backup or the journal itself. */
    private static final Set<String> LEFT_OUT =
            Set.of(
                    ".cache",
                    "cache",
                    "cache-aot",
                    "home",
                    "journal",
                    "lock",
                    "logs",
                    Manifest.NAME,
                    "run",
                    "tmp",
                    "wasm-cache");

    private static final int TRIES = 10;
    private static final int DEEPEST = 64;

    private final Path state;

    StateFiles(Path state) {
        this.state = state.toAbsolutePath().normalize();
    }

    /** What copies the journal. */
    @FunctionalInterface
    interface JournalCopy {
        void run() throws IOException;
    }

    /**
     * Runs {@code journal}, then copies the files; both again when a file changed meanwhile.
     *
     * @param draft folder to copy to; has nothing but what {@code journal} makes
     * @param cancelled asked before each file
     * @throws PalyraException CONFLICT when files change all the time; CANCELLED
     */
    void copyAround(Path draft, BooleanSupplier cancelled, JournalCopy journal) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            FileTree.remove(draft);
            Files.createDirectory(draft);
            Map<String, String> before = stamps();
            journal.run();
            if (copy(before.keySet(), draft, cancelled) && before.equals(stamps())) {
                return;
            }
        }
        throw new PalyraException(
                ErrorCode.CONFLICT,
                "Files of the state folder changed during each of "
                        + TRIES
                        + " tries to copy them; try again when no secret, skill or policy is being"
                        + " changed.");
    }

    private boolean copy(Set<String> names, Path draft, BooleanSupplier cancelled)
            throws IOException {
        try {
            for (String name : names) {
                if (cancelled.getAsBoolean()) {
                    throw new PalyraException(ErrorCode.CANCELLED, "The backup was cancelled.");
                }
                Path target = draft.resolve(name);
                Files.createDirectories(target.getParent());
                try {
                    Files.copy(state.resolve(name), target);
                } catch (AccessDeniedException e) {
                    throw unreadable(state.resolve(name), e);
                }
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Returns about how many bytes a copy takes; payload files are linked. */
    long bytes() throws IOException {
        long[] bytes = new long[1];
        look((name, attributes) -> bytes[0] += attributes.size());
        try (DirectoryStream<Path> journal = Files.newDirectoryStream(state.resolve("journal"))) {
            for (Path file : journal) {
                bytes[0] += Files.isRegularFile(file) ? Files.size(file) : 0;
            }
        } catch (NoSuchFileException e) {
            // It is not open yet, or its write-ahead log went meanwhile.
        }
        return bytes[0];
    }

    /**
     * Returns size, time of change and key of each file. Links are followed, to copies that hold.
     */
    private Map<String, String> stamps() throws IOException {
        Map<String, String> stamps = new TreeMap<>();
        look(
                (name, attributes) ->
                        stamps.put(
                                name,
                                attributes.size()
                                        + " "
                                        + attributes.lastModifiedTime()
                                        + " "
                                        + attributes.fileKey()));
        return stamps;
    }

    private void look(BiConsumer<String, BasicFileAttributes> found) throws IOException {
        Files.walkFileTree(
                state,
                EnumSet.of(FileVisitOption.FOLLOW_LINKS),
                DEEPEST,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        return leftOut(folder)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (attributes.isRegularFile() && !leftOut(file)) {
                            found.accept(name(file), attributes);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException problem)
                            throws IOException {
                        if (problem instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE; // it went meanwhile, or leads nowhere
                        }
                        throw unreadable(file, problem);
                    }
                });
    }

    /** Returns a file's path below the state folder; it must be a text that leads back to it. */
    private String name(Path file) {
        String name = state.relativize(file).toString();
        if (name.indexOf('\uFFFD') >= 0) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "A file of the state folder has a name that is not UTF-8 ("
                            + name
                            + "), which no backup can hold; rename it or take it away.");
        }
        return name;
    }

    private PalyraException unreadable(Path file, IOException problem) {
        String name = state.relativize(file).toString();
        return new PalyraException(
                ErrorCode.INVALID_ARGUMENT,
                problem instanceof FileSystemLoopException
                        ? "The link "
                                + name
                                + " of the state folder leads back to a folder above it; take it"
                                + " away."
                        : "The file or folder "
                                + name
                                + " of the state folder cannot be read by the gateway's user; make"
                                + " it readable, or take it away.",
                problem);
    }

    private boolean leftOut(Path path) {
        return state.equals(path.getParent()) && LEFT_OUT.contains(path.getFileName().toString());
    }
}
