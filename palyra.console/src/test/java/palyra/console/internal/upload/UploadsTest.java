package palyra.console.internal.upload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class UploadsTest {
    private static final byte[] JAR = {1, 2, 3};

    @TempDir Path folder;
    private final AtomicLong now = new AtomicLong(1_000);

    private Uploads uploads() {
        return new Uploads(folder, now::get);
    }

    private static InputStream jar() {
        return new ByteArrayInputStream(JAR);
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.count();
        }
    }

    private static ErrorCode refusal(org.junit.jupiter.api.function.Executable call) {
        return assertThrows(PalyraException.class, call).code();
    }

    @Test
    void keepsAJarForTheOneWhoSentItAndTheBundleItIsFor() throws Exception {
        Uploads uploads = uploads();
        String id = uploads.keep("user:ann", "a", jar()).id();
        assertArrayEquals(JAR, uploads.bytes("user:ann", "a", id));
        assertEquals(ErrorCode.NOT_FOUND, refusal(() -> uploads.bytes("user:bob", "a", id)));
        assertEquals(ErrorCode.NOT_FOUND, refusal(() -> uploads.bytes("user:ann", "b", id)));
        assertEquals(ErrorCode.NOT_FOUND, refusal(() -> uploads.bytes("user:ann", "a", "../a")));
        uploads.forgetAll("user:ann");
        assertEquals(ErrorCode.NOT_FOUND, refusal(() -> uploads.bytes("user:ann", "a", id)));
        assertEquals(0, files());
    }

    @Test
    void keepsOneForEachPersonAndFewTogetherForAQuarterOfAnHour() throws Exception {
        Uploads uploads = uploads();
        String first = uploads.keep("user:0", "a", jar()).id();
        uploads.keep("user:0", "a", jar());
        assertEquals(ErrorCode.NOT_FOUND, refusal(() -> uploads.bytes("user:0", "a", first)));
        for (int i = 1; i < Uploads.MOST; i++) {
            uploads.keep("user:" + i, "a", jar());
        }
        assertEquals(
                ErrorCode.RESOURCE_EXHAUSTED, refusal(() -> uploads.keep("user:9", "a", jar())));
        assertEquals(Uploads.MOST, files());
        now.addAndGet(15 * 60 * 1_000L + 1);
        uploads.keep("user:9", "a", jar());
        assertEquals(1, files());
    }

    @Test
    void takesNoMoreBytesThanItsBoundAndLeavesNothingOfARefusedOne() throws Exception {
        Uploads uploads = uploads();
        InputStream endless =
                new InputStream() {
                    @Override
                    public int read() {
                        return 7;
                    }
                };
        assertEquals(
                ErrorCode.INVALID_ARGUMENT, refusal(() -> uploads.keep("user:a", "a", endless)));
        assertEquals(
                ErrorCode.INVALID_ARGUMENT,
                refusal(() -> uploads.keep("user:a", "a", InputStream.nullInputStream())));
        InputStream broken =
                new InputStream() {
                    @Override
                    public int read() throws IOException {
                        throw new IOException("the connection is gone");
                    }
                };
        assertThrows(IOException.class, () -> uploads.keep("user:a", "a", broken));
        assertEquals(0, files());
    }

    @Test
    void forgetsWhatAnEarlierConsoleLeft() throws Exception {
        uploads().keep("user:a", "a", jar());
        assertEquals(1, files());
        uploads();
        assertEquals(0, files());
    }
}
