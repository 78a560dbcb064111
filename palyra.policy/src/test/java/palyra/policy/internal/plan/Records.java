package palyra.policy.internal.plan;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.RunState;
import palyra.api.run.SessionView;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;
import palyra.testing.journal.ManualClock;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** A journal with decisions about actions and calls. */
public final class Records {
    private final ManualClock clock = new ManualClock(1_000_000);
    private final MemoryJournal journal = new MemoryJournal(new MemoryKeys(), clock, "boot-1");

    public Records() {
        SessionView session =
                new SessionView("s", "", "", "user:a", "", "", "default", 0, 0, 0, "");
        commit(new Operation.InsertSession(session));
    }

    public Records at(long millis) {
        clock.advance(millis - clock.millis());
        return this;
    }

    /** A decision about an action in the journal's own stream. */
    public Records action(String decision, String evidence) {
        String payload =
                "{\"action\":\"x\",\"decision\":\""
                        + decision
                        + "\""
                        + (evidence.isEmpty() ? "" : ",\"evidence\":" + evidence)
                        + ",\"facts\":{\"a\":\"b\"},\"policyIds\":[\"p\"]}";
        return add("access_decision", payload);
    }

    /** A decision whose payload was erased. */
    public Records erased() {
        action("allow", "");
        return commit(
                new Operation.ErasePayload(
                        TapeRecord.JOURNAL_STREAM, journal.headSeq(TapeRecord.JOURNAL_STREAM)));
    }

    /** A decision of policies about a call. */
    public Records call(Verdict verdict, String callId, String evidence) {
        return call(verdict, callId, evidence, "f".repeat(64));
    }

    /**
     * A decision about a call on the tape of its run, which is made when it is new.
     *
     * @param set digest of the set that decided; empty when no policies took part
     */
    public Records call(Verdict verdict, String callId, String evidence, String set) {
        TapeEvent event =
                new TapeEvent.ToolDecision(
                        callId,
                        "palyra.tool",
                        verdict,
                        "policy.test",
                        "Because.",
                        "POLICY",
                        List.of("all"),
                        "0".repeat(64),
                        set,
                        "Because, in detail.",
                        List.of("1 == 2"),
                        "C",
                        "STRICT",
                        "CONFIRMED",
                        evidence,
                        "");
        String run = callId.substring(0, callId.indexOf('.'));
        if (journal.run(run).isEmpty()) {
            commit(
                    new Operation.InsertRun(
                            run, "s", "user:a", "default", "", "", "", RunState.ACCEPTED, 0));
        }
        return commit(TapeCodec.append(run, event));
    }

    /** A record in the journal's own stream. */
    public Records add(String type, String payload) {
        return commit(
                new Operation.Append(
                        TapeRecord.JOURNAL_STREAM,
                        type,
                        1,
                        payload.getBytes(StandardCharsets.UTF_8)));
    }

    private Records commit(Operation operation) {
        journal.commit(Unit.of(operation));
        return this;
    }

    public Gate<Journal> gate() {
        Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        gate.add(journal, Map.of());
        return gate;
    }
}
