package palyra.policy.internal.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.policy.internal.conformance.Corpus.Result;

/** Cedar's own tests through both engines: all that were written by hand, some of the others. */
final class OfficialCorpusTest {
    private static final String SOME = "corpus-tests/0";

    @TempDir private Path slice;

    private static Path folder() {
        String named =
                System.getProperty("palyra.cedar.corpus", System.getenv("PALYRA_CEDAR_CORPUS"));
        if (named == null || !Files.isDirectory(Path.of(named))) {
            abort(
                    "Cedar's own tests are not here ("
                            + named
                            + "): name their folder with"
                            + " -Dpalyra.cedar.corpus=… or PALYRA_CEDAR_CORPUS.");
        }
        return Path.of(named);
    }

    @Test
    void bothEnginesPassTheHandWrittenTests() {
        Result result = Corpus.run(folder().resolve("tests"));
        assertEquals(new Result(0, "74 passed, 0 failed\n", ""), result);
    }

    @Test
    void bothEnginesPassASliceOfTheGeneratedTests() throws Exception {
        CorpusFiles all = CorpusFiles.open(folder().resolve("corpus-tests.tar.gz"));
        List<String> some = all.names().stream().filter(n -> n.startsWith(SOME)).toList();
        for (String name : some) {
            Path file = slice.resolve(name);
            Files.createDirectories(file.getParent());
            Files.write(file, all.bytes(name));
        }
        Result result = Corpus.run(slice);
        assertEquals(0, result.exit(), result.out());
        assertEquals("4240 passed, 0 failed\n", result.out());
    }
}
