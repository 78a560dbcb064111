package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ToolJsonTest {
    @Test
    void leavesSoundInputAsItWasWritten() {
        for (String sound :
                List.of("{}", "{ \"a\" : [1, 2 ] }", "{\"a\":\"x, }\"}", "{\"a\":1.50}")) {
            assertEquals(sound, ToolJson.repaired(sound));
        }
    }

    @Test
    void repairsWhatHasOneMeaning() {
        assertEquals("{}", ToolJson.repaired(""));
        assertEquals("{}", ToolJson.repaired(" \n"));
        assertEquals("{\"a\":1}", ToolJson.repaired("```json\n{\"a\":1}\n```"));
        assertEquals("{\"a\":1}", ToolJson.repaired("```\n{\"a\":1}```"));
        assertEquals("{\"a\":[1,2]}", ToolJson.repaired("{\"a\":[1,2,],}"));
        assertEquals("{\"a\":\"x,]\" }", ToolJson.repaired("{\"a\":\"x,]\", }"));
        assertEquals("{\"a\":\"x\\u000ay\"}", ToolJson.repaired("{\"a\":\"x\ny\"}"));
        assertEquals("{\"a\":1}", ToolJson.repaired("{\"a\":1}{\"a\":1}"));
    }

    @Test
    void leavesAloneWhatCouldMeanSeveralThings() {
        for (String broken :
                List.of(
                        "{\"a\":1",
                        "{\"a\":\"x",
                        "{\"a\":1}{\"a\":2}",
                        "{'a':1}",
                        "{a:1}",
                        "{\"a\":1,\"a\":2}",
                        "{\"a\":,}",
                        "[1]",
                        "text",
                        "{\"a\":True}",
                        "null")) {
            assertEquals(broken, ToolJson.repaired(broken));
        }
    }
}
