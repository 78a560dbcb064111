package palyra.shared.tape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.journal.Operation;
import palyra.api.model.ToolProposal;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.api.tool.ToolImage;
import palyra.shared.hash.Digests;

class TapeCodecTest {
    private static final TapeEvent.ToolDecision DECIDED_BY_POLICY = decided("");

    private static TapeEvent.ToolDecision decided(String factsSha256) {
        return new TapeEvent.ToolDecision(
                "r.1.0",
                "palyra.echo",
                TapeEvent.Verdict.ALLOW,
                "policy.allow",
                "fine",
                "POLICY",
                List.of("tools.echo"),
                "d",
                "5e7",
                "tools.echo allows it",
                List.of("context.approval.granted"),
                "B",
                "PREFLIGHT",
                "NOT_NEEDED",
                "{\"v\":1}",
                factsSha256);
    }

    private static final List<TapeEvent> ONE_OF_EACH =
            List.of(
                    new TapeEvent.Message(
                            TapeEvent.Role.USER, "héllo \"you\"", "user:a", "shell", "m"),
                    new TapeEvent.TurnStarted(
                            1, 2, "default", "p", "m", "a", "b", "c", 16, 1L << 60),
                    new TapeEvent.ModelToken(1, 1, " word\n"),
                    new TapeEvent.ModelThought(1, 1, "hm"),
                    new TapeEvent.TurnRestarted(1, 2, "lost"),
                    new TapeEvent.TurnFinished(
                            1,
                            1,
                            "text",
                            "stop",
                            List.of(new ToolProposal("r.1.0", "palyra.echo", "{\"a\": 1 }")),
                            5,
                            6),
                    new TapeEvent.ToolCallProposal("r.1.0", 1, 0, "palyra.echo", "{\"a\": 1 }"),
                    new TapeEvent.ToolDecision(
                            "r.1.0",
                            "palyra.echo",
                            TapeEvent.Verdict.DENY,
                            "c",
                            "why",
                            "POLICY",
                            List.of("x"),
                            "d"),
                    new TapeEvent.ApprovalRequest("ap", "r.1.0", "{}", 9, "b", 2),
                    new TapeEvent.ApprovalVoted("ap", "r.1.0", "user:b", "once", "fine", 1, 2),
                    new TapeEvent.ApprovalDecision(
                            "ap",
                            "r.1.0",
                            true,
                            "once",
                            "user:b",
                            "fine",
                            "exact",
                            "g",
                            List.of("user:a", "user:b")),
                    TapeEvent.ApprovalDecision.expired("ap", "r.1.0"),
                    new TapeEvent.ToolStarted("r.1.0", 1, "palyra.echo", "d", "g"),
                    new TapeEvent.ToolStarted("r.1.0", 1, "palyra.echo", "d"),
                    new TapeEvent.ToolCallOutput(
                            "r.1.0", 1, "palyra.echo", TapeEvent.Outcome.TIMED_OUT, "{}", "late"),
                    new TapeEvent.ToolAttestation(
                            "at", "r.1.0", "builtin", "none", 7, true, "p", "", "e", "k", "s"),
                    new TapeEvent.RunStateChanged(RunState.FAILED, ErrorCode.MODEL_FAILED, "no"),
                    new TapeEvent.ExternalEvent("e", "note", "user:a", "[1, 2]"),
                    new TapeEvent.ExternalEvent("e", "note", "user:a", "[1, 2]", "plugin"));

    private static TapeRecord record(String type, int schema, byte[] payload) {
        byte[] digest = new byte[32];
        return new TapeRecord("01J", 1, type, 1, schema, digest, payload, digest, digest, digest);
    }

    @TestFactory
    List<DynamicTest> everyEventComesBackAsItWas() {
        List<DynamicTest> tests = new ArrayList<>();
        for (TapeEvent event : ONE_OF_EACH) {
            tests.add(
                    DynamicTest.dynamicTest(
                            TapeCodec.type(event),
                            () ->
                                    assertEquals(
                                            event,
                                            TapeCodec.event(
                                                    record(
                                                            TapeCodec.type(event),
                                                            TapeCodec.SCHEMA,
                                                            TapeCodec.payload(event))))));
        }
        return tests;
    }

