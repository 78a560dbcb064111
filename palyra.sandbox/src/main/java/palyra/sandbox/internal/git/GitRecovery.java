package palyra.sandbox.internal.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.shared.files.MediumFailure;
import palyra.shared.hash.Digests;

/**
 * Undoes at the start of a gateway what commands left in repositories when the one before ended
 * without their end, and has it told with the result of the next command in that workspace. What
 * was not told yet is kept in files, as the gateway may end again. Thread-safe, except for {@link
 * #undo}, which comes before the first command.
 */
public final class GitRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(GitRecovery.class);
    private static final String SUFFIX = ".told";
    private static final String LEFT = "After an earlier command, during which the gateway ended: ";

    private final Path records;

    /**
     * Creates it.
     *
     * @param records folder with what workspaces were like, which may be missing
     */
    public GitRecovery(Path records) {
        this.records = records;
    }

    /** Undoes by the records that were left behind. They stay: they undo nothing more then. */
    public void undo() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records, "*.json")) {
            for (Path file : files) {
                undo(file);
            }
        } catch (NoSuchFileException e) {
            return; // there was none
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("Records of repositories cannot be read: {}", records, e);
        }
    }

    private void undo(Path file) {
        try {
            String json = Files.readString(file);
            Path workspace = Path.of(GitSnapshot.workspaceOf(json));
            if (Files.isDirectory(workspace)) {
                keep(
                        workspace,
                        GitReview.undo(workspace, GitSnapshot.read(json, workspace.toString())));
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("A record of repositories cannot be used: {}", file, e);
        }
    }

    private void keep(Path workspace, List<String> notes) {
        notes.forEach(note -> LOG.warn("In {}, after an earlier command: {}", workspace, note));
        if (notes.isEmpty()) {
            return;
        }
        try {
            Files.write(
                    file(workspace),
                    notes,
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND,
                    StandardOpenOption.SYNC);
        } catch (IOException e) {
            LOG.warn(
                    "What was undone is told in this log only: {}",
                    MediumFailure.sentence(e, file(workspace)));
        }
    }

    /**
     * Returns what was undone in a workspace at the start, as sentences for the model, and forgets
     * it: one of several commands takes it.
     */
    public synchronized List<String> take(Path workspace) {
        Path file = file(workspace);
        try {
            List<String> notes = Files.readAllLines(file);
            Files.delete(file);
            return notes.stream().map(note -> LEFT + note).toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            LOG.warn("What was undone is not told: {}", MediumFailure.sentence(e, file));
            return List.of();
        }
    }

    private Path file(Path workspace) {
        return records.resolve(Digests.sha256Hex(workspace.toString()) + SUFFIX);
    }
}
