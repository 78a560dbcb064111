package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.policy.PolicyReport;
import palyra.policy.internal.cedar.Decision;
import palyra.policy.internal.cedar.Request;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;

/** Threads that decide without pause while sets are exchanged. */
final class ReloadsUnderLoadTest {
    private static final int RELOADS = Boolean.getBoolean("palyra.test.full") ? 1_000 : 100;
    private static final int THREADS = 3;

    @TempDir private Path folder;

    private final Set<String> published = ConcurrentHashMap.newKeySet();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong decisions = new AtomicLong();

    @Test
    void everyDecisionBelongsToOnePublishedSet() throws Exception {
        try (Stage stage = new Stage(folder)) {
            stage.save("a.cedar", text("a", 0));
            stage.save("b.cedar", text("b", 0));
            stage.start();
            stage.untilInForce();
            remember(stage);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                threads.add(Thread.ofPlatform().start(() -> decide(stage)));
            }
            for (int i = 1; i <= RELOADS; i++) {
                stage.save("a.cedar", text("a", i));
                stage.save("b.cedar", text("b", i));
                PolicyReport report = stage.sets.reload(Stage.permit("policy.reload"), "");
                assertTrue(
                        report.outcome() == PolicyReport.Outcome.APPLIED
                                || report.outcome() == PolicyReport.Outcome.UNCHANGED,
                        report.toString());
                remember(stage);
            }
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertEquals(List.of(), List.copyOf(wrong));
        assertTrue(decisions.get() > RELOADS, decisions + " decisions");
        assertTrue(seen.size() > 1, "the threads saw " + seen);
        assertTrue(published.size() > RELOADS, "published were " + published.size());
    }

    private void remember(Stage stage) {
        Snapshot now = stage.sets.inForce().orElseThrow();
        published.add(now.view().sha256());
    }

    /** Two policies in two files that belong together: a mixed set shows in their names. */
    private static String text(String file, int generation) {
        return "@id(\""
                + file
                + "-"
                + generation
                + "\") permit (principal, action == Action::\"doc.view\", resource);";
    }

    private void decide(Stage stage) {
        Request request =
                new Request(
                        EntityUid.of("User", "u"),
                        EntityUid.of("Action", "doc.view"),
                        EntityUid.of("Doc", "d"),
                        RecordValue.EMPTY,
                        Entities.EMPTY);
        long lastEpoch = 0;
        while (!stop.get()) {
            Snapshot snapshot = stage.sets.inForce().orElse(null);
            if (snapshot == null) {
                wrong.add("no set in force");
                continue;
            }
            long epoch = snapshot.view().epoch();
            Decision decision = snapshot.evaluator().decide(request);
            List<String> names =
                    decision.determining().stream()
                            .map(snapshot::name)
                            .filter(name -> name.contains("-"))
                            .toList();
            check(snapshot, decision, names, epoch >= lastEpoch);
            lastEpoch = epoch;
            decisions.incrementAndGet();
        }
    }

    private void check(Snapshot snapshot, Decision decision, List<String> names, boolean forward) {
        seen.add(snapshot.view().sha256());
        if (!forward) {
            wrong.add("the epoch went back to " + snapshot.view().epoch());
        }
        if (!decision.allowed() || !decision.failure().isEmpty() || names.size() != 2) {
            wrong.add(snapshot.view().epoch() + ": " + decision);
        }
        boolean whole =
                snapshot.files().stream()
                        .filter(file -> !SourceSet.shipped(file.name()))
                        .allMatch(file -> names.stream().anyMatch(n -> file.text().contains(n)));
        if (!whole) {
            wrong.add("mixed: " + names + " of " + snapshot.files());
        }
    }
}
