package palyra.skills.engine.endive.internal.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiled code on disk is used only as this gateway wrote it. */
class SealedFolderTest {
    private static final String DIGEST = "ab".repeat(32);
    private static final String OTHER = "cd".repeat(32);
    private static final byte[] CONTENT =
            "compiled code".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    @TempDir Path state;

    private SealedFolder open(String version) throws IOException {
        return new SealedFolder(state.resolve("wasm-cache"), version, 1_000);
    }

    private Path file(String digest) {
        return state.resolve("wasm-cache").resolve(digest + ".code");
    }

    private SealedFolder filled() throws IOException {
        SealedFolder cache = open("1");
        cache.put(DIGEST, CONTENT);
        assertArrayEquals(CONTENT, cache.get(DIGEST).orElseThrow());
        return cache;
    }

    private void refuses(SealedFolder cache, String digest) {
        assertEquals(Optional.empty(), cache.get(digest));
        assertEquals(1, cache.counts().refused());
        assertFalse(Files.exists(file(digest)), "it is still there");
        assertEquals(Optional.empty(), cache.get(digest));
        assertEquals(1, cache.counts().refused());
    }

    @Test
    void keepsCodeOverRestarts() throws Exception {
        filled();
        assertArrayEquals(CONTENT, open("1").get(DIGEST).orElseThrow());
        assertEquals(Optional.empty(), open("1").get(OTHER));
    }

    @Test
    void isForItsOwnerAlone() throws Exception {
        filled();
        Path folder = state.resolve("wasm-cache");
        assertEquals(
                "rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
        for (Path file : new Path[] {file(DIGEST), folder.resolve("key")}) {
            assertEquals(
                    "rw-------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        }
    }

    @Test
    void refusesChangedCode() throws Exception {
        SealedFolder cache = filled();
        byte[] entry = Files.readAllBytes(file(DIGEST));
        entry[3] ^= 1;
        Files.write(file(DIGEST), entry);
        refuses(cache, DIGEST);
    }

    @Test
    void refusesTruncatedCode() throws Exception {
        for (int length : new int[] {0, 5, 31, 32, 44}) {
            SealedFolder cache = filled();
            Files.write(file(DIGEST), Arrays.copyOf(Files.readAllBytes(file(DIGEST)), length));
            refuses(cache, DIGEST);
        }
    }

    @Test
    void refusesCodeOfAnotherModule() throws Exception {
        SealedFolder cache = filled();
        Files.copy(file(DIGEST), file(OTHER));
        refuses(cache, OTHER);
    }

    @Test
    void refusesCodeOfAnotherVersion() throws Exception {
        filled();
        refuses(open("2"), DIGEST);
    }

    @Test
    void refusesCodeOfAnotherGateway() throws Exception {
        filled();
        byte[] foreign = Files.readAllBytes(file(DIGEST));
        Files.delete(state.resolve("wasm-cache").resolve("key"));
        SealedFolder cache = open("1");
        Files.write(file(DIGEST), foreign);
        refuses(cache, DIGEST);
    }

    @Test
    void doesNotFollowLinks() throws Exception {
        SealedFolder cache = filled();
        Path real = state.resolve("elsewhere");
        Files.move(file(DIGEST), real);
        Files.createSymbolicLink(file(DIGEST), real);
        refuses(cache, DIGEST);
        assertTrue(Files.exists(real));
    }

    @Test
    void makesANewKeyWhenOthersCouldReadTheOldOne() throws Exception {
        filled();
        Path key = state.resolve("wasm-cache").resolve("key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        refuses(open("1"), DIGEST);
    }

    @Test
    void dropsTheLeastRecentlyUsedWhenItIsFull() throws Exception {
        SealedFolder cache = open("1");
        cache.put(DIGEST, new byte[400]);
        cache.put(OTHER, new byte[400]);
        Files.setLastModifiedTime(file(OTHER), FileTime.fromMillis(1_000));
        cache.put("ef".repeat(32), new byte[400]);
        assertTrue(cache.get(DIGEST).isPresent());
        assertEquals(Optional.empty(), cache.get(OTHER));
        cache.put(OTHER, new byte[2_000]);
        assertEquals(Optional.empty(), cache.get(OTHER));
        assertEquals(0, cache.counts().refused());
    }

    @Test
    void removesWhatAnInterruptedWriteLeft() throws Exception {
        filled();
        Path left = state.resolve("wasm-cache").resolve("new-1-" + OTHER);
        Files.write(left, CONTENT);
        open("1");
        assertFalse(Files.exists(left));
    }

    @Test
    void survivesAFolderThatCannotBeWritten() throws Exception {
        SealedFolder cache = filled();
        try (var files = Files.list(state.resolve("wasm-cache"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(state.resolve("wasm-cache"));
        cache.put(OTHER, CONTENT);
        assertEquals(Optional.empty(), cache.get(OTHER));
        assertEquals(1, cache.counts().problems());
    }
}
