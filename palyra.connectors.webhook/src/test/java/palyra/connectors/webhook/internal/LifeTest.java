package palyra.connectors.webhook.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import palyra.api.channel.ConnectorStatus.State;
import palyra.testing.wait.Await;

/** Starts and stops while requests come. */
class LifeTest {
    private static final int SENDERS = 4;
    private static final int SWAPS = 20;

    private final Stage stage = new Stage();
    private final CountDownLatch held = new CountDownLatch(1);

    @AfterEach
    void close() {
        held.countDown();
        stage.close();
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("palyra-webhook-"))
                .toList();
    }

    @Test
    void aStopLeavesNothingBehind() {
        assertEquals(State.STOPPED, stage.connector.status().state());
        stage.ready();
        assertEquals(List.of("palyra-webhook-main"), threads());
        assertEquals(1, stage.connector.loops().size());
        assertTrue(stage.servlets.containsKey("/hooks/main"));
        assertThrows(IllegalStateException.class, () -> stage.connector.start(stage.context));
        stage.connector.stop();
        stage.connector.stop();
        assertEquals(State.STOPPED, stage.connector.status().state());
        assertTrue(stage.servlets.isEmpty());
        Await.until("no thread", () -> threads().isEmpty());
        assertEquals(List.of(), stage.connector.loops());
        stage.context.closed = true; // what calls it now throws
        assertEquals(503, stage.post(Stage.message("m1", "x")).statusCode());
        stage.context.closed = false;
        stage.ready();
        assertEquals(202, stage.post(Stage.message("m1", "x")).statusCode());
    }

    @Test
    void aStopWaitsForARequestThatIsHandedIn() throws Exception {
        stage.ready();
        CountDownLatch inside = new CountDownLatch(1);
        stage.context.before =
                message -> {
                    inside.countDown();
                    try {
                        held.await();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                };
        CompletableFuture<HttpResponse<String>> request =
                CompletableFuture.supplyAsync(() -> stage.post(Stage.message("m1", "x")));
        inside.await();
        CompletableFuture<Void> stop = CompletableFuture.runAsync(stage.connector::stop);
        Await.until("the servlet to go", () -> stage.servlets.isEmpty());
        assertTrue(!stop.isDone(), "the stop returned while a message was handed in");
        held.countDown();
        stop.get();
        stage.context.closed = true;
        assertEquals(202, request.get().statusCode(), "what was taken is told");
        assertEquals(List.of("x"), stage.context.texts());
    }

    @Test
    void aStopDoesNotWaitForBodies() throws Exception {
        stage.ready();
        jakarta.servlet.Servlet old = stage.servlets.get("/hooks/main");
        stage.connector.stop();
        stage.context.closed = true;
        stage.servlets.put("/hooks/main", old); // as for a request that had begun
        assertEquals(503, stage.post(Stage.message("m1", "x")).statusCode());
        assertEquals(0, stage.context.offered.get());
    }

    /** A sender repeats what was not taken, as the specification asks. */
    @Test
    void noMessageIsLostOverSwaps() throws Exception {
        stage.ready();
        AtomicInteger next = new AtomicInteger();
        Set<Integer> statuses = new ConcurrentSkipListSet<>();
        Set<String> sent = new ConcurrentSkipListSet<>();
        CountDownLatch over = new CountDownLatch(1);
        List<CompletableFuture<Void>> senders = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            senders.add(
                    CompletableFuture.runAsync(
                            () -> {
                                while (over.getCount() > 0) {
                                    String id = "m" + next.incrementAndGet();
                                    int status;
                                    do {
                                        status =
                                                stage.post(id, Stage.now(), Stage.message(id, id))
                                                        .statusCode();
                                        statuses.add(status);
                                    } while (status == 503);
                                    sent.add(id);
                                }
                            },
                            task -> Thread.ofPlatform().daemon().start(task)));
        }
        for (int i = 0; i < SWAPS; i++) {
            int before = stage.context.accepted.size();
            Await.until("traffic", () -> stage.context.accepted.size() > before + 5);
            stage.with(Stage.settings("https://example.test/", Stage.REF));
            stage.connector.start(stage.context);
        }
        over.countDown();
        for (CompletableFuture<Void> each : senders) {
            each.get();
        }
        assertTrue(Set.of(202, 503).containsAll(statuses), "statuses " + statuses);
        assertEquals(sent, new TreeSet<>(stage.context.texts()));
        assertEquals(sent.size(), stage.context.accepted.size(), "none was taken twice");
    }

    @Test
    void messagesOfAConversationAreHandedInOneAfterTheOther() throws Exception {
        stage.ready();
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        stage.context.before =
                message -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                };
        List<CompletableFuture<HttpResponse<String>>> requests = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String id = "m" + i;
            requests.add(CompletableFuture.supplyAsync(() -> stage.post(Stage.message(id, id))));
        }
        for (CompletableFuture<HttpResponse<String>> each : requests) {
            each.get();
        }
        assertEquals(1, most.get());
    }
}
