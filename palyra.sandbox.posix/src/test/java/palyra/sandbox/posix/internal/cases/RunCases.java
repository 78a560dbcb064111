package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Plans;

/** What a command gets and what it gives back. */
class RunCases {
    @Test
    void aCommandRunsAndItsOutputAndCodeArrive() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result = bench.run(bench.sh("echo out; echo err >&2; pwd; exit 7"));
            assertEquals("out\n" + bench.workspace + "\n", result.text());
            assertEquals("err\n", result.errors());
            assertTrue(result.report().started(), result.report().problem());
            assertEquals(7, result.code());
            assertEquals(0, result.left());
        }
    }

    @Test
    void argumentsArriveByteForByteInEveryLocale() throws Exception {
        try (Bench bench = new Bench()) {
            List<String> odd =
                    new ArrayList<>(
                            List.of(
                                    "a\nb",
                                    "'",
                                    "\"",
                                    "$(id)",
                                    "`id`",
                                    "",
                                    "-n",
                                    "--",
                                    "é",
                                    "\uD83D\uDE00",
                                    "*",
                                    "\\",
                                    "a b",
                                    "\t",
                                    ";exit 3",
                                    "%s"));
            for (int i = 0; i < 112; i++) {
                odd.add("argument" + i);
            }
            List<String> argv = new ArrayList<>(List.of("/usr/bin/printf", "%s\\0"));
            argv.addAll(odd);
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (String one : odd) {
                expected.write(one.getBytes(StandardCharsets.UTF_8));
                expected.write(0);
            }
            Plans plan = Plans.of(argv.toArray(new String[0])).in(bench.workspace);
            assertArrayEquals(expected.toByteArray(), bench.run(plan).out());
        }
    }

    @Test
    void argumentsThatNoProgramCanGetAreRefusedBeforeAnythingRuns() throws Exception {
        try (Bench bench = new Bench()) {
            Path ran = bench.workspace.resolve("ran");
            for (String bad : List.of("a\0b", "\uD83D", "x".repeat(200_000))) {
                Plans plan = Plans.of("/usr/bin/touch", ran.toString(), bad).in(bench.workspace);
                refused(ErrorCode.INVALID_ARGUMENT, bench, plan);
            }
            assertFalse(Files.exists(ran));
        }
    }

    @Test
    void aProgramThatCannotBeExecutedIsNamedBeforeAnythingRuns() throws Exception {
        try (Bench bench = new Bench()) {
            Path plain = Files.writeString(bench.workspace.resolve("plain"), "#!/bin/sh\n");
            refused(ErrorCode.NOT_FOUND, bench, Plans.of("/nowhere/x").in(bench.workspace));
            refused(ErrorCode.INVALID_ARGUMENT, bench, Plans.of(plain.toString()));
            refused(ErrorCode.INVALID_ARGUMENT, bench, Plans.of(bench.workspace.toString()));
            refused(
                    ErrorCode.INVALID_ARGUMENT,
                    bench,
                    Plans.of("/bin/true").in(bench.workspace.resolve("gone")));
        }
    }

    @Test
    void anExecutionThatFailsLateIsNoExitCodeOfTheCommand() throws Exception {
        try (Bench bench = new Bench()) {
            Path odd = Files.writeString(bench.workspace.resolve("odd"), "#!/nowhere/sh\n");
            Files.setPosixFilePermissions(odd, PosixFilePermissions.fromString("rwx------"));
            Bench.Result result = bench.run(Plans.of(odd.toString()).in(bench.workspace));
            assertFalse(result.report().started());
            assertEquals(-1, result.code());
            assertTrue(result.report().problem().contains(odd.toString()));
        }
    }

    @Test
    void exitCodesOfTheStageAreTheCommandsOwnWhenItRan() throws Exception {
        try (Bench bench = new Bench()) {
            for (int code : new int[] {0, 1, 2, 121, 122, 123, 125, 126, 127, 137, 255}) {
                Bench.Result result =
                        bench.run(bench.sh("exit " + code).limits(new Rlimits(9, 0, 0, 64, 0)));
                assertTrue(result.report().started());
                assertEquals(code, result.code());
            }
            assertEquals(143, bench.run(bench.sh("kill -TERM $$")).code());
        }
    }

    @Test
    void aCommandCannotPretendThatItNeverRan() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result =
                    bench.run(bench.sh("ulimit -S -d 16777999; cat /proc/self/cmdline; exit 127"));
            assertTrue(result.report().started());
            assertFalse(result.text().contains("ulimit -S -d \0"), result.text());
        }
    }

    @Test
    void fiveMegabytesOfInputArriveUnchanged() throws Exception {
        try (Bench bench = new Bench()) {
            byte[] data = new byte[5 << 20];
            new Random(7).nextBytes(data);
            SandboxProcess process = bench.launch(Plans.of("/usr/bin/sha256sum").stdin());
            process.stdin().write(data);
            process.stdin().close();
            String expected =
                    HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
            assertEquals(expected, Bench.finish(process).text().substring(0, 64));
        }
    }

    @Test
    void withoutInputACommandReadsTheNullDevice() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process = bench.launch(Plans.of("/bin/cat"));
            assertThrows(IOException.class, () -> process.stdin().write(1));
            assertEquals(0, Bench.finish(process).code());
        }
    }

    @Test
    void aWriterIsReleasedWhenTheCommandDoesNotRead() throws Exception {
        try (Bench bench = new Bench()) {
            SandboxProcess process = bench.launch(Plans.of("/bin/sleep", "300").stdin());
            Thread writer =
                    Thread.ofPlatform()
                            .start(
                                    () ->
                                            assertThrows(
                                                    IOException.class,
                                                    () ->
                                                            process.stdin()
                                                                    .write(new byte[1 << 20])));
            Thread.sleep(50);
            assertTrue(writer.isAlive());
            process.close();
            writer.join(Bench.PATIENCE_MILLIS);
            assertFalse(writer.isAlive());
        }
    }

    @Test
    void theCommandHasThreeDescriptorsWhateverTheGatewayHasOpen() throws Exception {
        List<AutoCloseable> open = new ArrayList<>();
        try (Bench bench = new Bench()) {
            for (int i = 0; i < 100; i++) {
                open.add(Files.newInputStream(Path.of("/etc/passwd")));
                open.add(new java.net.ServerSocket());
            }
            Bench.Result result =
                    bench.run(
                            bench.sh("exec ls /proc/self/fd").limits(new Rlimits(9, 0, 0, 64, 0)));
            assertEquals("0\n1\n2\n3\n", result.text()); // 3 is the folder that ls reads
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
    }

    @Test
    void theEnvironmentIsThePlansAndAMark() throws Exception {
        try (Bench bench = new Bench()) {
            Plans plan =
                    Plans.of("/usr/bin/env").noEnvironment().env("A", "é \n").env("Z", "'$(id)'");
            String text = bench.run(plan.callId("my-call")).text();
            assertTrue(text.contains("A=é \n\n"), text);
            assertTrue(text.contains("Z='$(id)'\n"), text);
            assertTrue(text.contains("PALYRA_SANDBOX_CALL="), text);
            assertTrue(text.contains("-my-call\n"), text);
            assertEquals(4, text.lines().count(), text);
        }
    }

    @Test
    void environmentThatSteersShellsIsRefused() throws Exception {
        try (Bench bench = new Bench()) {
            for (String name : List.of("SHELLOPTS", "BASH_ENV", "ENV", "a.b", "", "A=B")) {
                refused(ErrorCode.INVALID_ARGUMENT, bench, bench.sh("true").env(name, "noexec"));
            }
        }
    }

    @Test
    void signalsAreAsAProgramExpectsThem() throws Exception {
        try (Bench bench = new Bench()) {
            Bench.Result result =
                    bench.run(Plans.of("/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"));
            for (String line : result.text().split("\n")) {
                long set = Long.parseUnsignedLong(line.substring(8).strip(), 16);
                assertEquals(0, set & 0x7fff_ffff, line); // 32 and 33 are the C library's own
            }
        }
    }

    @Test
    void dataIsPassedAtItsDescriptors() throws Exception {
        try (Bench bench = new Bench()) {
            byte[] big = new byte[300_000];
            new Random(3).nextBytes(big);
            Plans plan =
                    bench.sh(
                                    "cat <&3; cat <&5 >five; echo; for n in 0 1 2 3 4 5 6 7 8 9; do"
                                            + " [ ! -e /proc/$$/fd/$n ] || echo $n; done")
                            .pass(5, big)
                            .pass(3, "three".getBytes(StandardCharsets.UTF_8))
                            .limits(new Rlimits(9, 0, 0, 64, 0));
            Bench.Result result = bench.run(plan);
            assertEquals("three\n0\n1\n2\n3\n5\n", result.text());
            assertArrayEquals(big, Files.readAllBytes(bench.workspace.resolve("five")));
        }
    }

    @Test
    void passedDataCannotBeChanged() throws Exception {
        try (Bench bench = new Bench()) {
            Plans plan = bench.sh("echo more >>/proc/self/fd/3 || echo refused; cat <&3");
            Bench.Result result = bench.run(plan.pass(3, new byte[] {'d', '\n'}));
            assertEquals("refused\nd\n", result.text());
        }
    }

    @Test
    void descriptorsThatClashAreRefused() throws Exception {
        try (Bench bench = new Bench()) {
            byte[] data = {1};
            refused(ErrorCode.INVALID_ARGUMENT, bench, bench.sh("true").pass(2, data));
            refused(
                    ErrorCode.INVALID_ARGUMENT,
                    bench,
                    bench.sh("true").pass(4, data).pass(4, data));
            refused(ErrorCode.INVALID_ARGUMENT, bench, bench.sh("true").pass(4, data).status(4));
            refused(ErrorCode.INVALID_ARGUMENT, bench, bench.sh("true").callId("../x"));
        }
    }

    static void refused(ErrorCode code, Bench bench, Plans plan) {
        PalyraException refused =
                assertThrows(PalyraException.class, () -> Bench.finish(bench.launch(plan)));
        assertEquals(code, refused.code(), refused.getMessage());
    }
}
