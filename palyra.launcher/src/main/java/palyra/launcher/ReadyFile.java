package palyra.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells another program that the gateway is ready: {@code {"pid":…,"millis":…,"endpoints":{…}}},
 * whole or not at all. A file of an earlier start is removed first, so that its presence means now.
 */
final class ReadyFile {
    private final Path path;

    ReadyFile(Path path) {
        this.path = path;
    }

    void clear() throws LaunchException {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new LaunchException(
                    ExitCode.USAGE, "PALYRA_READY_FILE cannot be used: " + Problems.sentence(e), e);
        }
    }

    void write(long millis, Map<String, String> endpoints) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("pid", ProcessHandle.current().pid());
        members.put("millis", millis);
        members.put("endpoints", endpoints);
        Path draft = path.resolveSibling(path.getFileName() + ".draft");
        Files.writeString(draft, Json.write(members) + "\n");
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
    }
}
