package palyra.journal.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite's native library where it cannot be unpacked, each in a process of its own. */
class LibraryTest {
    @TempDir Path folder;

    @Test
    void startOnFullMediumIsNamedAndFreeingSpaceCuresIt() throws Exception {
        Path disk = Files.createDirectories(folder.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString()) == 0,
                "this user may not mount a file system");
        try {
            Path tmp = Files.createDirectories(disk.resolve("tmp"));
            Files.createDirectories(disk.resolve("state"));
            Path filler = disk.resolve("filler");
            long free = Files.getFileStore(disk).getUsableSpace();
            Files.write(filler, new byte[Math.toIntExact(free)]);
            List<String> lines = child(tmp, disk.toString(), filler.toString());
            assertTrue(lines.get(0).contains("space left (0 bytes free)"), () -> "" + lines);
            assertTrue(lines.get(3).contains(tmp.toString()), () -> "" + lines);
            assertTrue(lines.get(6).contains("no space left"), () -> "" + lines);
            for (int step = 0; step < 3; step++) {
                assertTrue(lines.get(3 * step).startsWith("DISK_FULL "), () -> "" + lines);
                assertEquals("write DISK_FULL", lines.get(3 * step + 1));
                assertEquals("read DISK_FULL", lines.get(3 * step + 2));
            }
            assertEquals(List.of("records 3", "libraries 1"), lines.subList(9, 11));
        } finally {
            assertEquals(0, run("umount", disk.toString()));
        }
    }

    private List<String> child(Path tmp, String... arguments) throws Exception {
        Path out = folder.resolve("out");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-XX:TieredStopAtLevel=1",
                                "-Dorg.sqlite.tmpdir=" + tmp,
                                "-cp",
                                System.getProperty("java.class.path"),
                                StartOnFullMedium.class.getName()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        List<String> lines = Files.readAllLines(out);
        assertEquals(0, process.exitValue(), () -> "" + lines);
        return lines;
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            assertTrue(process.waitFor(10, TimeUnit.SECONDS));
            return process.exitValue();
        } catch (IOException e) {
            return -1;
        }
    }
}