    @Test
    void anEventWithoutAnActorKeepsItsFirstForm() {
        TapeEvent silent = new TapeEvent.ExternalEvent("e", "note", "user:a", "1");
        String first =
                "{\"contentJson\":\"1\",\"eventId\":\"e\",\"kind\":\"note\","
                        + "\"principal\":\"user:a\"}";
        assertEquals(first, new String(TapeCodec.payload(silent), StandardCharsets.UTF_8));
        assertEquals(1, TapeCodec.schema(silent));
        byte[] stored = first.getBytes(StandardCharsets.UTF_8);
        assertEquals(silent, TapeCodec.event(record("external_event", 1, stored)));
        assertEquals(
                2,
                TapeCodec.schema(new TapeEvent.ExternalEvent("e", "note", "user:a", "1", "user")));
    }

    @Test
    void aDecisionWithoutPolicyKeepsItsFirstForm() {
        TapeEvent.ToolDecision decision =
                new TapeEvent.ToolDecision(
                        "r.1.0",
                        "palyra.echo",
                        TapeEvent.Verdict.DENY,
                        "c",
                        "why",
                        "ENGINE",
                        List.of(),
                        "d");
        String first =
                "{\"callId\":\"r.1.0\",\"policyIds\":[],\"reason\":\"why\",\"reasonCode\":\"c\","
                        + "\"snapshotSha256\":\"d\",\"source\":\"ENGINE\",\"tool\":\"palyra.echo\","
                        + "\"verdict\":\"DENY\"}";
        assertEquals(first, new String(TapeCodec.payload(decision), StandardCharsets.UTF_8));
        assertEquals(1, TapeCodec.append("r", decision).schema());
        byte[] stored = first.getBytes(StandardCharsets.UTF_8);
        assertEquals(decision, TapeCodec.event(record("tool_decision", 1, stored)));
    }

    @Test
    void aDecisionOnFactsNamesThemAndIsUnknownToOlderReaders() {
        Operation.Append append = TapeCodec.append("r", decided("fac75"));
        assertEquals(3, append.schema(), "a reader of the second form must not guess");
        assertEquals(
                decided("fac75"), TapeCodec.event(record("tool_decision", 3, append.payload())));
        assertEquals(
                new TapeEvent.Unknown("tool_decision", 5),
                TapeCodec.event(record("tool_decision", 5, append.payload())));
    }

    @Test
    void anOutputWithImagesHasAFormOfItsOwnAndAnAttestationOverThem() {
        TapeEvent.ToolCallOutput plain =
                new TapeEvent.ToolCallOutput(
                        "r.1.0", 1, "palyra.echo", TapeEvent.Outcome.SUCCEEDED, "{}", "");
        Operation.Append before = TapeCodec.append("r", plain);
        assertEquals(1, before.schema());
        assertFalse(TapeCodec.tree(plain).has("images"));
        assertEquals(plain, TapeCodec.event(record("tool_call_output", 1, before.payload())));
        TapeEvent.ToolCallOutput shown = with(ToolImage.of("image/png", new byte[] {1, 2, 3}));
        Operation.Append append = TapeCodec.append("r", shown);
        assertEquals(2, append.schema(), "a reader of the first form must not guess");
        assertEquals(shown, TapeCodec.event(record("tool_call_output", 2, append.payload())));
        assertEquals(
                "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81",
                shown.images().get(0).sha256());
        assertEquals(
                4,
                Stream.of(
                                plain,
                                shown,
                                with(ToolImage.of("image/png", new byte[] {1, 2, 4})),
                                with(ToolImage.of("image/gif", new byte[] {1, 2, 3})))
                        .map(TapeCodecTest::execution)
                        .distinct()
                        .count());
    }

    private static TapeEvent.ToolCallOutput with(ToolImage image) {
        return new TapeEvent.ToolCallOutput(
                "r.1.0", 1, "palyra.echo", TapeEvent.Outcome.SUCCEEDED, "{}", "", List.of(image));
    }

