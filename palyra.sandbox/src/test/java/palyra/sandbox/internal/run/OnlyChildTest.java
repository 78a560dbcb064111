package palyra.sandbox.internal.run;

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
        parent = new ProcessBuilder("/bin/sh", "-c", script).start();
        awaitChildren(1);
    }

    @AfterEach
    void end() throws Exception {
        parent.descendants().forEach(ProcessHandle::destroyForcibly);
        parent.destroyForcibly().waitFor();
        parent.descendants().forEach(ProcessHandle::destroyForcibly);
    }

    private List<ProcessHandle> awaitChildren(int count) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        List<ProcessHandle> children;
        do {
            children = parent.children().toList();
        } while (children.size() != count && System.nanoTime() < end);
        assertTrue(children.size() == count, children.toString());
        return children;
    }

    @Test
    void aChildThatTookItsPlaceIsNotTakenForIt() {
        OnlyChild only = new OnlyChild(parent.pid());
        assertTrue(only.isAlone());
        ProcessHandle helper = awaitChildren(1).getFirst();
        helper.destroyForcibly();
        helper.onExit().join();
        awaitChildren(1);
        assertFalse(only.isAlone());
        assertTrue(new OnlyChild(parent.pid()).isAlone(), "the positive control");
    }

    @Test
    void whatIsNotKnownIsNotAlone() {
        assertFalse(new OnlyChild(0).isAlone());
        assertTrue(new OnlyChild(awaitChildren(1).getFirst().pid()).isAlone(), "it has none");
        OnlyChild only = new OnlyChild(parent.pid());
        parent.destroyForcibly();
        parent.onExit().join();
        assertFalse(only.isAlone());
    }
}
