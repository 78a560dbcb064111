package palyra.models.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.model.ModelCaller;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.tool.ToolDescriptor;

class CallAssemblerTest {
    private static final ToolNames NAMES =
            ToolNames.of(
                    new ModelRequest(
                            "1",
                            "",
                            "",
                            List.of(new ModelMessage.User("x")),
                            List.of(tool("get.weather"), tool("aa")),
                            false,
                            0,
                            ModelCaller.UNKNOWN,
                            0,
                            Map.of()));

    private final CallAssembler calls = new CallAssembler("test");

    private static ToolDescriptor tool(String name) {
        return new ToolDescriptor(name, "A tool.", "{}", Set.of(), true, true, 1, 100);
    }

    private List<String> told() throws TurnFailure {
        return calls.proposals(NAMES).stream().map(c -> c.toolName() + c.inputJson()).toList();
    }

    @Test
    void joinsANameInPieces() throws Exception {
        calls.piece(0, "a", "get_", "");
        calls.piece(0, "", "weather", "{}");
        assertEquals(List.of("get.weather{}"), told());
    }

    @Test
    void takesANameThatComesWithEachPieceOnce() throws Exception {
        calls.piece(0, "a", "get_weather", "{\"a\"");
        calls.piece(0, "a", "get_weather", ":1}");
        assertEquals(List.of("get.weather{\"a\":1}"), told());
    }

    @Test
    void joinsEqualPiecesWhereThatIsATool() throws Exception {
        calls.piece(0, "a", "a", "");
        calls.piece(0, "a", "a", "{}");
        assertEquals(List.of("aa{}"), told());
    }

    @Test
    void tellsCallsApartThatAllHaveIndexZero() throws Exception {
        calls.piece(0, "a", "aa", "{\"n\":1}");
        calls.piece(0, "b", "aa", "{\"n\":2}");
        calls.piece(0, "a", "", "");
        assertEquals(List.of("aa{\"n\":1}", "aa{\"n\":2}"), told());
    }

    @Test
    void takesIdsWhereIndexesAreMissing() throws Exception {
        calls.piece(-1, "a", "aa", "{\"n\":");
        calls.piece(-1, "b", "aa", "{}");
        calls.piece(-1, "a", "", "1}");
        assertEquals(List.of("aa{\"n\":1}", "aa{}"), told());
    }

    @Test
    void takesTheLastCallWhereBothAreMissing() throws Exception {
        calls.piece(-1, "", "aa", "{\"n\":");
        calls.piece(-1, "", "", "1}");
        calls.piece(-1, "", "aa", "{}");
        assertEquals(List.of("aa{\"n\":1}", "aa{}"), told());
    }

    @Test
    void tellsTheCallsByTheirIndexes() throws Exception {
        calls.piece(2, "c", "aa", "{\"n\":3}");
        calls.piece(0, "a", "aa", "{\"n\":1}");
        assertEquals(List.of("aa{\"n\":1}", "aa{\"n\":3}"), told());
    }

    @Test
    void takesTheWholeThatIsSentAgainOnce() throws Exception {
        calls.piece(0, "a", "aa", "{\"n\":1}");
        calls.piece(0, "a", "", "{\"n\":1}");
        assertEquals(List.of("aa{\"n\":1}"), told());
    }

    @Test
    void passesAnUnknownNameOn() throws Exception {
        calls.piece(0, "a", "rm_rf", "{}");
        assertEquals(List.of("rm_rf{}"), told());
    }

    @Test
    void refusesACallWithoutAName() throws Exception {
        calls.piece(0, "a", "", "{}");
        assertThrows(TurnFailure.class, this::told);
    }

    @Test
    void refusesWhatIsTooMuch() throws Exception {
        String part = "x".repeat(CallAssembler.MAX_INPUT_CHARS / 2);
        calls.piece(0, "a", "aa", part);
        calls.piece(0, "a", "", part);
        assertEquals(
                ErrorCode.RESOURCE_EXHAUSTED,
                assertThrows(TurnFailure.class, () -> calls.piece(0, "a", "", "x")).event().code());
        for (int i = 1; i < CallAssembler.MAX_CALLS; i++) {
            calls.piece(i, "", "aa", "{}");
        }
        assertThrows(TurnFailure.class, () -> calls.piece(1_000, "", "aa", "{}"));
    }
}