    private static String execution(TapeEvent.ToolCallOutput output) {
        TapeEvent.ToolCallProposal proposal =
                new TapeEvent.ToolCallProposal("r.1.0", 1, 0, "palyra.echo", "{}");
        return Digests.hex(
                Attestations.executionSha256(proposal, output, "builtin", "none", 1, "p", ""));
    }

    @Test
    void imagesThatNoModelTakesAreRefused() {
        assertThrows(PalyraException.class, () -> ToolImage.of("image/bmp", new byte[] {1}));
        assertThrows(PalyraException.class, () -> ToolImage.of("image/png", new byte[0]));
        int most = ToolImage.MAX_BYTES;
        assertEquals((most + 2) / 3 * 4, ToolImage.of("image/png", new byte[most]).data().length());
        assertThrows(PalyraException.class, () -> ToolImage.of("image/png", new byte[most + 3]));
        assertThrows(PalyraException.class, () -> new ToolImage("image/png", "00", "AQID"));
    }

    @Test
    void whatHappensUnderAGrantNamesItAndIsUnknownToOlderReaders() {
        TapeEvent.ToolStarted plain = new TapeEvent.ToolStarted("r.1.0", 1, "palyra.echo", "d");
        assertEquals(1, TapeCodec.append("r", plain).schema());
        assertFalse(TapeCodec.tree(plain).has("grantId"));
        TapeEvent.ToolStarted started =
                new TapeEvent.ToolStarted("r.1.0", 1, "palyra.echo", "d", "g");
        Operation.Append append = TapeCodec.append("r", started);
        assertEquals(2, append.schema(), "a reader of the first form must not guess");
        assertEquals(started, TapeCodec.event(record("tool_started", 2, append.payload())));
        assertEquals(
                new TapeEvent.Unknown("tool_started", 3),
                TapeCodec.event(record("tool_started", 3, append.payload())));
        TapeEvent.ToolDecision before = decided("fac75");
        TapeEvent.ToolDecision decision =
                new TapeEvent.ToolDecision(
                        before.callId(),
                        before.tool(),
                        before.verdict(),
                        before.reasonCode(),
                        before.reason(),
                        before.source(),
                        before.policyIds(),
                        before.snapshotSha256(),
                        before.setSha256(),
                        before.operatorReason(),
                        before.missing(),
                        before.tier(),
                        before.egress(),
                        before.confirmation(),
                        before.evidenceJson(),
                        before.factsSha256(),
                        "g",
                        List.of("user:b"));
        Operation.Append granted = TapeCodec.append("r", decision);
        assertEquals(4, granted.schema(), "a reader of the third form must not guess");
        assertEquals(decision, TapeCodec.event(record("tool_decision", 4, granted.payload())));
    }

    @Test
    void aDecisionByPolicyComesBackWholeAndIsUnknownToOlderReaders() {
        Operation.Append append = TapeCodec.append("r", DECIDED_BY_POLICY);
        assertEquals(2, append.schema(), "a reader of the first form must not guess");
        assertEquals(
                DECIDED_BY_POLICY,
                TapeCodec.event(record("tool_decision", append.schema(), append.payload())));
        assertEquals(
                new TapeEvent.Unknown("tool_decision", 5),
                TapeCodec.event(record("tool_decision", 5, append.payload())));
    }

    @Test
    void aTurnSaysItsProfileOmissionsAndReservationOnlyWhereThereAreAny() {
        TapeEvent plain = new TapeEvent.TurnStarted(1, 1, "a", "p", "m", "x", "y", "z", 4, 9);
        Operation.Append first = TapeCodec.append("r", plain);
        assertEquals(1, first.schema());
        String text = new String(first.payload(), StandardCharsets.UTF_8);
        assertFalse(text.contains("reservationId") || text.contains("modelProfile"), text);
        assertEquals(plain, TapeCodec.event(record("turn_started", 1, first.payload())));
        assertEquals(2, TapeCodec.schema(turn("fast", "", "", "")));
        assertEquals(3, TapeCodec.schema(turn("", "house", "", "")));
        assertEquals(4, TapeCodec.schema(turn("", "", "2 exchanges", "")));
        assertEquals(5, TapeCodec.schema(turn("", "", "", "r/1/1")));
        TapeEvent whole = turn("fast", "house", "2 exchanges", "r/1/1");
        Operation.Append last = TapeCodec.append("r", whole);
        assertEquals(whole, TapeCodec.event(record("turn_started", 5, last.payload())));
        assertTrue(
                TapeCodec.event(record("turn_started", 6, last.payload()))
                        instanceof TapeEvent.Unknown);
    }

