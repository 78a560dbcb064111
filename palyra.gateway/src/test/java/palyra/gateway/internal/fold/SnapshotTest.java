package palyra.gateway.internal.fold;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tool.ToolImage;

class SnapshotTest {
    private static final int MOST = 1 << 20;
    private static final int TAPES = 300;

    private static RunHistory fold(RunHistory onto, List<TapeEvent> tape, int from, int to) {
        for (int i = from; i < to; i++) {
            onto.apply(i + 1, 1_001 + i, tape.get(i));
        }
        return onto;
    }

    private static RunHistory fold(List<TapeEvent> tape, int to) {
        return fold(new RunHistory(), tape, 0, to);
    }

    private static byte[] written(RunHistory history) {
        return Snapshot.write(history, MOST).orElseThrow();
    }

    private static Optional<RunHistory> read(byte[] content) {
        return Snapshot.read(content, text -> true);
    }

    private static Optional<RunHistory> read(String content) {
        return read(content.getBytes(UTF_8));
    }

    @Test
    void goesOnFromAnyRecordAsFromTheWholeTape() {
        int waited = 0;
        int records = 0;
        for (long seed = 0; seed < TAPES; seed++) {
            List<TapeEvent> tape = RandomTape.of(seed);
            RunHistory whole = fold(tape, tape.size());
            for (int cut = 1; cut <= tape.size(); cut++) {
                RunHistory before = fold(tape, cut);
                RunHistory resumed = read(written(before)).orElseThrow();
                assertEquals(before.image(), resumed.image(), "tape " + seed + " at " + cut);
                assertEquals(before.next(), resumed.next());
                assertEquals(before.conversation(), resumed.conversation());
                waited += before.state() == RunState.AWAITING_APPROVAL ? 1 : 0;
                fold(resumed, tape, cut, tape.size());
                assertEquals(whole.image(), resumed.image(), "tape " + seed + " from " + cut);
            }
            records += tape.size();
        }
        assertTrue(waited > TAPES && records > 20 * TAPES, waited + " of " + records);
    }

