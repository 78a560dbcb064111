package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Filters;
import palyra.sandbox.posix.internal.Plans;

/** What commands may do to modes, owners, times and attributes of files. */
public final class MetadataCases {
    private static Plans plan(Bench bench, String script) {
        return bench.sh(script).seccomp(Filters.refusing(63, 160)).landlock(bench.supervised());
    }

    @Test
    void aModeIsChangedInTheWorkspaceAndNotOutside() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            Path outside = Files.writeString(other.workspace.resolve("file"), "x");
            Files.writeString(bench.workspace.resolve("file"), "x");
            Bench.Result inside = bench.run(plan(bench, "chmod 751 file && stat -c %a file"));
            assertEquals("751\n", inside.text(), inside.errors());
            String before = Files.getPosixFilePermissions(outside).toString();
            Bench.Result refused = bench.run(plan(bench, "chmod 777 " + outside));
            assertNotEquals(0, refused.code(), refused.errors());
            assertEquals(before, Files.getPosixFilePermissions(outside).toString());
            assertEquals(0, bench.run(bench.sh("chmod 777 " + outside)).code());
        }
    }
}
