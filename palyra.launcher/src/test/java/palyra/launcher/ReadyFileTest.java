package palyra.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
    void escapesWhatJsonDoesNotAllow() {
        assertEquals(
                "[\"\\\"\\\\\\n\\u0001\\ud83d\\ude00é\",true,{},[]]",
                Json.write(List.of("\"\\\n\u0001\ud83d\ude00é", true, Map.of(), List.of())));
    }
}
