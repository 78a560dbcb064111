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
    void sentencesOfTheGatewayNameToolsAsTheModelKnowsThem() {
        ToolNames names = of(NOTHING, "palyra.fs.read_file", "plain");
        String sentence = "Use palyra.fs.read_file. Not palyra.fs.read_files, v1.2 or plain.";
        String told = "Use palyra_fs_read_file. Not palyra.fs.read_files, v1.2 or plain.";
        assertEquals(told, names.outwardIn(sentence));
        String schema =
                "{\"properties\":{\"a\":{\"enum\":[\"palyra.fs.read_file\"],"
                        + "\"description\":\"Of palyra.fs.read_file\"}}}";
        ToolDescriptor tool =
                new ToolDescriptor("plain", "A tool.", schema, Set.of(), true, true, 1, 100);
        assertEquals(
                schema.replace("Of palyra.fs.read_file", "Of palyra_fs_read_file"),
                names.schema(tool).toString(),
                "values stay");
        String text = "failed: " + sentence + "\nfrom palyra.fs.read_file: a line of a file";
        assertEquals(
                "failed: " + told + "\nfrom palyra.fs.read_file: a line of a file",
                names.told(new ModelMessage.ToolOutput("1", "plain", false, text)));
        assertEquals(text, names.told(new ModelMessage.ToolOutput("1", "plain", true, text)));
    }

    @Test
    void whatWasNeverToldIsPassedOn() {
        assertEquals("other", of(NOTHING, "a.b").inward("other"));
        assertEquals("a.b", of(NOTHING, "a.b").inward("a.b"));
    }
}
