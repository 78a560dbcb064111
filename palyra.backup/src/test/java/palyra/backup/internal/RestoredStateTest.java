package palyra.backup.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.felix.hc.api.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.backup.internal.archive.Manifest;
import palyra.shared.hash.Digests;

class RestoredStateTest {
    @TempDir Path state;

    private void restored(String... names) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (String name : names) {
            files.put(name, "0".repeat(64));
        }
        Files.write(state.resolve(Manifest.NAME), new Manifest("0.1.0", 1, 0, 0, files).json());
    }

    @Test
    void aGatewayThatLacksAFileIsNotReadyUntilItIsBack() throws IOException {
        Files.writeString(state.resolve("head"), "x");
        restored("head", "own.cedar");
        RestoredState check = new RestoredState(state);
        assertEquals(Result.Status.CRITICAL, check.execute().getStatus());
        assertTrue(check.findings().get(0).message().contains("own.cedar"));
        assertFalse(check.findings().get(0).message().contains("head"));
        Files.writeString(state.resolve("own.cedar"), "x");
        assertEquals(Result.Status.OK, check.execute().getStatus());
        assertEquals(List.of(), check.findings());
    }

    @Test
    void onceAllWereThereFilesMayGo() throws IOException {
        Files.writeString(state.resolve("own.cedar"), "x");
        restored("own.cedar");
        RestoredState check = new RestoredState(state);
        assertEquals(Result.Status.OK, check.execute().getStatus());
        Files.delete(state.resolve("own.cedar"));
        assertEquals(Result.Status.OK, check.execute().getStatus());
        assertFalse(Files.exists(state.resolve(Manifest.NAME)));
    }

    /** A start makes keys anew, so that a file of the name is there. */
    @Test
    void whatAStartMadeAnewIsMissedUntilTheOldContentIsBack() throws IOException {
        Files.createDirectories(state.resolve("keys"));
        Path key = state.resolve("keys/boot-keys.json");
        Files.writeString(key, "old");
        Path conf = Files.createDirectories(state.resolve("conf")).resolve("a.json");
        Files.writeString(conf, "as restored");
        Map<String, String> files = new TreeMap<>();
        files.put("keys/boot-keys.json", Digests.sha256Hex(Files.readAllBytes(key)));
        files.put("conf/a.json", Digests.sha256Hex(Files.readAllBytes(conf)));
        Files.write(state.resolve(Manifest.NAME), new Manifest("0.1.0", 1, 0, 0, files).json());
        Files.writeString(key, "new");
        Files.writeString(conf, "edited by an operator");
        RestoredState check = new RestoredState(state);
        String found = check.findings().get(0).message();
        assertTrue(found.contains("lacks a file") && found.contains("boot-keys.json"), found);
        assertFalse(found.contains("conf"), found);
        Files.delete(conf); // it was there at the first look
        assertEquals(found, new RestoredState(state).findings().get(0).message());
        Files.writeString(key, "old");
        assertEquals(List.of(), new RestoredState(state).findings());
    }

    @Test
    void payloadFilesThatAreGoneOrEmptyAreMissed() throws IOException {
        Path bucket = Files.createDirectories(state.resolve("journal/payloads/ab"));
        Files.writeString(bucket.resolve("ab01"), "x");
        Files.createFile(bucket.resolve("ab02"));
        Files.write(state.resolve(Manifest.NAME), new Manifest("0.1.0", 1, 2, 9, Map.of()).json());
        RestoredState check = new RestoredState(state);
        assertEquals(Result.Status.CRITICAL, check.execute().getStatus());
        assertTrue(check.findings().get(0).message().contains("journal/payloads had 2"));
        Files.writeString(bucket.resolve("ab02"), "y");
        assertEquals(Result.Status.OK, check.execute().getStatus());
        assertFalse(Files.exists(state.resolve(Manifest.NAME)));
    }

    @Test
    void aListThatCannotBeReadIsNotTakenForComplete() throws IOException {
        Files.writeString(state.resolve(Manifest.NAME), "{");
        RestoredState check = new RestoredState(state);
        assertEquals(Result.Status.CRITICAL, check.execute().getStatus());
        assertEquals(1, check.findings().size());
    }

    @Test
    void aGatewayThatWasNeverRestoredIsReady() {
        assertEquals(Result.Status.OK, new RestoredState(state).execute().getStatus());
    }
}
