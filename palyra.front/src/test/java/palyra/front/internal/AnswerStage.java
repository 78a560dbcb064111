package palyra.front.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalView;
import palyra.api.core.journal.ApprovalRow;
import palyra.api.core.journal.GrantRow;
import palyra.api.tape.TapeEvent;
import palyra.front.internal.approval.ApprovalFront;
import palyra.shared.tape.TapeCodec;

/** A run of Alice's that asks, and people who answer. */
abstract class AnswerStage {
    static final Principal ALICE = People.person("alice", "integrator");
    static final Principal BOB = People.person("bob", "integrator");
    static final Principal VIEWER = People.person("vic", "viewer");
    static final Principal APPROVER = People.person("ann", "approver");
    static final Principal OTHER_APPROVER = People.person("amy", "approver");
    static final Principal OPERATOR = People.person("op", "operator");

    @TempDir Path state;
    Stage stage;
    ApprovalFront front;
    TestRun run;

    @BeforeEach
    void open() {
        stage = Stage.open(state);
        front = front(System.currentTimeMillis());
        run = new TestRun(stage::journal, ALICE.id());
    }

    @AfterEach
    void close() {
        stage.close();
    }

    ApprovalFront front(long nowMillis) {
        return new ApprovalFront(stage.access, stage.journalGate, stage.keysGate, () -> nowMillis);
    }

    ApprovalView answer(Principal who, ApprovalAnswer answer) {
        return front.decide(who, answer);
    }

    ApprovalRow row(String id) {
        return stage.journal().approval(id).orElseThrow();
    }

    List<GrantRow> grants() {
        return stage.journal().grants("", "", "", 0, "", 1_000);
    }

    /** Returns what stands on the run's tape of one kind. */
    <E extends TapeEvent> List<E> told(Class<E> type) {
        List<E> found = new ArrayList<>();
        stage.journal()
                .tape(run.runId, 0, 1_000)
                .forEach(
                        record -> {
                            TapeEvent event = TapeCodec.event(record);
                            if (type.isInstance(event)) {
                                found.add(type.cast(event));
                            }
                        });
        return found;
    }

    List<TapeEvent.ApprovalDecision> decided() {
        return told(TapeEvent.ApprovalDecision.class);
    }
}