    private static TapeEvent turn(String model, String prompt, String leftOut, String reservation) {
        return new TapeEvent.TurnStarted(
                1,
                1,
                "a",
                "p",
                "m",
                "x",
                "y",
                "z",
                4,
                9,
                model,
                prompt,
                leftOut,
                7,
                reservation,
                8,
                9);
    }

    @Test
    void aTurnSaysWhatItCostOnlyWhereSomethingCounts() {
        TapeEvent plain = new TapeEvent.TurnFinished(1, 1, "t", "stop", List.of(), 5, 6);
        assertEquals(1, TapeCodec.schema(plain));
        TapeEvent priced =
                new TapeEvent.TurnFinished(
                        1, 1, "t", "stop", List.of(), 5, 6, "provider", 2, 70, "USD");
        Operation.Append append = TapeCodec.append("r", priced);
        assertEquals(2, append.schema());
        assertEquals(priced, TapeCodec.event(record("turn_finished", 2, append.payload())));
    }

    @Test
    void everyTypeOfTheTapeIsTried() {
        long cases = TapeEvent.class.getPermittedSubclasses().length;
        long tried = ONE_OF_EACH.stream().map(Object::getClass).distinct().count();
        assertEquals(cases - 1, tried, "one of each, and Unknown is never written");
    }

    @Test
    void anUnknownTypeOrSchemaOrAnErasedPayloadIsUnknown() {
        byte[] payload = "{}".getBytes(StandardCharsets.UTF_8);
        assertEquals(
                new TapeEvent.Unknown("merkle", 1), TapeCodec.event(record("merkle", 1, payload)));
        assertEquals(
                new TapeEvent.Unknown("message", 2),
                TapeCodec.event(record("message", 2, payload)));
        assertEquals(
                new TapeEvent.Unknown("message", 1), TapeCodec.event(record("message", 1, null)));
        assertThrows(
                PalyraException.class, () -> TapeCodec.payload(new TapeEvent.Unknown("merkle", 1)));
    }

    @Test
    void aPayloadThatIsNotWhatItsTypeSaysIsCorrupt() {
        for (String bad :
                List.of(
                        "",
                        "{",
                        "[]",
                        "{\"role\":\"USER\",\"extra\":1}",
                        "{\"role\":\"KING\"}",
                        "{}")) {
            PalyraException e =
                    assertThrows(
                            PalyraException.class,
                            () ->
                                    TapeCodec.event(
                                            record(
                                                    "message",
                                                    1,
                                                    bad.getBytes(StandardCharsets.UTF_8))),
                            bad);
            assertEquals(ErrorCode.CORRUPT, e.code());
        }
    }

    private static TapeRecord streamed(String type, int schema, String payload) {
        byte[] bytes = payload == null ? null : payload.getBytes(StandardCharsets.UTF_8);
        byte[] none = new byte[0];
        return new TapeRecord("r", 1, type, 1, schema, none, bytes, none, none, none);
    }

    @Test
    void streamedTextIsToldFromItsTypeAndFormAlone() {
        assertTrue(TapeCodec.isStreamed(streamed("model_token", 1, "damaged")));
        assertTrue(TapeCodec.isStreamed(streamed("model_thought", 1, "{}")));
        assertFalse(TapeCodec.isStreamed(streamed("model_token", 2, "{}")), "a newer form");
        assertFalse(TapeCodec.isStreamed(streamed("model_token", 1, null)), "erased");
        assertFalse(TapeCodec.isStreamed(streamed("turn_finished", 1, "{}")));
        for (TapeEvent event : ONE_OF_EACH) {
            Operation.Append append = TapeCodec.append("r", event);
            assertEquals(
                    event instanceof TapeEvent.ModelToken
                            || event instanceof TapeEvent.ModelThought,
                    TapeCodec.isStreamed(streamed(append.type(), append.schema(), "{}")));
        }
    }
}