    /** A run that waits for people in its second turn, with something in every member. */
    private static RunHistory sample() {
        ToolProposal first = new ToolProposal("r.1.0", "test.tool", "{\"a\":1}");
        ToolProposal second = new ToolProposal("r.2.0", "test.tool", "{\"a\":2}");
        ToolProposal third = new ToolProposal("r.2.1", "test.tool", "{\"a\":3}");
        List<TapeEvent> tape =
                List.of(
                        new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""),
                        new TapeEvent.Message(TapeEvent.Role.USER, "Do it.", "user:a", "s", "m"),
                        new TapeEvent.Message(TapeEvent.Role.SYSTEM, "Be kind.", "", "", ""),
                        new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""),
                        new TapeEvent.TurnStarted(1, 1, "main", "p", "m", "a", "b", "", 16, 4),
                        new TapeEvent.TurnFinished(1, 1, "I do.", "tool", List.of(first), 5, 6),
                        proposed(first, 1, 0),
                        decided(first, TapeEvent.Verdict.ALLOW),
                        new TapeEvent.ToolStarted(first.callId(), 1, "test.tool", "i"),
                        output(first, TapeEvent.Outcome.SUCCEEDED),
                        new TapeEvent.TurnStarted(2, 1, "main", "p", "m", "a", "b", "", 15, 10),
                        new TapeEvent.TurnRestarted(2, 2, "it was lost"),
                        new TapeEvent.TurnStarted(2, 2, "main", "q", "m", "a", "b", "", 15, 10),
                        new TapeEvent.TurnFinished(2, 2, "", "tool", List.of(second, third), 5, 6),
                        proposed(second, 2, 0),
                        proposed(third, 2, 1),
                        decided(second, TapeEvent.Verdict.APPROVAL_REQUIRED),
                        new TapeEvent.ApprovalRequest("q1", second.callId(), "{}", 9_000, "b", 1),
                        decided(third, TapeEvent.Verdict.DENY),
                        output(third, TapeEvent.Outcome.DENIED),
                        new TapeEvent.RunStateChanged(RunState.AWAITING_APPROVAL, null, "so"),
                        new TapeEvent.ExternalEvent("e", "note", "user:b", "{\"n\":1.50}"),
                        new TapeEvent.ApprovalDecision(
                                "q1",
                                second.callId(),
                                true,
                                "once",
                                "user:c",
                                "fine",
                                "exact",
                                "g",
                                List.of("user:c")));
        return fold(tape, tape.size());
    }

    private static TapeEvent proposed(ToolProposal call, int turn, int index) {
        return new TapeEvent.ToolCallProposal(
                call.callId(), turn, index, call.toolName(), call.inputJson());
    }

    private static TapeEvent decided(ToolProposal call, TapeEvent.Verdict verdict) {
        return new TapeEvent.ToolDecision(
                call.callId(), call.toolName(), verdict, "c", "why", "POLICY", List.of("p"), "d");
    }

    private static TapeEvent output(ToolProposal call, TapeEvent.Outcome outcome) {
        ToolImage image = ToolImage.of("image/png", new byte[] {1, 2, 3});
        return new TapeEvent.ToolCallOutput(
                call.callId(),
                1,
                call.toolName(),
                outcome,
                "{\"n\":1.50}",
                "no",
                outcome == TapeEvent.Outcome.SUCCEEDED ? List.of(image) : List.of());
    }

    /** Whoever makes this fail raises {@link Snapshot#FORMAT} and writes the file anew. */
    @Test
    void formIsTheOneThatItsNumberNames() throws IOException {
        String name = "/snapshot-" + Snapshot.FORMAT + ".json";
        try (InputStream file = SnapshotTest.class.getResourceAsStream(name)) {
            String form = new String(file.readAllBytes(), UTF_8).strip();
            assertEquals(form, new String(written(sample()), UTF_8));
            assertEquals(sample().image(), read(form).orElseThrow().image());
        }
    }

    @Test
    void formWithAMemberMoreOrLessIsNone() {
        String form = new String(written(sample()), UTF_8);
        assertTrue(read(form).isPresent());
        assertFalse(read(form.replace("\"turnOpen\"", "\"turnShut\"")).isPresent());
        assertFalse(read(form.replace("\"turnOpen\":", "\"more\":1,\"turnOpen\":")).isPresent());
        assertFalse(read(form.replaceFirst("\"turnOpen\":[a-z]+,", "")).isPresent());
        assertFalse(
                read(form.replaceFirst("\"turnOpen\":[a-z]+,", "\"turnOpen\":null,")).isPresent());
        assertFalse(read(form.replaceFirst("\"ordinal\":[0-9]+,", "")).isPresent());
        assertFalse(read(form.replace("\"is\":\"user\"", "\"is\":\"other\"")).isPresent());
    }

    @Test
    void whatIsNoSnapshotIsNotRead() {
        String form = new String(written(sample()), UTF_8);
        for (String other : List.of("", "{}", "[]", "null", "1", form.substring(1), form + "}")) {
            assertEquals(Optional.empty(), read(other).map(RunHistory::seq), other);
        }
    }

    @Test
    void isNotReadWhenATextMayNotBeTold() {
        byte[] content = written(sample());
        String opening = sample().opening();
        assertTrue(Snapshot.read(content, text -> true).isPresent());
        assertFalse(Snapshot.read(content, text -> !text.equals(opening)).isPresent());
        assertFalse(Snapshot.read(content, text -> !text.equals("{\"n\":1.50}")).isPresent());
    }

    /** While the vault is away nobody knows what may be told: whoever reads waits. */
    @Test
    void failureToFindOutWhatMayBeToldIsTheCallersToHandle() {
        byte[] content = written(sample());
        assertThrows(
                PalyraException.class,
                () ->
                        Snapshot.read(
                                content,
                                text -> {
                                    throw new PalyraException(ErrorCode.KEYS_UNAVAILABLE, "away");
                                }));
    }

    @Test
    void isNotWrittenWhenItHasTooManyBytes() {
        int size = written(sample()).length;
        assertTrue(Snapshot.write(sample(), size).isPresent());
        assertFalse(Snapshot.write(sample(), size - 1).isPresent());
    }

    @Test
    void isNotWrittenPastARecordThatThisEngineDoesNotKnow() {
        RunHistory history = sample();
        history.apply(history.seq() + 1, 1, new TapeEvent.Unknown("later", 9));
        assertFalse(Snapshot.write(history, MOST).isPresent());
    }
}
