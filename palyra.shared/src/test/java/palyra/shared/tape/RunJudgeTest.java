package palyra.shared.tape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Finding;
import palyra.api.core.journal.VerificationReport.Judgement;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;

/** The hashes of every tape here are right. */
class RunJudgeTest {
    private static final String RUN = "01HZY5T0000000000000000001";
    private static final byte[] GENESIS = TapeHash.genesis(RUN, "session", "user:alice");

    private final List<TapeRecord> tape = new ArrayList<>();

    private RunJudgeTest write(TapeEvent event) {
        return write(TapeCodec.type(event), TapeCodec.schema(event), TapeCodec.payload(event));
    }

    private RunJudgeTest write(String type, int schema, byte[] payload) {
        byte[] before = tape.isEmpty() ? GENESIS : tape.getLast().hash();
        byte[] salt = new byte[TapeHash.LENGTH];
        byte[] commitment = TapeHash.commitment(salt, payload);
        long seq = tape.size() + 1L;
        byte[] hash = TapeHash.hash(before, RUN, seq, type, 1_000, schema, commitment);
        tape.add(
                new TapeRecord(
                        RUN, seq, type, 1_000, schema, salt, payload, commitment, before, hash));
        return this;
    }

    private RunJudgeTest running() {
        return write(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""))
                .write(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
    }

    private void erase(int seq) {
        TapeRecord old = tape.get(seq - 1);
        tape.set(
                seq - 1,
                new TapeRecord(
                        RUN,
                        seq,
                        old.type(),
                        old.timeMillis(),
                        old.schema(),
                        null,
                        null,
                        old.commitment(),
                        old.prevHash(),
                        old.hash()));
    }

    private static TapeEvent finished() {
        return new TapeEvent.TurnFinished(1, 1, "", "stop", List.of(), 0, 0);
    }

    private VerificationReport verify() {
        VerificationReport report =
                StreamVerifier.verify(RUN, GENESIS, tape, false, Optional.empty(), List.of());
        assertTrue(report.intact(), report::toString);
        return report;
    }

    @Test
    void aRunThatIsLegalIsJudgedToItsEnd() {
        running().write(new TapeEvent.TurnStarted(1, 1, "a", "p", "", "", "", "", 16, 2));
        write(new TapeEvent.ModelToken(1, 1, "hi")).write(finished());
        assertEquals(Judgement.NONE, verify().judgement());
    }

    @Test
    void anIllegalRecordIsNamedWithWhatWasExpectedAndEndsTheJudgement() {
        running().write(finished()).write(finished()).write(new TapeEvent.ModelToken(1, 1, "x"));
        Judgement judgement = verify().judgement();
        Finding found = judgement.illegal().getFirst();
        assertEquals(1, judgement.illegal().size(), "what follows it is not known");
        assertEquals(RUN, found.runId());
        assertEquals(3, found.seq());
        assertEquals("turn_finished", found.type());
        assertTrue(found.detail().contains("expected turn_started"), found.detail());
        assertEquals(2, judgement.unjudged());
    }

    @Test
    void streamedTextAfterTheEndIsIllegalToo() {
        running().write(new TapeEvent.RunStateChanged(RunState.FAILED, null, ""));
        write(new TapeEvent.ModelToken(1, 1, "late"));
        assertEquals(4, verify().judgement().illegal().getFirst().seq());
    }

    @Test
    void aPayloadThatIsNotThatOfItsTypeIsIllegal() {
        running().write("turn_started", 1, "{\"no\":1}".getBytes(StandardCharsets.UTF_8));
        Finding found = verify().judgement().illegal().getFirst();
        assertEquals("turn_started", found.type());
        assertTrue(found.detail().contains("payload"), found.detail());
    }

    @Test
    void whatIsNotKnownIsNotJudgedNorIsWhatFollows() {
        running().write("merkle_proof", 1, new byte[] {'{', '}'}).write(finished());
        assertUnknown("merkle_proof", 2);
    }

    @Test
    void aNewerFormOfAKnownTypeIsNotJudged() {
        running().write("turn_finished", 900, new byte[] {'{', '}'}).write(finished());
        assertUnknown("turn_finished", 2);
    }

    @Test
    void whatWasErasedIsNotJudgedUnlessItIsStreamedText() {
        running().write(new TapeEvent.TurnStarted(1, 1, "a", "p", "", "", "", "", 16, 2));
        write(new TapeEvent.ModelToken(1, 1, "hi")).write(finished());
        erase(4);
        assertEquals(Judgement.NONE, verify().judgement());
        erase(3);
        assertUnknown("turn_started", 3);
    }

    private void assertUnknown(String type, long unjudged) {
        Judgement judgement = verify().judgement();
        assertTrue(judgement.legal(), judgement::toString);
        assertEquals(3, judgement.unknown().orElseThrow().seq());
        assertEquals(type, judgement.unknown().get().type());
        assertEquals(unjudged, judgement.unjudged());
    }

    @Test
    void aRangeFromTheMiddleIsNotJudged() {
        running().write(finished());
        StreamVerifier verifier = StreamVerifier.after(tape.get(1));
        assertTrue(verifier.accept(tape.get(2)));
        assertEquals(
                new Judgement(List.of(), 1, Optional.empty()), verifier.report(true).judgement());
    }

    @Test
    void aChangedRecordIsAFaultAndNotIllegal() {
        running().write(finished());
        tape.set(2, tape.get(1));
        VerificationReport report =
                StreamVerifier.verify(RUN, GENESIS, tape, false, Optional.empty(), List.of());
        assertEquals(VerificationReport.Kind.SEQUENCE, report.fault().orElseThrow().kind());
        assertTrue(report.judgement().legal());
    }

    @Test
    void theFirstHundredRunsAreNamed() {
        Judgement all = Judgement.NONE;
        for (int i = 149; i >= 0; i--) {
            Finding one = new Finding("run-" + (1_000 + i), 1, "message", "");
            all = all.plus(new Judgement(List.of(one), 2, Optional.of(one)));
        }
        assertEquals(Judgement.MOST, all.illegal().size());
        assertEquals("run-1000", all.illegal().getFirst().runId());
        assertEquals("run-1099", all.illegal().getLast().runId());
        assertEquals("run-1000", all.unknown().orElseThrow().runId());
        assertEquals(300, all.unjudged());
    }
}
