package palyra.sandbox.posix.internal.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.sandbox.posix.internal.Bench;
import palyra.sandbox.posix.internal.Filters;
import palyra.sandbox.posix.internal.Plans;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;
import palyra.sandbox.posix.internal.libc.Os;

/**
 * What commands may do to modes, owners, times and attributes of files. Each call is made three
 * times: outside of what may be written, where it is refused; outside without the supervisor, where
 * it succeeds; and inside, where it does what it should.
 */
public final class MetadataCases {
    private static final int EACCES = 13;
    private static final int BROKEN = 99;

    /**
     * Arguments: a file, its folder, its name. {@code o} opens a place, {@code r} for reading. The
     * exit code is the error number.
     */
    private static final String PRELUDE =
            """
            my ($f, $d, $n) = @ARGV; my @kept; my $e = ""; my $u = $<; my $g = $( + 0;
            my $s = pack("q2", 1, 2); my $l = pack("q4", 1, 2, 3, 4);
            my ($x, $y, $z) = ("user.x", "value", "user.gone");
            sub o { opened(0x200000 | ($_[1] || 0), $_[0]) } sub r { opened(0, $_[0]) }
            sub opened { sysopen(my $h, $_[1], $_[0]) or exit 99; push @kept, $h; fileno $h }
            my $r = do {
            """;

    private static final String POSTLUDE = "}; exit($r < 0 ? $! + 0 : 0)";

    /** By path; each changes the file. */
    private static final List<String> BY_PATH =
            List.of(
                    "syscall(90, $f, 0777)",
                    "syscall(90, $d, 0701)",
                    "my $p = '../' . substr($d, 5) . \"/$n\"; syscall(90, $p, 0777)",
                    "symlink($f, 'to-file'); my $p = 'to-file'; syscall(90, $p, 0777)",
                    "symlink($d, 'to-folder'); my $p = \"to-folder/$n\"; syscall(90, $p, 0777)",
                    "syscall(268, -100, $f, 0777)",
                    "syscall(268, o($d), $n, 0777)",
                    "chdir($d); syscall(268, -100, $n, 0777)",
                    "syscall(452, o($d), $n, 0777, 0x100)",
                    "syscall(452, o($f), $e, 0777, 0x1000)",
                    "my $p = '/proc/self/fd/' . o($f); syscall(90, $p, 0777)",
                    "my $p = '/proc/thread-self/fd/' . o($f); syscall(90, $p, 0777)",
                    "my $p = \"/proc/$$/fd/\" . o($f); syscall(90, $p, 0777)",
                    "my $p = \"/proc/$$/task/$$/fd/\" . o($f); syscall(90, $p, 0777)",
                    "syscall(92, $f, $u, $g)",
                    "syscall(94, $f, $u, $g)",
                    "syscall(260, -100, $f, $u, $g, 0)",
                    "syscall(260, o($d), $n, $u, $g, 0x100)",
                    "syscall(260, o($f), $e, $u, $g, 0x1000)",
                    "syscall(132, $f, 0)",
                    "syscall(132, $f, $s)",
                    "syscall(235, $f, 0)",
                    "syscall(235, $f, $l)",
                    "syscall(261, -100, $f, $l)",
                    "syscall(261, o($d), $n, 0)",
                    "syscall(280, -100, $f, 0, 0)",
                    "syscall(280, -100, $f, $l, 0x100)",
                    "syscall(280, o($d), $n, $l, 0)",
                    "syscall(280, o($f), $e, $l, 0x1000)",
                    "syscall(188, $f, $x, $y, 5, 0)",
                    "syscall(189, $f, $x, $n, 4, 0)",
                    "syscall(197, $f, $z)",
                    "syscall(198, $f, $z)");

    /** By a descriptor that was opened for reading. */
    private static final List<String> BY_DESCRIPTOR =
            List.of(
                    "syscall(91, r($f), 0777)",
                    "syscall(93, r($f), $u, $g)",
                    "syscall(280, r($f), 0, 0, 0)",
                    "syscall(280, r($f), 0, $l, 0)",
                    "syscall(261, r($f), 0, $l)",
                    "syscall(190, r($f), $x, $y, 5, 0)",
                    "syscall(199, r($f), $z)",
                    "my $p = '/proc/self/fd/' . r($f); syscall(90, $p, 0777)");

