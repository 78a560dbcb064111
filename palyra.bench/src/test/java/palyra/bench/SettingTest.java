package palyra.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.bench.journal.SearchSuite;
import palyra.bench.journal.SingleUnitSuite;
import palyra.bench.turn.TurnSuite;

class SettingTest {
    private static final List<Suite> SUITES =
            List.of(new SingleUnitSuite(), new SearchSuite(), new TurnSuite());

    @TempDir Path folder;

    @Test
    void nothingAskedForMeansEverything() throws Exception {
        Setting setting = Setting.parse();
        assertTrue(SUITES.stream().allMatch(setting::wants));
        assertFalse(setting.full());
        assertTrue(setting.work().isAbsolute());
    }

    @Test
    void aWordBeforeTheDotAsksForAllThatBeginWithIt() throws Exception {
        Setting setting = Setting.parse("--full", "journal", "--runs", "7", "--work", "here");
        assertTrue(setting.wants(SUITES.get(0)));
        assertTrue(setting.wants(SUITES.get(1)));
        assertFalse(setting.wants(SUITES.get(2)));
        assertTrue(setting.full());
        assertEquals(7, setting.runs());
        assertTrue(setting.work().endsWith("here"));
    }

    @Test
    void unknownNameIsFound() throws Exception {
        assertEquals("journ", Setting.parse("turn", "journ").unknownName(SUITES));
        assertEquals("", Setting.parse("turn", "journal.search").unknownName(SUITES));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--fast", "--runs 0", "--runs 100", "--runs x", "--runs", "--work"})
    void refusesWhatItDoesNotKnow(String line) {
        Setting.Usage refused =
                assertThrows(Setting.Usage.class, () -> Setting.parse(line.split(" ", -1)));
        assertFalse(refused.getMessage().isBlank());
    }

    @Test
    void foldersBeginEmpty() throws Exception {
        Setting setting = Setting.parse("--work", folder.toString());
        Path first = setting.folder("turn");
        Files.createDirectories(first.resolve("deep/er"));
        Files.writeString(first.resolve("deep/er/file"), "x");
        try (var files = Files.list(setting.folder("turn"))) {
            assertEquals(0, files.count());
        }
    }
}
