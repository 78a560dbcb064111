package palyra.tools.internal.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.testing.tool.ToolContract;

class SleepToolTest extends ToolContract {
    @Override
    protected Tool tool() {
        return new SleepTool();
    }

    @Override
    protected String validInput() {
        return "{\"millis\":1}";
    }

    @Override
    protected List<String> badInputs() {
        return List.of(
                "{}",
                "{\"millis\":\"5\"}",
                "{\"millis\":-1}",
                "{\"millis\":30001}",
                "{\"millis\":1.5}",
                "{\"millis\":99999999999999999999}",
                "{\"millis\":true}");
    }

    @Override
    protected Optional<String> lastingInput() {
        return Optional.of("{\"millis\":30000}");
    }

    private static ToolInvocation call(int millis) {
        String input = "{\"millis\":" + millis + "}";
        return new ToolInvocation("c", 1, "r", "s", "user:test", input, 0);
    }

    @Test
    void takesAsLongAsAsked() throws Exception {
        long before = System.nanoTime();
        String output = new SleepTool().execute(call(50)).outputJson();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
        assertTrue(millis >= 50, "took " + millis + " ms");
        assertEquals("{\"sleptMillis\":50}", output);
    }

    @Test
    void interruptionIsNoSuccess() {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> new SleepTool().execute(call(30_000)));
    }
}
