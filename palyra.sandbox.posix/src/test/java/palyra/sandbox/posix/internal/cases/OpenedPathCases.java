package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Plans;

/** Places that a process finds open: it gets the file or folder, not what a path leads to later. */
class OpenedPathCases {
    private static PalyraException refused(Bench bench, Plans plan) {
        return assertThrows(PalyraException.class, () -> bench.run(plan).code());
    }

    @Test
    void anOpenedFolderStaysTheSameWhenItsPathLeadsElsewhere() throws Exception {
        try (Bench bench = new Bench()) {
            Path folder = Files.createDirectory(bench.workspace.resolve("folder"));
            Files.writeString(folder.resolve("f"), "here");
            Path other = Files.createDirectory(bench.workspace.resolve("other"));
            Files.writeString(other.resolve("f"), "elsewhere");
            String exchange = "mv folder away; ln -s other folder; ";
            Bench.Result result =
                    bench.run(
                            bench.sh(exchange + "cat folder/f; cd -P /proc/self/fd/14/ && cat f")
                                    .open(14, folder));
            assertEquals("elsewherehere", result.text(), result.errors());
        }
    }

    @Test
    void anOpenedFileIsAPlaceAndNotItsContent() throws Exception {
        try (Bench bench = new Bench()) {
            Path file = Files.writeString(bench.workspace.resolve("file"), "content");
            Bench.Result result =
                    bench.run(bench.sh("grep flags /proc/self/fdinfo/14; cat <&14").open(14, file));
            assertTrue(result.text().matches("(?s)flags:\\s+0?10000000\\s*"), result.text());
            assertFalse(result.text().contains("content"));
        }
    }

    @Test
    void aLinkAnywhereInThePathMeansThatNothingIsStarted() throws Exception {
        try (Bench bench = new Bench()) {
            Path real = Files.createDirectories(bench.workspace.resolve("real/below"));
            Path last = Files.createSymbolicLink(bench.workspace.resolve("last"), real);
            Path middle =
                    Files.createSymbolicLink(bench.workspace.resolve("middle"), real.getParent());
            Path ran = bench.workspace.resolve("ran");
            for (Path path : new Path[] {last, middle.resolve("below")}) {
                Plans plan = Plans.of("/usr/bin/touch", ran.toString()).open(14, path);
                assertEquals(ErrorCode.DENIED, refused(bench, plan).code());
            }
            assertFalse(Files.exists(ran));
            bench.run(Plans.of("/usr/bin/touch", ran.toString()).open(14, real));
            assertTrue(Files.exists(ran));
        }
    }

    @Test
    void whatIsNotThereAndNumbersThatAreTakenMeanThatNothingIsStarted() throws Exception {
        try (Bench bench = new Bench()) {
            Path gone = bench.workspace.resolve("gone");
            assertEquals(ErrorCode.NOT_FOUND, refused(bench, bench.sh(":").open(14, gone)).code());
            for (int number : new int[] {1, 2, 256}) {
                Plans plan = bench.sh(":").open(number, bench.workspace);
                assertEquals(ErrorCode.INVALID_ARGUMENT, refused(bench, plan).code());
            }
        }
    }
}
