package palyra.gateway.internal.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Operation;
import palyra.api.run.SubmittedMessage;
import palyra.testing.access.FakeAccess;
import palyra.testing.model.ScriptedModelProvider;
import palyra.testing.wait.Await;

/**
 * The frame of tests whose process dies at every write of a run, just before it and just after, and
 * then starts again.
 */
abstract class DeathAtEveryWrite {
    /** What the client sends, and sends again when it got no answer. */
    static final SubmittedMessage MESSAGE =
            new SubmittedMessage("shell", "key", "", "", "", "", "", "work", "", false);

    private static Thread.UncaughtExceptionHandler before;

    @TempDir Path folder;

    /** One death. */
    interface Death {
        /**
         * Dies and comes back.
         *
         * @param state folder of this death
         * @param write which write of the run, from 1
         */
        void at(Path state, int write, DyingJournal dying) throws Exception;
    }

    @BeforeAll
    static void quiet() {
        before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, e) -> {
                    if (!(e instanceof DyingJournal.Dead)) {
                        e.printStackTrace();
                    }
                });
    }

    @AfterAll
    static void loud() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    /** Returns a test for each write, before it and after it. */
    final List<DynamicTest> deaths(int writes, Death death) {
        List<DynamicTest> tests = new ArrayList<>();
        for (int write = 1; write <= writes; write++) {
            for (boolean after : new boolean[] {false, true}) {
                int n = write;
                String name = after ? "after" : "before";
                tests.add(
                        DynamicTest.dynamicTest(
                                name + " write " + n,
                                () -> death.at(folder.resolve(name + n), n, dying(n, after))));
            }
        }
        return tests;
    }

    private static DyingJournal dying(int write, boolean after) {
        return new DyingJournal(
                write,
                after,
                unit ->
                        unit.operations().toString().contains("streamId=01")
                                || unit.operations().stream()
                                        .anyMatch(Operation.PutSnapshot.class::isInstance));
    }

    /** Lives until it dies; returns whether the message was acknowledged before. */
    static boolean live(
            LightGateway.Surroundings around,
            ScriptedModelProvider model,
            DyingJournal dying,
            String tool) {
        boolean acknowledged = false;
        try (LightGateway gateway =
                new LightGateway(around, model, "boot1/1", dying::around, FakeAccess.forTools())
                        .awaitReady()) {
            gateway.offering(tool);
            try {
                acknowledged = !gateway.submit(MESSAGE).runId().isEmpty();
                Await.until("the process to die", dying::dead);
            } catch (DyingJournal.Dead e) {
                assertTrue(dying.dead());
            }
        }
        assertTrue(dying.dead(), "the run has as many writes");
        return acknowledged;
    }
}
