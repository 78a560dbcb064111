package palyra.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadUsesTest {
    @Test
    void everyThreadIsSupervisedOrOnTheListWithItsReason() throws Exception {
        Map<String, Integer> found = ThreadUses.found(Product.root());
        assertTrue(found.containsKey("palyra.shared.loop.SupervisedLoop"), "the search finds");
        List<String> listed = Files.readAllLines(Product.root().resolve(ThreadUses.LIST));
        assertEquals("", String.join("\n", ThreadUses.breaches(found, ThreadUses.parse(listed))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new Thread(work)",
                "new Thread\n(work)",
                "Thread.ofPlatform()",
                "Thread\n        .ofVirtual()",
                "Thread.startVirtualThread(work)",
                "ThreadFactory f = Thread::new;",
                "class A extends Thread {}",
                "new ThreadPoolExecutor(1)",
                "new ScheduledThreadPoolExecutor(1)",
                "import java.util.Timer;",
                "Executors.newCachedThreadPool()",
                "new ForkJoinPool()",
                "ForkJoinPool.commonPool()",
                "all.parallelStream()",
                "CompletableFuture.runAsync(work)",
                "Threads.start(\"x\", work)"
            })
    void findsEveryWayToMakeOne(String source) {
        assertEquals(1, ThreadUses.count(source));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "// new Thread(work)",
                "/** Not {@code new Thread(\n} and not Executors.newCachedThreadPool(). */",
                "Thread.currentThread().interrupt()",
                "Executors executors",
                "CallThreads.start(x)",
                "new ThreadLocal<>()"
            })
    void findsNothingElse(String source) {
        assertEquals(0, ThreadUses.count(source));
    }

    @Test
    void tellsOfWhatIsNewOfOneMoreAndOfWhatIsGone() {
        var listed = ThreadUses.parse(List.of("# why", "", "a.B 1 one per call", "a.C 2 ends"));
        assertEquals(
                List.of("a.C has no reason in cnf/threads.txt: say why it may."),
                ThreadUses.breaches(Map.of("a.B", 1, "a.C", 2), listed));
        List<String> breaches = ThreadUses.breaches(Map.of("a.B", 2, "a.D", 1), listed);
        assertEquals(4, breaches.size(), breaches.toString());
        assertTrue(breaches.get(0).startsWith("a.B makes 2 threads or executors"));
        assertTrue(breaches.get(1).startsWith("a.D makes 1"));
        assertTrue(breaches.get(2).startsWith("a.C makes no threads any more"));
    }
}
