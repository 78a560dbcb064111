package palyra.bench.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Machine;
import palyra.bench.report.Report;

/** Every suite measures the real thing, here as little of it as there is. */
class SuitesTest {
    @TempDir Path folder;

    private List<String> figures(Suite suite) throws Exception {
        Setting setting = Setting.parse("--runs", "1", "--work", folder.resolve("work").toString());
        Files.createDirectories(setting.work());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        suite.run(
                setting,
                new Report(
                        new Machine(2, "25", "Linux", "ext4", ""),
                        folder,
                        Instant.EPOCH,
                        new PrintStream(out, true, StandardCharsets.UTF_8)));
        try (var left = Files.list(setting.work())) {
            assertEquals(0, left.count(), "the suite tidies up");
        }
        return out.toString(StandardCharsets.UTF_8).lines().map(SuitesTest::name).toList();
    }

    private static String name(String line) {
        return line.substring("bench ".length(), line.indexOf(':'));
    }

    @Test
    void checks() throws Exception {
        List<String> figures = figures(new CheckSuite(0, 0));
        assertEquals(8, figures.size(), figures::toString);
        assertTrue(figures.contains("policy.check-denied-p50"), figures::toString);
    }

    @Test
    void reloads() throws Exception {
        assertEquals(List.of("policy.reload-20"), figures(new ReloadSuite(20)));
    }
}
