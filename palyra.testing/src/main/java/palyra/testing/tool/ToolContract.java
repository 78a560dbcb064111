package palyra.testing.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.tool.Capability;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.shared.json.StrictJson;
import palyra.shared.schema.Schema;

/**
 * What every tool must do. Extend it in the tool's tests, supply three methods (a fourth when the
 * tool can take long), and every rule of {@link Tool} becomes a test of yours.
 */
public abstract class ToolContract {
    private static final Duration PROMPT = Duration.ofSeconds(5);
    private static final int CALLERS = 8;

    private Tool tool;

    /** Returns the tool ready for use, as after its activation. */
    protected abstract Tool tool() throws Exception;

    /** Returns an input that works; each use of it works again. */
    protected abstract String validInput();

    /**
     * Returns inputs that must be refused with a sentence, by the input schema, which is checked
     * before a call, or by the tool: a wrong type, a missing field, a value out of range.
     */
    protected abstract List<String> badInputs();

    /** Returns an input whose call would last over a minute; empty when no call can. */
    protected Optional<String> lastingInput() {
        return Optional.empty();
    }

    /** Makes the tool. */
    @BeforeEach
    public void makeTool() throws Exception {
        tool = tool();
    }

    private static ToolInvocation call(String callId, String inputJson) {
        long deadline = System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(2);
        return new ToolInvocation(
                callId, 1, "run-1", "session-1", "user:test", inputJson, deadline);
    }

    /** The description never changes. */
    @Test
    public void descriptorIsConstant() {
        assertEquals(tool.descriptor(), tool.descriptor());
    }

    /** The input schema is a JSON Schema of an object. */
    @Test
    public void inputSchemaDescribesAnObject() {
        JsonNode schema = StrictJson.parse(tool.descriptor().inputSchemaJson(), "the input schema");
        assertEquals("object", schema.path("type").asText(), "type of the schema " + schema);
        for (Iterator<String> names = validFields(); names.hasNext(); ) {
            String name = names.next();
            assertTrue(
                    schema.path("properties").has(name), "the schema does not name field " + name);
        }
    }

    private Iterator<String> validFields() {
        return StrictJson.parse(validInput(), "the valid input").fieldNames();
    }

    /** What it declares does not contradict itself. */
    @Test
    public void declaresNoWritingWhenItOnlyReads() {
        ToolDescriptor descriptor = tool.descriptor();
        boolean writes = descriptor.capabilities().contains(Capability.FILESYSTEM_WRITE);
        assertFalse(descriptor.readOnly() && writes, "read-only, and yet it writes files");
    }

    /** A good input, within its own limit, succeeds with JSON. */
    @Test
    public void validInputSucceeds() throws Exception {
        int bytes = validInput().getBytes(StandardCharsets.UTF_8).length;
        assertTrue(bytes <= tool.descriptor().maxInputBytes(), "the valid input is too large");
        ToolResult result = tool.execute(call("call-1", validInput()));
        assertTrue(result.success(), result.error());
        StrictJson.parse(result.outputJson(), "the output");
    }

    /** A bad input is refused with a sentence that helps. */
    @Test
    public void badInputsAreRefusedWithASentence() {
        assertFalse(badInputs().isEmpty(), "name at least one bad input");
        for (String input : badInputs()) {
            assertRefused(input);
        }
    }

    /** A field that the tool does not know is refused by name, not ignored. */
    @Test
    public void unknownFieldIsRefusedByName() {
        String known = validInput().strip();
        String extra = "\"no_such_field\":1";
        String body = known.substring(1, known.length() - 1).strip();
        String sentence = assertRefused("{" + (body.isEmpty() ? extra : body + "," + extra) + "}");
        assertTrue(sentence.contains("no_such_field"), "the field is not named: " + sentence);
    }

    private String assertRefused(String input) {
        String sentence;
        try {
            String schema = tool.descriptor().inputSchemaJson();
            Optional<String> problem =
                    Schema.of("the input", schema).problem(StrictJson.parse(input, "the input"));
            if (problem.isPresent()) {
                return problem.get();
            }
            ToolResult result = tool.execute(call("call-bad", input));
            assertFalse(result.success(), "taken, but should be refused: " + input);
            sentence = result.error();
        } catch (PalyraException e) {
            sentence = e.getMessage();
        } catch (Exception e) {
            return fail(
                    "input " + input + " is refused with " + e + ", which does not name the fault",
                    e);
        }
        assertFalse(sentence.isBlank(), "refused without a sentence: " + input);
        return sentence;
    }

    /** Several calls at a time do not disturb each other. */
    @Test
    public void callsRunSideBySide() throws Exception {
        List<FutureTask<ToolResult>> calls = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            ToolInvocation call = call("call-" + i, validInput());
            calls.add(onThread(() -> tool.execute(call)));
        }
        for (FutureTask<ToolResult> call : calls) {
            ToolResult result = call.get(30, TimeUnit.SECONDS);
            assertTrue(result.success(), result.error());
        }
    }

    /** A call whose thread is interrupted from the beginning ends promptly, one way or another. */
    @Test
    public void interruptedThreadEndsPromptly() throws Exception {
        FutureTask<Boolean> call =
                onThread(
                        () -> {
                            Thread.currentThread().interrupt();
                            return endsInSomeWay(call("call-1", validInput()));
                        });
        assertTrue(call.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** A call that takes long ends promptly when its thread is interrupted. */
    @Test
    public void interruptionEndsALastingCall() throws Exception {
        Optional<String> lasting = lastingInput();
        if (lasting.isEmpty()) {
            return; // no call of this tool lasts
        }
        FutureTask<Boolean> call =
                new FutureTask<>(() -> endsInSomeWay(call("call-1", lasting.get())));
        Thread thread = Thread.ofPlatform().daemon().name("lasting-call").start(call);
        ToolWaits.awaitWaiting(thread);
        assertFalse(call.isDone(), "the lasting call ended by itself");
        thread.interrupt();
        assertTrue(call.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS));
    }

    private boolean endsInSomeWay(ToolInvocation invocation) {
        try {
            return tool.execute(invocation) != null;
        } catch (Exception e) {
            return true; // an exception is an end, too
        }
    }

    private static <T> FutureTask<T> onThread(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().name("tool-contract").start(task);
        return task;
    }
}
