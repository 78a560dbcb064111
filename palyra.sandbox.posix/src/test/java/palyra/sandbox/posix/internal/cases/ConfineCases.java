package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxProcess;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Filters;
import palyra.sandbox.posix.internal.Plans;

/** Kernel restrictions; each abuse also runs without them, where it must succeed. */
class ConfineCases {
    /** Asks for each thread of the process {@code argv[1]} whether a signal could be sent to it. */
    private static final String PERL_TGKILL =
            "$hits = 0; ($call, $p) = map { $_ + 0 } @ARGV;"
                    + " for ($t = $p; $t < $p + 6000; $t++)"
                    + " { $hits++ if syscall($call, $p, $t, 0) == 0 } print $hits";

    private static final int TGKILL = System.getProperty("os.arch").equals("aarch64") ? 131 : 234;

    private static void needs(Bench bench, int version) {
        assumeTrue(
                bench.host().landlockAbi() >= version,
                "this kernel has Landlock " + bench.host().landlockAbi());
    }

    @Test
    void onlyTheRulesOfThePlanLeadToFiles() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench, 1);
            Path secret = Files.writeString(other.workspace.resolve("secret"), "HOSTSECRET");
            Files.createSymbolicLink(bench.workspace.resolve("link"), secret);
            for (String abuse :
                    List.of(
                            "cat " + secret,
                            "cat link",
                            "ls " + other.workspace,
                            "echo x > " + other.workspace + "/new",
                            "mv link " + other.workspace + "/moved",
                            "rm " + secret,
                            "ln " + secret + " hard && cat hard",
                            "cat /proc/self/root" + secret,
                            "cat /proc/1/cmdline",
                            "cat /etc/passwd",
                            "touch /tmp/palyra-escape")) {
                Bench.Result result = bench.run(bench.sh(abuse).landlock(bench.rules()));
                assertNotEquals(0, result.code(), abuse + ": " + result.text());
                assertTrue(result.report().started(), abuse);
            }
            assertTrue(Files.exists(secret));
            assertEquals("HOSTSECRET", bench.run(bench.sh("cat link")).text());
            assertEquals(0, bench.run(bench.sh("touch " + other.workspace + "/new")).code());
        }
    }

    @Test
    void eachKindOfAccessIsWhatItSays() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench, 3);
            Path tool = Files.copy(Path.of("/usr/bin/true"), other.workspace.resolve("tool"));
            Path file = Files.writeString(other.workspace.resolve("file"), "x");
            Plans[] allowed = {
                with(bench, "cat " + file, file, Access.READ),
                with(bench, "ls " + other.workspace, other.workspace, Access.READ),
                with(bench, tool.toString(), tool, Access.EXECUTE),
                with(bench, "echo y >" + file + "; cat " + file, file, Access.DEVICE),
                with(bench, "mkdir d; mv d e; rmdir e; echo a >b; rm b", file, Access.READ),
                with(bench, "touch " + other.workspace + "/n", other.workspace, Access.WRITE)
            };
            for (Plans plan : allowed) {
                Bench.Result result = bench.run(plan);
                assertEquals(0, result.code(), plan.plan().argv() + result.errors());
            }
            Plans[] refused = {
                with(bench, "echo y >" + file, file, Access.READ),
                with(bench, tool.toString(), tool, Access.READ),
                with(bench, "echo y >" + tool, tool, Access.EXECUTE),
                with(bench, "rm " + file, file, Access.DEVICE),
                with(bench, "touch " + other.workspace + "/m", other.workspace, Access.EXECUTE)
            };
            for (Plans plan : refused) {
                assertNotEquals(0, bench.run(plan).code(), plan.plan().argv().toString());
            }
        }
    }

    private static Plans with(Bench bench, String script, Path path, Access access) {
        PathRule missing = new PathRule("/nowhere/at/all", Access.WRITE);
        return bench.sh(script)
                .landlock(bench.rules(missing, new PathRule(path.toString(), access)));
    }

    @Test
    void whatMayBeWrittenIsNamedByItsRealPath() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench, 1);
            Path link = Files.createSymbolicLink(bench.workspace.resolve("link"), other.workspace);
            Path below = Files.createDirectory(other.workspace.resolve("below"));
            for (Path led : new Path[] {link, link.resolve(below.getFileName())}) {
                PalyraException refused =
                        assertThrows(
                                PalyraException.class,
                                () -> bench.run(with(bench, "echo x", led, Access.WRITE)));
                assertEquals(ErrorCode.DENIED, refused.code());
                assertTrue(refused.getMessage().contains(led.toString()), refused.getMessage());
                assertEquals(0, bench.run(with(bench, "echo x", led, Access.READ)).code());
            }
        }
    }

    @Test
    void aProgramThatTheRulesForbidWasNotStarted() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench, 1);
            Path tool = Files.copy(Path.of("/usr/bin/true"), other.workspace.resolve("tool"));
            Plans plan = Plans.of(tool.toString()).in(bench.workspace);
            Bench.Result result = bench.run(plan.landlock(bench.rules()));
            assertFalse(result.report().started());
            assertTrue(result.report().problem().contains(tool.toString()));
            assertEquals(0, bench.run(Plans.of(tool.toString())).code());
        }
    }

    @Test
    void theRulesOfTheStageAreThoseOfTheCommand() throws Exception {
        Landlock nothing = new Landlock(true, List.of(), false, Set.of(), true);
        try (Bench bench = new Bench()) {
            needs(bench, 1);
            PalyraException refused =
                    assertThrows(
                            PalyraException.class,
                            () -> bench.launch(bench.sh("true").landlock(nothing)));
            assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
            assertTrue(refused.getMessage().contains("/bin/sh"), refused.getMessage());
            assertEquals("ran\n", bench.run(bench.sh("echo ran").landlock(bench.rules())).text());
        }
    }

    @Test
    void signalsReachNothingOutside() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, 6);
            SandboxProcess victim = bench.launch(Plans.of("/bin/sleep", "3341"));
            String probe = "kill -0 " + victim.pid();
            assertEquals(0, bench.run(bench.sh(probe)).code());
            assertNotEquals(0, bench.run(bench.sh(probe).landlock(bench.rules())).code());
            assertEquals(0, bench.run(bench.sh("kill -0 $PPID")).code());
            for (String abuse :
                    List.of("kill -9 " + victim.pid(), "kill -9 $PPID", "kill -STOP $PPID")) {
                assertNotEquals(0, bench.run(bench.sh(abuse).landlock(bench.rules())).code());
            }
            bench.run(bench.sh("kill -9 -1").landlock(bench.rules()));
            assertTrue(Bench.lives(victim.pid()));
            victim.close();
        }
    }

    @Test
    void noThreadOfTheGatewayIsLeftInTheScopeOfACommand() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, 6);
            assertNotEquals("0", bench.run(threads(bench)).text());
            for (int i = 0; i < 10; i++) {
                Bench.Result held =
                        bench.run(threads(bench).landlock(bench.rules(true, List.of(80))));
                assertEquals("0", held.text(), held.errors());
            }
        }
    }

    private static Plans threads(Bench bench) {
        String gateway = Long.toString(ProcessHandle.current().pid());
        return Plans.of("/usr/bin/perl", "-e", PERL_TGKILL, Integer.toString(TGKILL), gateway)
                .in(bench.workspace);
    }

    @Test
    void commandsOfOnePortSetAreNotInOneScope() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, 6);
            Landlock rules = bench.rules(true, List.of(80));
            SandboxProcess first = bench.launch(Plans.of("/bin/sleep", "3342").landlock(rules));
            String abuse = "kill -9 " + first.pid();
            assertNotEquals(0, bench.run(bench.sh(abuse).landlock(rules)).code());
            assertTrue(first.await(0).isEmpty());
            first.close();
        }
    }

    @Test
    void onlyThePortsOfThePlanCanBeConnectedTo() throws Exception {
        try (Bench bench = new Bench();
                ServerSocket one = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
                ServerSocket two = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            needs(bench, 4);
            List<Integer> allButOne =
                    IntStream.rangeClosed(1, 65_535)
                            .filter(port -> port != one.getLocalPort())
                            .boxed()
                            .toList();
            Landlock ports = new Landlock(false, List.of(), true, Set.copyOf(allButOne), true);
            String connect = "exec 3<>/dev/tcp/127.0.0.1/";
            for (int round = 0; round < 3; round++) {
                assertNotEquals(0, bash(bench, connect + one.getLocalPort(), ports).code());
                assertEquals(0, bash(bench, connect + two.getLocalPort(), ports).code());
                assertEquals(0, bash(bench, "cat /etc/passwd", ports).code());
            }
            assertEquals(0, bash(bench, connect + one.getLocalPort(), null).code());
            Landlock none = new Landlock(false, List.of(), true, Set.of(), false);
            assertNotEquals(0, bash(bench, connect + two.getLocalPort(), none).code());
        }
    }

    private static Bench.Result bash(Bench bench, String script, Landlock rules) throws Exception {
        return bench.run(Plans.of("/bin/bash", "-c", script).in(bench.workspace).landlock(rules));
    }

    @Test
    void moreSetsOfPortsThanAreKeptWorkToo() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, 4);
            for (int i = 0; i < 15; i++) {
                Landlock rules = new Landlock(false, List.of(), true, Set.of(1000 + i % 7), true);
                assertEquals(0, bench.run(bench.sh("true").landlock(rules)).code());
            }
            Bench.await("parents end", () -> named("palyra-sandbox-ports") <= 4);
        }
        Bench.await("parents end", () -> named("palyra-sandbox-ports") == 0);
    }

    private static long named(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .count();
    }

    @Test
    void aFilterHoldsForTheCommandAndItsChildrenOnly() throws Exception {
        try (Bench bench = new Bench()) {
            assumeTrue(bench.host().seccomp(), "this kernel takes no filters");
            byte[] noNames = Filters.refusing(63, 160); // uname
            Bench.Result held =
                    bench.run(bench.sh("uname; grep Seccomp: /proc/self/status").seccomp(noNames));
            assertTrue(held.text().endsWith("2\n"), held.text());
            assertTrue(held.errors().contains("uname"), held.errors());
            assertEquals("Linux\n", bench.run(bench.sh("uname")).text());
            assertEquals(List.of(), restrictedThreads());
        }
    }

    @Test
    void aFilterThatIsNoneIsRefused() throws Exception {
        try (Bench bench = new Bench()) {
            for (byte[] bad : List.of(new byte[0], new byte[7], new byte[8 * 5000])) {
                RunCases.refused(ErrorCode.INVALID_ARGUMENT, bench, bench.sh("true").seccomp(bad));
            }
            byte[] nonsense = new byte[16];
            java.util.Arrays.fill(nonsense, (byte) 0x55);
            RunCases.refused(ErrorCode.TOOL_UNAVAILABLE, bench, bench.sh("true").seccomp(nonsense));
        }
    }

    @Test
    void manyConfinedRunsLeaveOrdinaryProcessesAndThreadsUnrestricted() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, 1);
            Path file = Files.writeString(Path.of("/tmp/palyra-outside-" + bench.hashCode()), "x");
            List<SandboxProcess> all = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                all.add(
                        bench.launch(
                                bench.sh("sleep 0.2")
                                        .callId("c" + i)
                                        .seccomp(Filters.refusing(63, 160))
                                        .landlock(bench.rules(true, List.of(443)))));
            }
            for (SandboxProcess each : all) {
                assertEquals(0, Bench.finish(each).code());
            }
            for (int i = 0; i < 40; i++) {
                Process ordinary = new ProcessBuilder("/bin/true").start();
                CompletableFuture<String> read =
                        ordinary.onExit().thenApplyAsync(ended -> readString(file));
                assertEquals("x", read.get(60, TimeUnit.SECONDS));
            }
            Files.delete(file);
            assertEquals(List.of(), restrictedThreads());
        }
    }

    private static String readString(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private static List<String> restrictedThreads() throws IOException {
        List<String> all = new ArrayList<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                String status = Files.readString(task.resolve("status"));
                if (status.contains("Seccomp:\t2")) {
                    all.add(status.lines().findFirst().orElse(""));
                }
            }
        }
        return all;
    }

    @Test
    void confinedRunsLeaveNoThreadsOrDescriptors() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench, 6);
            Plans plan =
                    bench.sh(":")
                            .seccomp(Filters.refusing(63, 160))
                            .landlock(bench.rules(true, List.of(443)))
                            .limits(new Rlimits(9, 0, 0, 64, 0));
            bench.run(plan);
            int before = count("/proc/self/fd");
            for (int i = 0; i < 100; i++) {
                assertEquals(0, bench.run(plan).code());
            }
            Bench.await("threads end", () -> named("palyra-sandbox-start") == 0);
            assertTrue(count("/proc/self/fd") <= before + 2);
        }
    }

    private static int count(String folder) throws IOException {
        try (Stream<Path> all = Files.list(Path.of(folder))) {
            return (int) all.count();
        }
    }
}
