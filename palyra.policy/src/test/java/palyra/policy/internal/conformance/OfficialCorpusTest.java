package palyra.policy.internal.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.policy.internal.cedar.OfficialTests;
import palyra.policy.internal.conformance.Corpus.Result;

/** Cedar's own tests through both engines: all that were written by hand, some of the others. */
final class OfficialCorpusTest {
    private static final String SOME = "corpus-tests/0";

    @TempDir private Path folder;

    @Test
    void bothEnginesPassTheHandWrittenTests() {
        Result result = Corpus.run(OfficialTests.folder().resolve("tests"));
        assertEquals(new Result(0, "74 passed, 0 failed\n", ""), result);
    }

    @Test
    void bothEnginesPassASliceOfTheGeneratedTests() throws Exception {
        Path all = OfficialTests.unpackCorpus(Files.createDirectory(folder.resolve("all")));
        Path slice = Files.createDirectory(folder.resolve("slice"));
        for (String name : CorpusFiles.open(all).names()) {
            if (name.startsWith(SOME)) {
                Path file = slice.resolve(name);
                Files.createDirectories(file.getParent());
                Files.copy(all.resolve(name), file);
            }
        }
        Result result = Corpus.run(slice);
        assertEquals(0, result.exit(), result.out());
        assertEquals("4240 passed, 0 failed\n", result.out());
    }
}
