package palyra.tools.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.ops.Finding;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.Tool;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.api.tool.ToolResult;
import palyra.testing.tool.RecordingOutcomes;
import palyra.tools.internal.builtin.EchoTool;

/**
 * Inputs of tools of bundles are checked by size and schema, before a decision and at the start.
 */
class InputCheckTest {
    private record Described(String inputSchemaJson, int maxInputBytes) implements Tool {
        @Override
        public ToolDescriptor descriptor() {
            return new ToolDescriptor(
                    "acme.ship",
                    "Ships.",
                    inputSchemaJson,
                    Set.of(),
                    false,
                    false,
                    1_000,
                    maxInputBytes);
        }

        @Override
        public ToolResult execute(ToolInvocation invocation) {
            return ToolResult.of("{}");
        }
    }

    private ExecutorFixture fixture;

    @AfterEach
    void close() {
        fixture.close();
    }

    private ToolExamination examine(String tool, String input) {
        return fixture.executor.examine(
                new ToolProposed(tool, input, "session-1", "user:test", "default"));
    }

    private String refused(String tool, String input) {
        ToolExamination.Refused refused =
                assertInstanceOf(ToolExamination.Refused.class, examine(tool, input));
        assertEquals("tool.input_invalid", refused.reasonCode());
        return refused.reason();
    }

    @Test
    void anInputThatFitsHasNoFacts() {
        fixture = ExecutorFixture.with(new EchoTool());
        assertInstanceOf(ToolExamination.Facts.class, examine("palyra.echo", "{\"text\":\"a\"}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                          | palyra.echo needs the field 'text'; send a text",
                "{\"text\":1}                | palyra.echo got 'text' 1; send a text",
                "{\"text\":\"a\",\"extra\":1}| extra",
                "[\"a\"]                     | object",
                "{\"text\":\"a\",\"text\":\"b\"} | text",
                "{\"text\":\"\\ud800\"}      | surrogate"
            })
    void anInputThatDoesNotFitIsRefusedWithWhatIsWrong(String input, String named) {
        fixture = ExecutorFixture.with(new EchoTool());
        String reason = refused("palyra.echo", input);
        assertTrue(reason.contains("palyra.echo"), reason);
        assertTrue(reason.contains(named), reason);
    }

    @Test
    void lengthsCountCharactersOfWhateverAlphabet() {
        fixture = ExecutorFixture.with(new EchoTool());
        String longest = "🙂".repeat(4_080);
        assertInstanceOf(
                ToolExamination.Facts.class,
                examine("palyra.echo", "{\"text\":\"" + longest + "\"}"));
        String reason = refused("palyra.echo", "{\"text\":\"" + "x".repeat(5_000) + "\"}");
        assertTrue(reason.startsWith("palyra.echo got 'text' \"xxx"), reason);
        assertTrue(reason.endsWith("; send a text of at most 4096 characters."), reason);
    }

    @Test
    void anInputThatIsTooLargeIsRefusedBeforeTheDecision() {
        fixture = ExecutorFixture.with(new Described("{\"type\":\"object\"}", 64));
        String reason = refused("acme.ship", "{\"a\":\"" + "x".repeat(60) + "\"}");
        assertTrue(reason.contains("68 bytes; at most 64"), reason);
    }

    @Test
    void anInputIsCheckedAgainAtTheStartByTheToolThatIsHereThen() {
        fixture =
                ExecutorFixture.with(
                        new Described("{\"type\":\"object\",\"required\":[\"to\"]}", 1_000));
        RecordingOutcomes sink = new RecordingOutcomes();
        ToolOrder order = ExecutorFixture.order("acme.ship", "call-1", 1);
        PalyraException refused =
                assertThrows(PalyraException.class, () -> fixture.executor.start(order, sink));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        assertTrue(refused.getMessage().contains("to"), refused.getMessage());
        assertEquals(0, fixture.metric("palyra_tool_calls_running"));
    }

    @Test
    void aSchemaThatCannotBeReadRefusesEveryCallAndIsAFinding() {
        fixture =
                ExecutorFixture.with(
                        new Described(
                                "{\"type\":\"object\",\"$ref\":\"https://example.org/x\"}", 1_000));
        String reason = refused("acme.ship", "{}");
        List<Finding> findings = fixture.executor.findings();
        assertEquals(1, findings.size());
        assertEquals(Finding.Severity.ERROR, findings.get(0).severity());
        assertTrue(findings.get(0).toString().contains(reason), findings.toString());
    }
}
