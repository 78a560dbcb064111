package palyra.policy.internal.set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.PalyraException;
import palyra.policy.internal.decide.EngineDivergence;
import palyra.shared.files.DurableFiles;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * Remembers over restarts that the engines differed: only an operator makes that undone. Used by
 * one thread.
 */
final class DivergenceStore {
    private static final Logger LOG = LoggerFactory.getLogger(DivergenceStore.class);

    private final Path folder;
    private final Path file;
    private final DurableFiles disk;

    DivergenceStore(Path folder, DurableFiles disk) {
        this.folder = folder;
        this.file = folder.resolve("engines-differ.json");
        this.disk = disk;
    }

    /** Returns the payload of the event that says so. */
    static ObjectNode event(EngineDivergence difference) {
        ObjectNode event = JsonNodeFactory.instance.objectNode();
        event.put("sha256", difference.setSha256());
        event.put("compiled", difference.compiled());
        event.put("native", difference.nativeEngine());
        event.put("evidenceJson", difference.evidenceJson());
        return event;
    }

    void save(EngineDivergence difference) {
        try {
            disk.makeFolder(folder);
            Path temporary = folder.resolve(SetStore.TEMPORARY + UUID.randomUUID());
            disk.writeNew(temporary, Jcs.bytes(event(difference)));
            disk.rename(temporary, file);
            disk.sync(folder);
        } catch (IOException e) {
            LOG.error("That the engines differed could not be kept for the next start.", e);
        }
    }

    /** Returns what was saved; a file that cannot be read counts as a difference. */
    Optional<EngineDivergence> load() {
        try {
            JsonNode event = StrictJson.parse(Files.readAllBytes(file), "the saved difference");
            return Optional.of(
                    new EngineDivergence(
                            event.path("evidenceJson").asText(),
                            event.path("sha256").asText(),
                            event.path("compiled").asText(),
                            event.path("native").asText()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | PalyraException e) {
            LOG.warn("{} cannot be read: {}", file, e.getMessage());
            return Optional.of(new EngineDivergence("", "", "not readable", "not readable"));
        }
    }

    void clear() {
        try {
            if (Files.exists(file)) {
                disk.delete(file);
                disk.sync(folder);
            }
        } catch (IOException e) {
            LOG.error("That the engines differed could not be forgotten on disk.", e);
        }
    }
}
