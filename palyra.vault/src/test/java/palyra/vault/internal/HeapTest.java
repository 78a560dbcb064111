package palyra.vault.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A value that was used and closed is nowhere in the heap; one that is held is found. */
class HeapTest {
    @TempDir Path temp;

    @Test
    void noCopyOfAValueIsLeftAfterItsUse() throws Exception {
        assertEquals(0, copies("let-go"));
    }

    @Test
    void aValueThatIsHeldIsFound() throws Exception {
        assertEquals(1, copies("hold"));
    }

    private int copies(String how) throws Exception {
        Path state = Files.createDirectories(temp.resolve(how));
        Process child =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx64m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                HeapChild.class.getName(),
                                state.toString(),
                                how)
                        .redirectErrorStream(true)
                        .redirectOutput(state.resolve("output").toFile())
                        .start();
        boolean ended = child.waitFor(120, TimeUnit.SECONDS);
        child.destroyForcibly();
        String told = Files.readString(state.resolve("output"));
        assertEquals(true, ended, told);
        assertEquals(0, child.exitValue(), told);
        return count(state.resolve("dump.hprof"), HeapChild.value(1));
    }

    /** Counts where bytes stand in a file, one after the other or each behind a zero byte. */
    private static int count(Path file, byte[] wanted) throws IOException {
        byte[] wide = new byte[2 * wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            wide[2 * i + 1] = wanted[i];
        }
        byte[] all;
        try (InputStream in = Files.newInputStream(file)) {
            all = in.readAllBytes();
        }
        return count(all, wanted) + count(all, wide);
    }

    private static int count(byte[] all, byte[] wanted) {
        int count = 0;
        for (int at = 0; at + wanted.length <= all.length; at++) {
            int same = 0;
            while (same < wanted.length && all[at + same] == wanted[same]) {
                same++;
            }
            count += same == wanted.length ? 1 : 0;
        }
        return count;
    }
}