    private record Stand(Bench bench, Path folder, Path file) {
        static Stand of(Bench bench) throws IOException {
            Path folder = Files.createDirectory(bench.workspace.resolve("folder"));
            return new Stand(bench, folder, Files.writeString(folder.resolve("file"), "x"));
        }

        /** Everything that can be changed leaves its time in it. */
        Map<String, Object> changes() throws IOException {
            Map<String, Object> all = new TreeMap<>();
            for (Path each : List.of(folder, file)) {
                all.put(each + "", Files.readAttributes(each, "unix:ctime,mode").toString());
            }
            return all;
        }

        void prepare() throws IOException {
            view().write("user.gone".substring(5), ByteBuffer.wrap(new byte[] {1}));
        }

        private UserDefinedFileAttributeView view() {
            return Files.getFileAttributeView(file, UserDefinedFileAttributeView.class);
        }
    }

    private static Plans perl(Bench bench, String expression, Stand on) {
        return Plans.of(
                        "/usr/bin/perl",
                        "-e",
                        PRELUDE + expression + POSTLUDE,
                        on.file().toString(),
                        on.folder().toString(),
                        on.file().getFileName().toString())
                .in(bench.workspace)
                .seccomp(Filters.refusing(63, 160));
    }

    private static Plans sh(Bench bench, String script, PathRule... more) {
        return bench.sh(script)
                .env("HOME", bench.workspace.toString())
                .seccomp(Filters.refusing(63, 160))
                .landlock(bench.supervised(more));
    }

    private static void needs(Bench bench) {
        assumeTrue(bench.host().landlockAbi() >= 3, "this kernel has no Landlock 3");
        assumeTrue(bench.host().seccomp(), "this kernel takes no filters");
    }

    private static void needsNumbers(Bench bench) {
        needs(bench);
        assumeTrue(Os.archName().equals("x86_64"), "numbers of calls are those of x86-64");
    }

    private static void clear(Bench bench) throws IOException {
        for (String name : List.of("to-file", "to-folder")) {
            Files.deleteIfExists(bench.workspace.resolve(name));
        }
    }

