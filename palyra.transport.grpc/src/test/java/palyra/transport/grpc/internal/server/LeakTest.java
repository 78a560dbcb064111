package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.testing.wait.Await;

/** What is left when the port closed: nothing. */
class LeakTest {
    @TempDir Path folder;

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("palyra-grpc"))
                .toList();
    }

    /** A thread that has nothing left to do still takes a moment to go. */
    private static void assertNoThreads() {
        Await.until("threads to go: " + threads(), Port.PATIENCE, () -> threads().isEmpty());
    }

    @Test
    void noThreadIsLeft() {
        for (int i = 0; i < 3; i++) {
            try (Port port = Port.open(new TestSettings(folder).tls("server"))) {
                assertEquals("user:alice", Port.whoAmI(Port.as(port.tls(null), "alice")));
                OpenedStream.as(port.tls(null), "bob").echo("one");
                assertTrue(threads().size() >= 2, threads().toString());
            }
        }
        assertNoThreads();
    }

    @Test
    void noThreadIsLeftOfAPortThatCouldNotOpen() {
        try (Port port = Port.open(new TestSettings(folder));
                Port second = new Port()) {
            second.apply(new TestSettings(folder).set("port", port.address().getPort()));
            assertTrue(second.finding().contains("another process has the port"));
        }
        assertNoThreads();
    }

    @Test
    void aCallThatDoesNotEndIsInterrupted() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Port port = Port.open(new TestSettings(folder));
        port.probe.failure =
                () -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.complete(true);
                    }
                    return new IllegalStateException("interrupted");
                };
        CompletableFuture<String> call =
                Port.async(() -> Port.whoAmI(Port.as(port.plain(), "alice")));
        assertTrue(begun.await(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        port.transport.close();
        assertTrue(interrupted.get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertNoThreads();
        port.close();
        call.handle((result, failure) -> failure).get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aCallThatIsAboutToEndMayDoSo() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (Port port = Port.open(new TestSettings(folder))) {
            port.probe.failure =
                    () -> {
                        begun.countDown();
                        try {
                            go.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        return Status.NOT_FOUND.asRuntimeException();
                    };
            ManagedChannel channel = port.plain();
            CompletableFuture<String> call =
                    Port.async(() -> Port.whoAmI(Port.as(channel, "alice")));
            assertTrue(begun.await(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS));
            CompletableFuture<Boolean> closed =
                    Port.async(
                            () -> {
                                port.transport.close();
                                return true;
                            });
            Await.until("the port to begin to close", Port.PATIENCE, () -> !port.isListening());
            go.countDown();
            Throwable end =
                    call.handle((result, failure) -> failure)
                            .get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(Status.Code.NOT_FOUND, Status.fromThrowable(end).getCode());
            closed.get(Port.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** In a process of its own: what the library keeps, it takes in when it is first used. */
    @Test
    void theLibraryHoldsOnToNothingOfTheTransport() throws Exception {
        Path log = folder.resolve("log");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:SoftRefLRUPolicyMSPerMB=0",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                UpdatedBundle.class.getName(),
                                folder.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            assertTrue(process.waitFor(5, TimeUnit.MINUTES), Files.readString(log));
            assertEquals(0, process.exitValue(), Files.readString(log));
        } finally {
            process.destroyForcibly();
        }
    }
}
