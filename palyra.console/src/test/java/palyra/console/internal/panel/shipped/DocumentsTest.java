package palyra.console.internal.panel.shipped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.Value;

class DocumentsTest {
    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void showsScalarsAsFactsAndListsOfObjectsAsTables() throws Exception {
        List<Block> blocks =
                Documents.blocks(
                        json(
                                """
                                {"state":"ready","sinceMillis":1795840806227,"held":false,
                                 "tools":["a","b"],"each":[{"name":"x","runId":"01"}]}
                                """));
        Block.Facts facts = assertInstanceOf(Block.Facts.class, blocks.get(0));
        assertEquals(
                List.of(
                        new Block.Fact("State", new Value.State(Level.GOOD, "ready")),
                        new Block.Fact("Since", new Value.Time(1795840806227L)),
                        new Block.Fact("Held", Value.text("no")),
                        new Block.Fact("Tools", Value.text("a, b"))),
                facts.facts());
        assertEquals(new Block.Heading("Each"), blocks.get(1));
        Block.Table table = assertInstanceOf(Block.Table.class, blocks.get(2));
        assertEquals(List.of("Name", "Run id"), table.columns());
        assertEquals(Value.code("01"), table.rows().get(0).values().get(1));
    }

    @Test
    void aFolderCalledStateIsNoState() throws Exception {
        List<Block> blocks = Documents.blocks(json("{\"state\":\"/var/lib/palyra\"}"));
        Block.Facts facts = assertInstanceOf(Block.Facts.class, blocks.get(0));
        assertEquals(Value.text("/var/lib/palyra"), facts.facts().get(0).value());
    }

    @Test
    void keepsLinksWithinTheConsoleWhateverTheTextIs() throws Exception {
        Block.Table table =
                Documents.list(
                        json("[{\"bundle\":\"../../x?a#b\"}]"),
                        "None.",
                        "bundle",
                        "/console/panel/bundles/");
        Value.Link link = assertInstanceOf(Value.Link.class, table.rows().get(0).values().get(0));
        assertEquals("/console/panel/bundles/%2E%2E%2F%2E%2E%2Fx%3Fa%23b", link.path());
    }
}
