package palyra.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import palyra.shared.files.MediumFailure;

/**
 * Reports readiness to another program as {@code {"pid":…,"millis":…,"endpoints":{…}}}, written
 * atomically. A file of an earlier start is deleted first.
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

    /**
     * Writes the file; when that fails, reports it once and retries each second. Never throws: a
     * running gateway does not end because of this file.
     */
    void writeWhenPossible(long millis, Map<String, String> endpoints, Consumer<String> tell) {
        try {
            write(millis, endpoints);
        } catch (IOException | RuntimeException e) {
            tell.accept(
                    "PALYRA_READY_FILE="
                            + path
                            + " cannot be written and is tried again each second: "
                            + MediumFailure.sentence(e, path));
            Thread later = new Thread(() -> tryAgain(millis, endpoints), "palyra-ready-file");
            later.setDaemon(true);
            later.start();
        }
    }

    private void tryAgain(long millis, Map<String, String> endpoints) {
        try {
            boolean written = false;
            while (!written) {
                TimeUnit.SECONDS.sleep(1);
                written = tried(millis, endpoints);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean tried(long millis, Map<String, String> endpoints) {
        try {
            write(millis, endpoints);
            return true;
        } catch (IOException | RuntimeException e) {
            return false; // already reported
        }
    }

    void write(long millis, Map<String, String> endpoints) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("pid", ProcessHandle.current().pid());
        members.put("millis", millis);
        members.put("endpoints", endpoints);
        Path draft = path.resolveSibling(path.getFileName() + ".draft");
        try {
            Files.writeString(draft, Json.write(members) + "\n");
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }
}
