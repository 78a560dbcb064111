package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.model.ToolProposal;
import palyra.api.tool.ToolDescriptor;

class ToolNamesTest {
    private static ToolNames of(List<ModelMessage> messages, String... tools) {
        return ToolNames.of(
                new ModelRequest(
                        "1",
                        "",
                        "",
                        messages,
                        Stream.of(tools).map(ToolNamesTest::tool).toList(),
                        false,
                        0));
    }

    private static ToolDescriptor tool(String name) {
        return new ToolDescriptor(name, "A tool.", "{}", Set.of(), true, true, 1, 100);
    }

    private static final List<ModelMessage> NOTHING = List.of(new ModelMessage.User("x"));

    @Test
    void everyNameIsUsableAndComesBack() {
        String longest = "a." + "b".repeat(62);
        String[] all = {
            "palyra.http.fetch", "palyra_http.fetch", "palyra-x", longest, "a.b", "a_b"
        };
        ToolNames names = of(NOTHING, all);
        Set<String> theirs = new HashSet<>();
        for (String name : all) {
            String outward = names.outward(name);
            assertTrue(outward.matches("[A-Za-z0-9_-]{1,64}"), outward);
            assertTrue(theirs.add(outward), "twice: " + outward);
            assertEquals(name, names.inward(outward));
        }
        assertEquals("palyra-x", names.outward("palyra-x"));
        assertEquals("a_b", names.outward("a_b"));
    }

    @Test
    void namesOfToolsDoNotDependOnTheConversation() {
        List<ModelMessage> talk =
                List.of(
                        new ModelMessage.User("x"),
                        new ModelMessage.Assistant("", List.of(new ToolProposal("1", "a_b", "{}"))),
                        new ModelMessage.ToolOutput("1", "a_b", true, "ok"));
        assertEquals(of(NOTHING, "a.b").outward("a.b"), of(talk, "a.b").outward("a.b"));
        assertTrue(of(talk, "a.b").outward("a_b").startsWith("a_b_"));
    }

    @Test
    void whatWasNeverToldIsPassedOn() {
        assertEquals("other", of(NOTHING, "a.b").inward("other"));
        assertEquals("a.b", of(NOTHING, "a.b").inward("a.b"));
    }
}
