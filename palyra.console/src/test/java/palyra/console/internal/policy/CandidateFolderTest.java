package palyra.console.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.PalyraException;

class CandidateFolderTest {
    private static final Map<String, String> IN_FORCE =
            new TreeMap<>(
                    Map.of("default/default.cedar", "shipped", "a.cedar", "a", "b.cedar", "b"));

    @Test
    void hasTheOperatorsFilesWithOneInItsNewFormAndGoesAway() throws Exception {
        Path folder;
        try (CandidateFolder candidate = CandidateFolder.of(IN_FORCE, "b.cedar", "new")) {
            folder = Path.of(candidate.path());
            assertEquals("a", Files.readString(folder.resolve("a.cedar")));
            assertEquals("new", Files.readString(folder.resolve("b.cedar")));
            assertFalse(Files.exists(folder.resolve("default")));
        }
        assertFalse(Files.exists(folder));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../x.cedar",
                "/etc/x.cedar",
                "default/default.cedar",
                ".cedar",
                "a/b.cedar",
                "x.txt",
                "",
                "x.cedar\n"
            })
    void refusesNamesThatAreNoFileOfTheOperator(String name) {
        assertThrows(
                PalyraException.class, () -> CandidateFolder.of(IN_FORCE, name, "text").close());
    }
}
