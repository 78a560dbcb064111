package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadyFileTest {
    @TempDir Path folder;

    @Test
    void holdsProcessTimeAndEndpointsAsJson() throws Exception {
        Path path = folder.resolve("ready.json");
        ReadyFile file = new ReadyFile(path);
        file.write(1234, Map.of("http", "http://127.0.0.1:7142"));
        assertEquals(
                "{\"pid\":"
                        + ProcessHandle.current().pid()
                        + ",\"millis\":1234,\"endpoints\":{\"http\":\"http://127.0.0.1:7142\"}}\n",
                Files.readString(path));
        file.clear();
        assertFalse(Files.exists(path));
        assertEquals(List.of(), List.of(folder.toFile().list()));
    }

    @Test
    void gatewayStaysUpWhileItsReadyFileIsUnwritable() throws Exception {
        Path path = folder.resolve("missing/ready.json");
        List<String> told = new CopyOnWriteArrayList<>();
        new ReadyFile(path).writeWhenPossible(7, Map.of(), told::add);
        assertEquals(1, told.size());
        assertTrue(told.get(0).contains("tried again each second"), told.get(0));
        Files.createDirectory(path.getParent());
        awaitFile(path);
        assertTrue(Files.readString(path).contains("\"millis\":7"));
    }

    private static void awaitFile(Path path) throws Exception {
        try (WatchService changes = path.getFileSystem().newWatchService()) {
            path.getParent().register(changes, StandardWatchEventKinds.ENTRY_CREATE);
            while (!Files.exists(path)) {
                WatchKey key = changes.poll(20, TimeUnit.SECONDS);
                assertTrue(key != null, "the file was not written within 20 s");
                key.reset();
            }
        }
    }

    /** A member without a JSON form represents every failure that is not the storage's. */
    @Test
    void gatewayStaysUpWhenWritingItsReadyFileFailsUnexpectedly() throws Exception {
        Map<String, String> broken =
                new AbstractMap<>() {
                    @Override
                    public Set<Entry<String, String>> entrySet() {
                        throw new IllegalStateException("as the test says");
                    }
                };
        List<String> told = new CopyOnWriteArrayList<>();
        new ReadyFile(folder.resolve("ready.json")).writeWhenPossible(7, broken, told::add);
        assertEquals(1, told.size());
    }

    @Test
    void leavesNoDraftWhenItCannotBeMoved() throws Exception {
        Path taken = Files.createDirectories(folder.resolve("ready.json/inside")).getParent();
        assertThrows(IOException.class, () -> new ReadyFile(taken).write(7, Map.of()));
        assertEquals(List.of("ready.json"), List.of(folder.toFile().list()));
    }

    @Test
    void escapesWhatJsonDoesNotAllow() {
        assertEquals(
                "[\"\\\"\\\\\\n\\u0001\\ud83d\\ude00é\",true,{},[]]",
                Json.write(List.of("\"\\\n\u0001\ud83d\ude00é", true, Map.of(), List.of())));
    }
}
