package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./palyra} lets one build of a tree run at a time, even one whose script was killed. */
class BuildLockTest {
    private static final String COMMON = "palyra.dist/src/main/dist/bin/common.sh";

    @TempDir Path tree;

    @Test
    void aBuildWhoseScriptIsKilledKeepsTheLockUntilItEnds() throws Exception {
        Files.createDirectories(tree.resolve(COMMON).getParent());
        Files.copy(Product.root().resolve(COMMON), tree.resolve(COMMON));
        program("palyra", Files.readString(Product.root().resolve("palyra")));
        // In place of Maven, whose end no test can choose: it lasts until it reads a line.
        program("mvnw", "#!/bin/sh\necho $$ >building\nread line <go\n");
        run("mkfifo", "go");
        Process script =
                new ProcessBuilder("./palyra", "up")
                        .directory(tree.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(tree.resolve("said").toFile())
                        .start();
        Path building = tree.resolve("building");
        while (!Files.exists(building) || Files.size(building) == 0) {
            assertTrue(script.isAlive(), Files.readString(tree.resolve("said")));
            Thread.onSpinWait();
        }
        long pid = Long.parseLong(Files.readString(building).strip());
        ProcessHandle build = ProcessHandle.of(pid).orElseThrow();
        script.destroyForcibly().waitFor();
        assertTrue(build.isAlive());
        assertEquals(1, run("flock", "-n", "target/build.lock", "true"), "the lock is free");
        Files.writeString(tree.resolve("go"), "on\n");
        build.onExit().get(20, TimeUnit.SECONDS);
        assertEquals(0, run("flock", "-w", "20", "target/build.lock", "true"));
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(tree.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).directory(tree.toFile()).inheritIO().start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return process.exitValue();
    }
}
