package palyra.sandbox.posix.internal.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.jna.Pointer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.sandbox.LaunchPlan.Access;
import palyra.api.core.sandbox.LaunchPlan.Landlock;
import palyra.api.core.sandbox.LaunchPlan.PathRule;
import palyra.sandbox.posix.internal.libc.Arena;
import palyra.sandbox.posix.internal.libc.Errno;
import palyra.sandbox.posix.internal.libc.Libc;
import palyra.sandbox.posix.internal.libc.LinuxCall;
import palyra.sandbox.posix.internal.libc.Os;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.SeccompFilter;

/** Calls of a thread of this JVM that has the filter, answered by a supervisor in this JVM. */
class SupervisorTest {
    private static final long HERE = -100;
    private static final int NO_NEW_PRIVILEGES = 38;
    private static final long PATIENCE_SECONDS = 60;

    @TempDir Path folder;
    private final Libc libc = new Libc(Os.here());
    private Path work;
    private Path inside;
    private Path outside;

    /** What is done on the thread that has the filter. */
    private interface Calls {
        long make() throws Exception;
    }

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(Os.name().equals("linux"), "this is no Linux");
        Path real = folder.toRealPath();
        work = Files.createDirectory(real.resolve("work"));
        inside = Files.writeString(work.resolve("file"), "x");
        outside = Files.writeString(real.resolve("file"), "x");
    }

    private Roots roots() {
        PathRule rule = new PathRule(work.toString(), Access.WRITE);
        return Roots.open(libc, new Landlock(true, List.of(rule), false, Set.of(), true, true));
    }

    /** Runs calls on a filtered thread, whose listener {@code guard} gets. */
    private long filtered(java.util.function.IntConsumer guard, Calls calls) throws Exception {
        CompletableFuture<Integer> listener = new CompletableFuture<>();
        CompletableFuture<Boolean> guarded = new CompletableFuture<>();
        CompletableFuture<Long> result = new CompletableFuture<>();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                listener.complete(filter());
                                guarded.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                                result.complete(calls.make());
                            } catch (Throwable broken) {
                                listener.completeExceptionally(broken);
                                result.completeExceptionally(broken);
                            }
                        });
        int descriptor = listener.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assumeTrue(descriptor >= 0, "this kernel gives no listener: " + descriptor);
        guard.accept(descriptor);
        guarded.complete(true);
        return result.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private int filter() {
        byte[] program =
                SeccompFilter.ofMetadata(Architecture.of(Os.archName()).orElseThrow()).bytes();
        try (Arena arena = new Arena()) {
            Pointer head = arena.zeros(16);
            head.setShort(0, (short) (program.length / 8));
            head.setPointer(8, arena.string(program));
            libc.processControl(NO_NEW_PRIVILEGES, 1);
            return (int) libc.system(LinuxCall.SECCOMP, 1, 8, Pointer.nativeValue(head));
        }
    }

    private void supervise(int descriptor) {
        Supervisor supervisor =
                new Supervisor(libc, new Listener(libc, descriptor, 1), roots(), Set.of(), "test");
        Thread.ofPlatform().daemon().start(supervisor);
    }

    private long chmod(Path path, int mode) {
        try (Arena arena = new Arena()) {
            return libc.system(LinuxCall.FCHMODAT, HERE, text(arena, path), mode);
        }
    }

    private static long text(Arena arena, Path path) {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        return Pointer.nativeValue(arena.string(bytes));
    }

    private static Object mode(Path path) {
        try {
            return (int) Files.getAttribute(path, "unix:mode") & 0777;
        } catch (IOException absent) {
            return absent;
        }
    }

    @Test
    void aCallIsMadeInsideAndRefusedOutside() throws Exception {
        Object before = mode(outside);
        assertEquals(
                -Errno.EACCES,
                filtered(
                        this::supervise,
                        () -> {
                            assertEquals(0, chmod(inside, 0751));
                            assertEquals(-Errno.ENOENT, chmod(work.resolve("absent"), 0751));
                            return chmod(outside, 0777);
                        }));
        assertEquals(0751, mode(inside));
        assertEquals(before, mode(outside));
    }

    @Test
    void withoutItsSupervisorACallIsRefusedAndNotMade() throws Exception {
        Object before = mode(inside);
        assertEquals(-Errno.ENOSYS, filtered(libc::close, () -> chmod(inside, 0751)));
        assertEquals(before, mode(inside));
    }

    @Test
    void aSupervisorThatIsClosedMakesNoMoreCalls() throws Exception {
        Object before = mode(inside);
        assertEquals(
                -Errno.ENOSYS,
                filtered(
                        descriptor -> {
                            Listener listener = new Listener(libc, descriptor, 1);
                            Supervisor supervisor =
                                    new Supervisor(libc, listener, roots(), Set.of(), "test");
                            supervisor.close();
                            supervisor.run();
                        },
                        () -> chmod(inside, 0751)));
        assertEquals(before, mode(inside));
    }

    @Test
    void aPathThatIsRewrittenWhileItIsReadLeadsNowhereElse() throws Exception {
        Object before = mode(outside);
        try (Arena arena = new Arena()) {
            byte[] good = "work/file".getBytes(StandardCharsets.UTF_8);
            byte[] bad = "work/../file".getBytes(StandardCharsets.UTF_8);
            Pointer text = arena.string(bad);
            AtomicBoolean over = new AtomicBoolean();
            Thread writer =
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () -> {
                                        while (!over.get()) {
                                            text.write(0, good, 0, good.length);
                                            text.setByte(good.length, (byte) 0);
                                            text.write(0, bad, 0, bad.length);
                                        }
                                    });
            int at = libc.openPath(arena.string(bytes(folder.toRealPath())), true);
            long made =
                    filtered(
                            this::supervise,
                            () -> {
                                long worked = 0;
                                for (int i = 0; i < 2000; i++) {
                                    long result =
                                            libc.system(
                                                    LinuxCall.FCHMODAT,
                                                    at,
                                                    Pointer.nativeValue(text),
                                                    0777);
                                    worked += result == 0 ? 1 : 0;
                                }
                                return worked;
                            });
            over.set(true);
            writer.join();
            libc.close(at);
            assertTrue(made > 0 && made < 2000, "made " + made);
        }
        assertEquals(before, mode(outside));
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theFolderOfTheRuleCountsAndNotItsName() throws Exception {
        Path moved = work.resolveSibling("moved");
        assertEquals(
                -Errno.EACCES,
                filtered(
                        this::supervise,
                        () -> {
                            Files.move(work, moved);
                            Files.createDirectory(work);
                            Files.writeString(inside, "another");
                            assertEquals(0, chmod(moved.resolve("file"), 0751));
                            return chmod(inside, 0777);
                        }));
        assertEquals(0751, mode(moved.resolve("file")));
    }

    @Test
    void aThousandCallsLeaveNoDescriptors() throws Exception {
        try (Arena arena = new Arena()) {
            long good = text(arena, inside);
            long bad = text(arena, outside);
            long top = text(arena, work);
            int watcher = libc.function("inotify_init1").invokeInt(new Object[] {0x8_0000});
            long more =
                    filtered(
                            this::supervise,
                            () -> {
                                assertEquals(0, chmod(inside, 0700));
                                long open = new File("/proc/self/fd").list().length;
                                for (int i = 0; i < 250; i++) {
                                    assertEquals(
                                            0, libc.system(LinuxCall.FCHMODAT, HERE, good, 0700));
                                    assertEquals(
                                            -Errno.EACCES,
                                            libc.system(LinuxCall.FCHMODAT, HERE, bad, 0700));
                                    assertEquals(
                                            1,
                                            libc.system(
                                                    LinuxCall.INOTIFY_ADD_WATCH, watcher, top, 2));
                                    assertEquals(
                                            -Errno.EACCES,
                                            libc.system(
                                                    LinuxCall.INOTIFY_ADD_WATCH, watcher, bad, 2));
                                }
                                return new File("/proc/self/fd").list().length - open;
                            });
            libc.close(watcher);
            assertEquals(0, more);
        }
    }

    @Test
    void valuesAreReadWithinBounds() throws Exception {
        try (Arena arena = new Arena()) {
            long file = text(arena, inside);
            long name = text(arena, Path.of("user.name"));
            Pointer endless = arena.zeros(8192);
            endless.setMemory(0, 8191, (byte) 'a');
            long end = Pointer.nativeValue(endless);
            long nowhere = 8;
            filtered(
                    this::supervise,
                    () -> {
                        assertEquals(
                                -Errno.ENAMETOOLONG,
                                libc.system(LinuxCall.FCHMODAT, HERE, end, 0700));
                        assertEquals(
                                -Errno.EFAULT,
                                libc.system(LinuxCall.FCHMODAT, HERE, nowhere, 0700));
                        assertEquals(
                                -Errno.E2BIG,
                                libc.system(LinuxCall.SETXATTR, file, name, end, 65_537, 0));
                        assertEquals(
                                -Errno.ERANGE,
                                libc.system(LinuxCall.SETXATTR, file, end, end, 1, 0));
                        assertEquals(
                                -Errno.EFAULT,
                                libc.system(LinuxCall.UTIMENSAT, HERE, file, nowhere, 0));
                        assertEquals(
                                -Errno.EINVAL,
                                libc.system(LinuxCall.UTIMENSAT, HERE, file, 0, 0x800));
                        return 0;
                    });
        }
    }
}
