package palyra.testing.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import palyra.api.PalyraException;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.testing.wait.Await;

class RecordingToolTest {
    private static ToolInvocation call(String callId) {
        return new ToolInvocation(callId, 1, "r", "s", "user:test", "{}", 0);
    }

    @Test
    void keepsItsCallsAndDoesWhatItWasTold() throws Exception {
        RecordingTool tool = RecordingTool.named("test.a").returning("[1]");
        assertEquals("[1]", tool.execute(call("c1")).outputJson());
        tool.throwing(new IOException("no"));
        assertThrows(IOException.class, () -> tool.execute(call("c2")));
        assertEquals(
                List.of("c1", "c2"), tool.calls().stream().map(ToolInvocation::callId).toList());
        assertEquals(0, tool.running());
    }

    @Test
    void holdsUntilReleasedOrInterrupted() {
        RecordingTool tool = RecordingTool.named("test.a").holding();
        Thread first = Thread.ofPlatform().start(() -> executeQuietly(tool));
        Thread second = Thread.ofPlatform().start(() -> executeQuietly(tool));
        tool.awaitCalls(2);
        first.interrupt();
        Await.ended(first);
        assertEquals(1, tool.interrupted());
        assertEquals(1, tool.running());
        tool.release();
        Await.ended(second);
        tool.awaitIdle();
    }

    @Test
    void holdsStubbornlyThroughInterruptions() {
        RecordingTool tool = RecordingTool.named("test.a").holdingStubbornly();
        Thread thread = Thread.ofPlatform().start(() -> executeQuietly(tool));
        tool.awaitCalls(1);
        thread.interrupt();
        Await.until("the interruption to be noticed", () -> tool.interrupted() == 1);
        assertEquals(1, tool.running());
        tool.release();
        Await.ended(thread);
    }

    private static void executeQuietly(Tool tool) {
        try {
            tool.execute(call("c"));
        } catch (Exception e) {
            Thread.currentThread().interrupt(); // the test looks at the tool, not at the end
        }
    }

    /** The contract suite itself: a tool that ignores what it is given must be found out. */
    private static final class Suite extends ToolContract {
        private final Tool tool;

        Suite(Tool tool) throws Exception {
            this.tool = tool;
            makeTool();
        }

        @Override
        protected Tool tool() {
            return tool;
        }

        @Override
        protected String validInput() {
            return "{\"text\":\"x\"}";
        }

        @Override
        protected List<String> badInputs() {
            return List.of("{}");
        }
    }

    private static void assertFound(Executable rule) {
        assertThrows(AssertionError.class, rule);
    }

    @Test
    void theContractFindsAToolThatChecksNothing() throws Exception {
        Suite suite = new Suite(RecordingTool.named("test.a").returning("{}"));
        suite.descriptorIsConstant();
        suite.callsRunSideBySide();
        assertFound(suite::badInputsAreRefusedWithASentence);
        assertFound(suite::unknownFieldIsRefusedByName);
        assertFound(suite::inputSchemaDescribesAnObject);
    }

    @Test
    void theContractFindsAToolThatAnswersNonsense() throws Exception {
        assertThrows(
                PalyraException.class,
                () ->
                        new Suite(RecordingTool.named("test.a").returning("not json"))
                                .validInputSucceeds());
    }

    @Test
    void theContractFindsRefusalsWithoutASentence() throws Exception {
        Suite suite =
                new Suite(
                        RecordingTool.named("test.a")
                                .doing(call -> new ToolResult(false, "{}", " ")));
        assertFound(suite::badInputsAreRefusedWithASentence);
        Suite crash = new Suite(RecordingTool.named("test.a").throwing(new NullPointerException()));
        assertFound(crash::badInputsAreRefusedWithASentence);
    }
}
