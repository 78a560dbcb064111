package palyra.policy.internal.set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.shared.files.DurableFiles;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Remembers over restarts which set is being checked, so that one whose check ends the process is
 * not checked at every start again: {@code checking.json} is there exactly while a check is under
 * way. Used by one thread.
 */
final class CheckAttempts {
    /** Starts that may end while a set is checked; once may be a kill that meant something else. */
    static final int MOST = 2;

    private static final Logger LOG = LoggerFactory.getLogger(CheckAttempts.class);
    private static final int LONGEST = 1_024;

    private final Path folder;
    private final Path file;
    private final DurableFiles disk;
    private String suspect = "";
    private int ends;

    CheckAttempts(Path folder, DurableFiles disk) {
        this.folder = folder;
        this.file = folder.resolve("checking.json");
        this.disk = disk;
    }

    /** Reads what the process before left. */
    void open() {
        try {
            if (Files.size(file) > LONGEST) {
                LOG.warn("{} is larger than {} bytes and is not read.", file, LONGEST);
                return;
            }
            JsonNode left = StrictJson.parse(Files.readAllBytes(file), "the mark of a check");
            suspect = left.path("sha256").asText();
            ends = left.path("ends").asInt() + 1;
            LOG.warn("The process before ended while it checked the policy set {}.", suspect);
        } catch (NoSuchFileException e) {
            LOG.trace("No check was under way.");
        } catch (IOException | PalyraException e) {
            LOG.warn("{} cannot be read and does not count: {}", file, e.getMessage());
        }
    }

    /** Whether processes ended again and again while they checked this set. */
    boolean endsProcesses(String sha256) {
        return suspect.equals(sha256) && ends >= MOST;
    }

    /** A check begins; durable when it returns, unless the medium does not take it. */
    void begin(String sha256) {
        ObjectNode mark = JsonNodeFactory.instance.objectNode();
        mark.put("sha256", sha256);
        mark.put("ends", suspect.equals(sha256) ? ends : 0);
        try {
            disk.makeFolder(folder);
            Path temporary = folder.resolve(SetStore.TEMPORARY + UUID.randomUUID());
            disk.writeNew(temporary, Jcs.bytes(mark));
            disk.rename(temporary, file);
            disk.sync(folder);
        } catch (IOException e) {
            LOG.debug("That a policy set is being checked could not be kept.", e);
        }
    }

    /** The check has ended and the process has not: the set is no longer suspected. */
    void end(String sha256) {
        if (suspect.equals(sha256)) {
            suspect = "";
            ends = 0;
        }
        try {
            if (Files.exists(file)) {
                disk.delete(file);
            }
        } catch (IOException e) {
            LOG.debug("The mark of a check stays; it counts only if this process ends now.", e);
        }
    }
}