    private static void refusedOutside(List<String> calls, boolean readable) throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needsNumbers(bench);
            Stand outside = Stand.of(other);
            PathRule[] more =
                    readable
                            ? new PathRule[] {
                                new PathRule(other.workspace.toString(), Access.EXECUTE)
                            }
                            : new PathRule[0];
            Landlock open = bench.rules(more);
            for (String call : calls) {
                clear(bench);
                outside.prepare();
                Map<String, Object> before = outside.changes();
                Plans plan = perl(bench, call, outside);
                Bench.Result held = bench.run(plan.landlock(bench.supervised(more)));
                assertEquals(EACCES, held.code(), call + held.errors());
                assertEquals(before, outside.changes(), call);
                clear(bench);
                Bench.Result free = bench.run(plan.landlock(open));
                assertEquals(0, free.code(), call + free.errors());
                assertNotEquals(before, outside.changes(), call);
            }
        }
    }

    private static void worksInside(List<String> calls) throws Exception {
        try (Bench bench = new Bench()) {
            needsNumbers(bench);
            Stand inside = Stand.of(bench);
            for (String call : calls) {
                clear(bench);
                inside.prepare();
                Map<String, Object> before = inside.changes();
                Plans plan = perl(bench, call, inside).landlock(bench.supervised());
                Bench.Result result = bench.run(plan);
                assertEquals(0, result.code(), call + result.errors());
                assertNotEquals(before, inside.changes(), call);
            }
        }
    }

    @Test
    void noPathLeadsToMetadataOutside() throws Exception {
        refusedOutside(BY_PATH, false);
    }

    @Test
    void aDescriptorForReadingDoesNotLeadToMetadataOutside() throws Exception {
        refusedOutside(BY_DESCRIPTOR, true);
    }

    @Test
    void everyCallWorksInTheWorkspace() throws Exception {
        worksInside(BY_PATH);
        worksInside(BY_DESCRIPTOR);
    }

    @Test
    void otherWaysThroughProcAndHardLinksLeadNowhere() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needsNumbers(bench);
            Stand outside = Stand.of(other);
            for (String call :
                    List.of(
                            "my $p = \"/proc/self/root$f\"; syscall(90, $p, 0777)",
                            "my $p = \"/proc/$$/root$f\"; syscall(90, $p, 0777)",
                            "my $p = '/proc/self/fd/' . o($d) . \"/$n\"; syscall(90, $p, 0777)",
                            "chdir($d); my $p = \"/proc/self/cwd/$n\"; syscall(90, $p, 0777)",
                            "chdir('/proc/self'); my $p = 'fd/' . o($f); syscall(90, $p, 0777)",
                            "my $p = '/dev/fd/' . o($f); syscall(90, $p, 0777)",
                            "my $p = '/proc/self/fd/' . o($f);"
                                    + " symlink($p, 'to-file') or exit 99; my $q = 'to-file';"
                                    + " syscall(90, $q, 0777)",
                            "link($f, 'to-file') ? syscall(90, 'to-file', 0777) : -1",
                            "rename($f, 'to-file') ? syscall(90, 'to-file', 0777) : -1",
                            "rename($d, 'to-folder') ? syscall(90, 'to-folder', 0777) : -1",
                            "syscall(463, -100, $f, 0, $x, $y, 16)",
                            "syscall(466, -100, $f, 0, $z)",
                            "syscall(469, -100, $f, $l, 32, 0)")) {
                clear(bench);
                Map<String, Object> before = outside.changes();
                Plans plan = perl(bench, call, outside).landlock(bench.supervised());
                Bench.Result held = bench.run(plan);
                assertNotEquals(0, held.code(), call);
                assertNotEquals(BROKEN, held.code(), call);
                assertEquals(before, outside.changes(), call);
            }
        }
    }

    @Test
    void aLinkThatIsExchangedMeanwhileLeadsNowhere() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench);
            Stand outside = Stand.of(other);
            Files.writeString(bench.workspace.resolve("mine"), "x");
            Map<String, Object> before = outside.changes();
            String race =
                    """
                    my $f = $ARGV[0]; symlink($f, 'a'); symlink('mine', 'b'); symlink('mine', 's');
                    my $child = fork();
                    if (!$child) {
                        while (1) {
                            symlink($f, 't'); rename('t', 's'); symlink('mine', 't'); rename('t', 's')
                        }
                    }
                    my %seen; for (1 .. 3000) { $seen{chmod(0600 + $_ % 8, 's')}++ }
                    kill 9, $child; print join ' ', map { $_ + 0 } @seen{0, 1}
                    """;
            Plans plan =
                    Plans.of("/usr/bin/perl", "-e", race, outside.file().toString())
                            .in(bench.workspace)
                            .seccomp(Filters.refusing(63, 160))
                            .landlock(bench.supervised());
            Bench.Result result = bench.run(plan);
            String[] seen = result.text().split(" ");
            assertTrue(Integer.parseInt(seen[0]) > 0, "nothing was refused: " + result.text());
            assertTrue(Integer.parseInt(seen[1]) > 0, "nothing worked: " + result.text());
            assertEquals(before, outside.changes());
        }
    }

    @Test
    void onlyWhatMayBeReadCanBeWatched() throws Exception {
        try (Bench bench = new Bench();
                Bench read = new Bench();
                Bench other = new Bench()) {
            needsNumbers(bench);
            PathRule rule = new PathRule(read.workspace.toString(), Access.READ);
            String watch = "syscall(254, syscall(294, 0), $d, 0x100)";
            Stand outside = Stand.of(other);
            Landlock held = bench.supervised(rule);
            assertEquals(EACCES, bench.run(perl(bench, watch, outside).landlock(held)).code());
            assertEquals(0, bench.run(perl(bench, watch, outside).landlock(bench.rules())).code());
            assertEquals(0, bench.run(perl(bench, watch, Stand.of(read)).landlock(held)).code());
            String told =
                    "my $i = syscall(294, 0); my $w = syscall(254, $i, $d, 0x100);"
                            + " open(my $new, '>', \"$d/new\"); open(my $in, '<&=', $i);"
                            + " sysread($in, my $event, 64);"
                            + " $w > 0 && index($event, 'new') == 16 ? 0 : -1";
            Bench.Result inside = bench.run(perl(bench, told, Stand.of(bench)).landlock(held));
            assertEquals(0, inside.code(), inside.errors());
            String none = "syscall(254, r($f), $d, 0x100)";
            Bench.Result wrong =
                    bench.run(
                            perl(
                                            bench,
                                            none,
                                            new Stand(
                                                    bench,
                                                    bench.workspace.resolve("folder"),
                                                    bench.workspace.resolve("folder/file")))
                                    .landlock(held));
            assertEquals(22, wrong.code(), "EINVAL for what is no watcher");
        }
    }

    @Test
    void toolsThatKeepMetadataWorkAsBefore() throws Exception {
        String script =
                """
                set -e; umask 022; export GIT_CONFIG_NOSYSTEM=1; rm -rf w; mkdir w; cd w
                mkdir -p src/deep; echo a > src/a; echo b > src/deep/b; chmod 2750 src/deep
                touch -d '2001-02-03 04:05:06' src/a src/deep; touch -h -d '2002-02-03' src/a
                ln -s a src/link; touch -h -d '2003-01-01' src/link
                cp -p src/a copy; cp -a src all; install -m 4711 src/a tool
                tar -cf t.tar src; mkdir out; tar -xpf t.tar -C out
                chmod -R u=rwX,go=r out; mktemp -d tXXXXXX > name; rmdir $(cat name)
                git init -q g; cd g; echo x > x; git add x; cd ..
                git -C g -c user.name=n -c user.email=e@example.org commit -qm one
                chown -h $(id -u) src/link; git -C g fsck
                stat -c '%n %a %Y %F' src src/a src/deep all all/a all/deep copy tool out/src/a \
                    out/src/deep src/link | sed '/^src [0-9]/d; /^all [0-9]/d; / 1[6-9][0-9]\\{8\\} /s/ 1[0-9]* / now /'
                """;
        try (Bench bench = new Bench()) {
            needs(bench);
            PathRule random = new PathRule("/dev/urandom", Access.READ);
            Bench.Result held = bench.run(sh(bench, script, random));
            assertEquals(0, held.code(), held.errors());
            Bench.Result free = bench.run(bench.sh(script).env("HOME", bench.workspace.toString()));
            assertEquals(0, free.code(), free.errors());
            assertEquals(free.text(), held.text());
            assertTrue(held.text().contains("tool 4711"), held.text());
            assertEquals("", held.errors());
        }
    }

    @Test
    void whatACommandLeavesBehindIsSupervisedUntilItIsKilled() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needs(bench);
            Stand outside = Stand.of(other);
            Map<String, Object> before = outside.changes();
            String daemon =
                    "setsid sh -c 'sleep 0.3; chmod 777 %s; chmod 711 .; echo $? > done' &"
                            .formatted(outside.file());
            try (var process = bench.launch(sh(bench, daemon + " :"))) {
                assertTrue(process.await(60_000).isPresent());
                assertEquals("0", bench.awaitFile("done"));
            }
            assertEquals(before, outside.changes());
        }
    }

    @Test
    void whatMayBeReadCannotBeBroughtIntoTheWorkspace() throws Exception {
        try (Bench bench = new Bench();
                Bench other = new Bench()) {
            needsNumbers(bench);
            Stand outside = Stand.of(other);
            PathRule rule = new PathRule(other.workspace.toString(), Access.EXECUTE);
            for (String call :
                    List.of(
                            "link($f, 'to-file') ? 0 : -1",
                            "rename($f, 'to-file') ? 0 : -1",
                            "rename($d, 'to-folder') ? 0 : -1")) {
                Plans plan = perl(bench, call, outside).landlock(bench.supervised(rule));
                assertNotEquals(0, bench.run(plan).code(), call);
            }
        }
    }

    @Test
    void whoKeepsItsMemoryToItselfIsRefused() throws Exception {
        try (Bench bench = new Bench()) {
            needsNumbers(bench);
            Stand inside = Stand.of(bench);
            Map<String, Object> before = inside.changes();
            String call = "syscall(157, 4, 0); syscall(90, $f, 0777)"; // PR_SET_DUMPABLE
            Bench.Result result = bench.run(perl(bench, call, inside).landlock(bench.supervised()));
            assertEquals(EACCES, result.code());
            assertEquals(before, inside.changes());
        }
    }

    @Test
    void aLauncherThatIsClosedEndsCommandsInTheMiddleOfTheirCalls() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench);
            var process =
                    bench.launch(
                            Plans.of("/usr/bin/perl", "-e", "while (1) { chmod 0700, '.' }")
                                    .in(bench.workspace)
                                    .seccomp(Filters.refusing(63, 160))
                                    .landlock(bench.supervised()));
            bench.closeLauncher();
            assertTrue(process.await(0).isPresent());
            Bench.await("supervisors end", () -> supervisors() == 0);
        }
    }

    @Test
    void nothingIsStartedWhereAnotherSupervisorListens() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench);
            CompletableFuture<PalyraException> refusal = new CompletableFuture<>();
            Plans plan = sh(bench, "touch started");
            Thread.ofPlatform()
                    .daemon()
                    .start(
                            () -> {
                                try {
                                    listen();
                                    bench.launch(plan).close();
                                    refusal.complete(null);
                                } catch (PalyraException refused) {
                                    refusal.complete(refused);
                                } catch (Throwable broken) {
                                    refusal.completeExceptionally(broken);
                                }
                            });
            PalyraException refused = refusal.get(60, TimeUnit.SECONDS);
            assertEquals(ErrorCode.TOOL_UNAVAILABLE, refused.code());
            assertTrue(refused.getMessage().contains("listener"), refused.getMessage());
            assertFalse(Files.exists(bench.workspace.resolve("started")));
        }
    }

    /** Makes a listener for this thread, and for those that it starts. */
    private static void listen() {
        Libc libc = new Libc(Os.here());
        try (Arena arena = new Arena()) {
            Pointer allow = arena.zeros(8);
            allow.setShort(0, (short) 0x06);
            allow.setInt(4, 0x7fff_0000);
            Pointer head = arena.zeros(16);
            head.setShort(0, (short) 1);
            head.setPointer(8, allow);
            libc.processControl(38, 1);
            long listener = libc.system(LinuxCall.SECCOMP, 1, 8, Pointer.nativeValue(head));
            assertTrue(listener >= 0, "no listener: " + listener);
        }
    }

    @Test
    void onlyCommandsWithAFilterAndRulesForFilesAreSupervised() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench);
            Landlock rules = bench.supervised();
            RunCases.refused(ErrorCode.INVALID_ARGUMENT, bench, bench.sh("true").landlock(rules));
            Landlock ports = new Landlock(false, List.of(), false, Set.of(), true, true);
            Plans plan = bench.sh("true").seccomp(Filters.refusing(63, 160)).landlock(ports);
            RunCases.refused(ErrorCode.INVALID_ARGUMENT, bench, plan);
        }
    }

    @Test
    void supervisorsAndTheirDescriptorsEndWithTheirRuns() throws Exception {
        try (Bench bench = new Bench()) {
            needs(bench);
            Plans plan = sh(bench, "touch a; chmod 700 a");
            assertEquals(0, bench.run(plan).code());
            Bench.await("supervisors end", () -> supervisors() == 0);
            long before = descriptors();
            for (int i = 0; i < 50; i++) {
                assertEquals(0, bench.run(plan).code());
            }
            Bench.await("supervisors end", () -> supervisors() == 0);
            Bench.await("descriptors are closed", () -> descriptors() <= before + 2);
        }
    }

    private static long supervisors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("palyra-sandbox-files-"))
                .count();
    }

    private static long descriptors() {
        return new java.io.File("/proc/self/fd").list().length;
    }
}
