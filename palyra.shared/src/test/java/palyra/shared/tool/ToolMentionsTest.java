package palyra.shared.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.tool.ToolDescriptor;

/** A model hears of the tools that it has. */
class ToolMentionsTest {
    private static ToolDescriptor tool(String name, String description, String ofField) {
        return new ToolDescriptor(
                name,
                description,
                "{\"properties\":{\"id\":{\"description\":\"" + ofField + "\"}}}",
                Set.of(),
                true,
                true,
                1_000,
                1_024);
    }

    private static final ToolDescriptor READ =
            tool("fs.read", "Reads a.txt or 1.5 MiB. To look use fs.search. It is quick.", "A.");
    private static final ToolDescriptor SEARCH =
            tool("fs.search", "Searches.", "A path. As fs.list shows it. Or fs.listing.");
    private static final ToolDescriptor LIST = tool("fs.list", "Lists.", "A folder.");
    private static final List<ToolDescriptor> ALL = List.of(READ, SEARCH, LIST);

    @Test
    void sentencesAboutToolsThatAreNotThereAreLeftOut() {
        ToolDescriptor read = ToolMentions.offered(ALL, List.of("fs.read")).get(0);
        assertEquals("Reads a.txt or 1.5 MiB. It is quick.", read.description());
        assertEquals(READ.capabilities(), read.capabilities());
        ToolDescriptor search = ToolMentions.offered(ALL, List.of("fs.search")).get(0);
        assertEquals(
                "{\"properties\":{\"id\":{\"description\":\"A path. Or fs.listing.\"}}}",
                search.inputSchemaJson());
    }

    @Test
    void aTextLosesWhatItSaysOfToolsThatTheReaderHasNot() {
        String text = "No. For that use fs.list. Ask the operator.";
        Set<String> all = Set.of("fs.list", "fs.read");
        assertEquals("No. Ask the operator.", ToolMentions.heard(text, all, List.of("fs.read")));
        assertEquals(text, ToolMentions.heard(text, all, List.of("fs.list")));
    }

    @Test
    void withAllToolsNothingIsLeftOut() {
        List<ToolDescriptor> all =
                ToolMentions.offered(ALL, List.of("fs.list", "fs.read", "fs.search"));
        assertEquals(ALL, all);
        assertSame(READ, all.get(0));
    }
}
