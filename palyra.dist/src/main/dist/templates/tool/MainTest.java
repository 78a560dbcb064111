package @name@.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolInvocation;
import palyra.testing.tool.ToolContract;

/** The rules of every tool, and what this one does. */
class @Class@ToolTest extends ToolContract {
    @Override
    protected Tool tool() {
        return new @Class@Tool();
    }

    @Override
    protected String validInput() {
        return "{\"text\":\"to be or not\"}";
    }

    @Override
    protected List<String> badInputs() {
        return List.of("{}", "{\"text\":1}", "{\"text\":\"a\",\"more\":true}", "[]");
    }

    @Override
    protected Optional<String> lastingInput() {
        return Optional.empty(); // no call of it lasts
    }

    @Test
    void countsWords() throws Exception {
        ToolInvocation call =
                new ToolInvocation("call", 1, "run", "session", "user:test", validInput(), 0);
        assertEquals("{\"words\":4}", tool().execute(call).outputJson());
    }
}
