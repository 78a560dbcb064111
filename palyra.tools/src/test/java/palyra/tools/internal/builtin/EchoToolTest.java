package palyra.tools.internal.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.testing.tool.ToolContract;

class EchoToolTest extends ToolContract {
    @Override
    protected Tool tool() {
        return new EchoTool();
    }

    @Override
    protected String validInput() {
        return "{\"text\":\"hello\"}";
    }

    @Override
    protected List<String> badInputs() {
        return List.of(
                "{}",
                "{\"text\":1}",
                "{\"text\":null}",
                "{\"text\":[\"a\"]}",
                "{\"text\":\"a\",\"text\":\"b\"}",
                "{\"text\":\"\\ud800\"}",
                "[\"text\"]",
                "\"text\"",
                "{\"text\":\"" + "x".repeat(4_097) + "\"}");
    }

    private static String echo(String inputJson) {
        ToolInvocation call = new ToolInvocation("c", 1, "r", "s", "user:test", inputJson, 0);
        return new EchoTool().execute(call).outputJson();
    }

    @Test
    void returnsTheTextAsItIs() {
        assertEquals("{\"text\":\"a \\\"b\\\" 🙂\\n\"}", echo("{\"text\":\"a \\\"b\\\" 🙂\\n\"}"));
        assertEquals("{\"text\":\"\"}", echo("{\"text\":\"\"}"));
    }

    @Test
    void takesTheLongestTextInWhateverAlphabet() {
        String longest = "🙂".repeat(4_096 - 10);
        assertTrue(echo("{\"text\":\"" + longest + "\"}").contains(longest));
    }
}
