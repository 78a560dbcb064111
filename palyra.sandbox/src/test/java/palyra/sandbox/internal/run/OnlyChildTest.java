package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** With a process that waits as the first one of a session's sandbox does. */
@EnabledOnOs(OS.LINUX)
class OnlyChildTest {
    private Process parent;

    @BeforeEach
    void start() throws Exception {
        String script = "while :; do sleep 2147483647 & wait $!; done";
        parent = new ProcessBuilder("setsid", "/bin/sh", "-c", script).start();
        awaitChildren(1);
    }

    @AfterEach
    void end() throws Exception {
        parent.descendants().forEach(ProcessHandle::destroyForcibly);
        parent.destroyForcibly().waitFor();
        parent.descendants().forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> awaitChildren(int count) {
        return awaitChildren(parent, count);
    }

    private static List<ProcessHandle> awaitChildren(Process parent, int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        List<ProcessHandle> children;
        do {
            children = parent.children().toList();
        } while (children.size() != count && System.nanoTime() < end);
        assertTrue(children.size() == count, children.toString());
        return children;
    }

    /**
     * Each process that an agent can see may be ended by it; the first one starts its own again.
     */
    @Test
    void aHelperThatWasEndedAndStartedAgainIsItsOwn() {
        OnlyChild only = new OnlyChild(parent.pid());
        assertTrue(only.isAlone());
        for (int times = 0; times < 3; times++) {
            ProcessHandle helper = awaitChildren(1).getFirst();
            helper.destroyForcibly();
            helper.onExit().join();
            awaitChildren(1);
            awaitOwn(only);
        }
    }

    private static void awaitOwn(OnlyChild only) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!only.isAlone() && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertTrue(only.isAlone());
    }

    /** It leads a session of its own, takes up what lost its parent, and that is no child of it. */
    @Test
    void aChildOfAnotherSessionIsNotItsOwnEvenWhenTheHelperIsGone() throws Exception {
        Process other =
                new ProcessBuilder(
                                "setsid",
                                "/bin/sh",
                                "-c",
                                "setsid sleep 2147483647 & while :; do sleep 2147483647 & wait $!; done")
                        .start();
        try {
            awaitChildren(other, 2);
            OnlyChild only = new OnlyChild(other.pid());
            awaitOther(only);
            assertFalse(only.isAlone());
            String left = only.others().orElseThrow().getFirst();
            other.children()
                    .filter(one -> !Long.toString(one.pid()).equals(left))
                    .forEach(ProcessHandle::destroyForcibly);
            assertFalse(only.isAlone(), "another does not take the place of the helper");
            ProcessHandle.of(Long.parseLong(left)).orElseThrow().destroyForcibly();
            awaitOwn(only);
        } finally {
            List<ProcessHandle> all = other.descendants().toList();
            other.destroyForcibly().waitFor();
            all.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static void awaitOther(OnlyChild only) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (only.others().orElse(List.of()).size() != 1 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertEquals(1, only.others().orElseThrow().size());
    }

    @Test
    void whatIsNotKnownIsNotAlone() throws Exception {
        assertFalse(new OnlyChild(0).isAlone());
        assertFalse(
                new OnlyChild(awaitChildren(1).getFirst().pid()).isAlone(), "it leads no session");
        OnlyChild only = new OnlyChild(parent.pid());
        parent.destroyForcibly();
        parent.onExit().join();
        assertFalse(only.isAlone());
    }
}
