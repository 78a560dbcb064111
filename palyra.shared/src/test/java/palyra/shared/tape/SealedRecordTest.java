package palyra.shared.tape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;

class SealedRecordTest {
    private static final TapeEvent EVENT =
            new TapeEvent.ToolCallProposal("c", 1, 0, "t", "{\"k\":\"⟦secret:x:1⟧\"}");

    private static TapeRecord record(Operation.Append append, int schema) {
        byte[] digest = new byte[32];
        return new TapeRecord(
                "01J",
                1,
                append.type(),
                1,
                schema,
                digest,
                append.payload(),
                digest,
                digest,
                digest);
    }

    @Test
    void theSealedPartIsAMemberBesideTheOthers() {
        Operation.Append append = TapeCodec.append("01J", EVENT, "c2VhbGVk");
        assertEquals(
                "{\"callId\":\"c\",\"index\":0,\"inputJson\":\"{\\\"k\\\":\\\"⟦secret:x:1⟧\\\"}\","
                        + "\"sealed\":\"c2VhbGVk\",\"tool\":\"t\",\"turn\":1}",
                new String(append.payload(), StandardCharsets.UTF_8));
        assertEquals(TapeCodec.SCHEMA + TapeCodec.SEALED, append.schema());
        TapeRecord record = record(append, append.schema());
        assertEquals(EVENT, TapeCodec.event(record));
        assertEquals(Optional.of("c2VhbGVk"), TapeCodec.sealed(record));
        assertTrue(TapeCodec.sealed(record(TapeCodec.append("01J", EVENT), 1)).isEmpty());
    }

    @Test
    void aFormThatIsNotKnownStaysUnknownWithASealedPart() {
        Operation.Append append = TapeCodec.append("01J", EVENT, "c2VhbGVk");
        assertInstanceOf(
                TapeEvent.Unknown.class, TapeCodec.event(record(append, append.schema() + 1)));
        assertInstanceOf(
                TapeEvent.Unknown.class, TapeCodec.event(record(append, TapeCodec.SEALED)));
    }

    @Test
    void aSealedPartThatTheVersionDoesNotAnnounceIsAFault() {
        Operation.Append append = TapeCodec.append("01J", EVENT, "c2VhbGVk");
        assertThrows(PalyraException.class, () -> TapeCodec.event(record(append, 1)));
    }
}
