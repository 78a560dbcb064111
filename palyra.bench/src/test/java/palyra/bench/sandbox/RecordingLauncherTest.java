package palyra.bench.sandbox;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.sandbox.LaunchPlan;

class RecordingLauncherTest {
    @TempDir Path folder;

    private static LaunchPlan plan(List<LaunchPlan.Passed> passed, int status) {
        return new LaunchPlan(
                "call",
                List.of("/usr/bin/bwrap", "", "a b\nc"),
                Map.of(),
                "/",
                new LaunchPlan.Rlimits(1, 1, 1, 1, 1),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                passed,
                status,
                false,
                "strict");
    }

    @Test
    void savesWordsAndDescriptorsAsTheProgramInCReadsThem() throws Exception {
        byte[] filter = {0, 1, (byte) 0xff};
        List<String> arguments =
                RecordingLauncher.save(
                        plan(List.of(new LaunchPlan.Passed(3, filter)), 4), folder.resolve("plan"));
        Path argv = folder.resolve("plan/argv");
        Path passed = folder.resolve("plan/fd-3");
        assertEquals(List.of(argv.toString(), "3:" + passed, "4:-"), arguments);
        assertEquals("/usr/bin/bwrap\0\0a b\nc\0", Files.readString(argv, StandardCharsets.UTF_8));
        assertArrayEquals(filter, Files.readAllBytes(passed));
    }

    @Test
    void savesNoStatusWhereThePlanHasNone() throws Exception {
        assertEquals(1, RecordingLauncher.save(plan(List.of(), 0), folder).size());
    }
}
