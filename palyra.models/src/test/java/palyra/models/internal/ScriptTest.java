package palyra.models.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class ScriptTest {
    private static Script read(String json) {
        return Script.read(Script.MARK + "\n" + json);
    }

    @Test
    void onlyTheMarkAloneOnTheFirstLineMakesAScript() {
        assertTrue(Script.isScript("#!palyra-script\n{}"));
        assertTrue(Script.isScript("#!palyra-script \r\n{}"));
        assertFalse(Script.isScript("#!palyra-script"));
        assertFalse(Script.isScript("#!palyra-script {}"));
        assertFalse(Script.isScript(" #!palyra-script\n{}"));
        assertFalse(Script.isScript("hello\n#!palyra-script\n{}"));
        assertFalse(Script.isScript("#!palyra-scripts\n{}"));
    }

    @Test
    void readsEverySortOfStep() {
        Script script =
                read(
                        """
                        {"turns":[[
                          {"say":"a","chunkMillis":7},
                          {"think":"b"},
                          {"call":{"tool":"t","input":[]}},
                          {"delayMillis":5},
                          {"fail":{"code":"DENIED","message":"No.","retryable":true,"times":3}},
                          {"stall":true},
                          {"repeat":{"count":2,"say":"x"}},
                          {"lastToolOutput":true}]]}""");
        assertEquals(
                List.of(
                        new Step.Say("a", 7),
                        new Step.Think("b", -1),
                        new Step.Call("t", "[]"),
                        new Step.Delay(5),
                        new Step.Fail(ErrorCode.DENIED, "No.", true, 3),
                        new Step.Stall(),
                        new Step.Repeat(2, "x"),
                        new Step.LastToolOutput()),
                script.turn(0));
        assertEquals(List.of(new Step.Say("done", -1)), script.turn(1));
    }

    @Test
    void anEmptyTurnIsATurn() {
        assertEquals(List.of(), read("{\"turns\":[[]]}").turn(0));
        assertEquals(List.of(new Step.Say("done", -1)), read("{\"turns\":[]}").turn(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{                                          | not acceptable JSON",
                "{\"turns\":[[]],\"turns\":[[]]}            | Duplicate",
                "[]                                         | turns",
                "{\"turns\":{}}                             | turns",
                "{\"turns\":[[]],\"seed\":1}                | 'seed'",
                "{\"turns\":[{}]}                           | turn 1",
                "{\"turns\":[[\"say\"]]}                    | step 1 of turn 1 is not an object",
                "{\"turns\":[[],[{\"say\":1}]]}             | step 1 of turn 2 has say 1",
                "{\"turns\":[[{\"say\":\"a\",\"stall\":true}]]}   | [say, stall]",
                "{\"turns\":[[{\"say\":\"a\",\"speed\":1}]]}      | 'speed'",
                "{\"turns\":[[{\"say\":\"a\",\"chunkMillis\":-1}]]} | chunkMillis -1",
                "{\"turns\":[[{\"call\":\"palyra.echo\"}]]}       | use an object",
                "{\"turns\":[[{\"call\":{\"tool\":\"t\"}}]]}      | rawInput",
                "{\"turns\":[[{\"call\":{\"tool\":\"t\",\"input\":1,\"rawInput\":\"\"}}]]} | rawInput",
                "{\"turns\":[[{\"call\":{\"input\":{}}}]]}        | tool missing",
                "{\"turns\":[[{\"delayMillis\":1.5}]]}            | whole number",
                "{\"turns\":[[{\"delayMillis\":99999999999999999999}]]} | whole number",
                "{\"turns\":[[{\"stall\":false}]]}                | use true",
                "{\"turns\":[[{\"fail\":{\"code\":\"OOPS\"}}]]}   | MODEL_FAILED",
                "{\"turns\":[[{\"fail\":{\"message\":\" \"}}]]}   | blank",
                "{\"turns\":[[{\"fail\":{\"retryable\":\"yes\"}}]]} | true or false",
                "{\"turns\":[[{\"fail\":{\"times\":0}}]]}         | times 0",
                "{\"turns\":[[{\"repeat\":{\"count\":100001,\"say\":\"x\"}}]]} | count 100001",
                "{\"turns\":[[{\"repeat\":{\"count\":100000,\"say\":\"0123456789012345678901234567890123456789012\"}}]]} | at most 4194304"
            })
    void refusesWhatItDoesNotUnderstandByName(String json, String part) {
        PalyraException refused = assertThrows(PalyraException.class, () -> read(json));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
}
