package palyra.gateway.internal.engine.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.tape.TapeEvent.ToolCallProposal;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.fold.ApprovalProgress;
import palyra.shared.fold.Call;
import palyra.shared.fold.CallState;

/** Which calls of one step start together. */
class CallGroupTest {
    private static final String PLAIN = "{\"type\":\"object\"}";
    private static final String TOGETHER =
            "{\"type\":\"object\",\"properties\":{\"parallel\":{\"type\":\"boolean\"}}}";
    private static final Map<String, ToolDescriptor> OFFERED =
            Map.of(
                    "read", tool("read", PLAIN, true),
                    "write", tool("write", PLAIN, false),
                    "run", tool("run", TOGETHER, false));

    private static ToolDescriptor tool(String name, String schema, boolean readOnly) {
        return new ToolDescriptor(name, "Test.", schema, Set.of(), true, readOnly, 1_000, 1_000);
    }

    private static Call call(String tool, String input, int asks) {
        return new Call(
                new ToolCallProposal("c", 1, 0, tool, input),
                1,
                CallState.DECIDED,
                null,
                new ApprovalProgress(asks, "", 0, null, 0),
                0,
                null);
    }

    private static Call run(String input) {
        return call("run", input, 0);
    }

    private static int together(Call... ready) {
        return AvailableTools.group(List.of(ready), OFFERED).size();
    }

    @Test
    void callsThatReadStartTogetherAndOthersAlone() {
        Call read = call("read", "{}", 0);
        Call write = call("write", "{\"parallel\":true}", 0);
        assertEquals(2, together(read, read, write, read));
        assertEquals(1, together(write, read));
        assertEquals(1, together(write, write));
        assertEquals(4, together(read, read, read, read, read));
    }

    @Test
    void callsStartTogetherOfWhichEachSaysThatItIsIndependent() {
        Call free = run("{\"parallel\":true}");
        assertEquals(3, together(free, free, free));
        assertEquals(1, together(run("{}"), free));
        assertEquals(1, together(free, run("{\"parallel\":false}")));
        assertEquals(1, together(free, run("{\"parallel\":\"true \"}")));
        assertEquals(1, together(free, run("no json")));
        assertEquals(2, together(free, call("read", "{}", 0), run("{}")));
    }

    @Test
    void callThatAPersonAnsweredStartsAlone() {
        Call asked = call("run", "{\"parallel\":true}", 1);
        assertEquals(1, together(asked, asked));
        assertEquals(1, together(run("{\"parallel\":true}"), asked));
    }
}
