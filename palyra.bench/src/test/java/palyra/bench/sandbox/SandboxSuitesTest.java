package palyra.bench.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.report.Machine;
import palyra.bench.report.Report;

/** Every suite measures the real thing, here as little of it as there is. Needs gcc and bwrap. */
@EnabledOnOs(OS.LINUX)
class SandboxSuitesTest {
    @TempDir Path folder;

    private List<String> figures(Suite suite) throws Exception {
        assertEquals(Optional.empty(), MeasuringProcess.obstacle());
        assertTrue(
                Files.isExecutable(Path.of("/usr/bin/bwrap")), "apt install bubblewrap for this");
        Setting setting = Setting.parse("--runs", "1", "--work", folder.resolve("work").toString());
        Files.createDirectories(setting.work());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Report report =
                new Report(
                        new Machine(2, "25", "Linux", "ext4", ""),
                        folder,
                        Instant.EPOCH,
                        new PrintStream(out, true, StandardCharsets.UTF_8));
        suite.run(setting, report);
        String raw = Files.readString(report.write());
        assertTrue(raw.contains("strict tier="), "what was in force is in the raw file: " + raw);
        try (var left = Files.list(setting.work())) {
            assertEquals(0, left.count(), "the suite tidies up");
        }
        return out.toString(StandardCharsets.UTF_8).lines().map(SandboxSuitesTest::name).toList();
    }

    private static String name(String line) {
        return line.substring("bench ".length(), line.indexOf(':'));
    }

    @Test
    void startsInEveryTier() throws Exception {
        List<String> figures = figures(new SpawnSuite(2));
        assertTrue(figures.contains("sandbox.spawn-tierb-p50"), figures::toString);
        assertTrue(figures.contains("sandbox.spawn-tierc-p50"), figures::toString);
        assertTrue(figures.contains("sandbox.spawn-tierc-c-p90"), figures::toString);
    }

    @Test
    void callsTheShellToolAndBuilds() throws Exception {
        List<String> figures = figures(new CommandSuite(2, 2));
        assertTrue(figures.contains("sandbox.command-session-p50"), figures::toString);
        assertTrue(figures.contains("sandbox.command-session-proxy-added-p50"), figures::toString);
        assertTrue(figures.contains("sandbox.command-build-session"), figures::toString);
    }
}
