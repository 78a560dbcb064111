package palyra.policy.internal.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.policy.PolicyReport;
import palyra.api.tape.TapeRecord;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.PreparedPolicySet;

/** Requests of the last time, decided by both engines before a set comes into force. */
final class ReplayAtReloadTest {
    private static final String MINE =
            "@id(\"mine\") permit (principal, action == Action::\"doc.view\", resource);\n";

    @TempDir private Path folder;

    private static void record(Stage stage, String payload) {
        stage.journal.commit(
                Unit.of(
                        new Operation.Append(
                                TapeRecord.JOURNAL_STREAM,
                                "access_decision",
                                1,
                                payload.getBytes(StandardCharsets.UTF_8))));
    }

    private static void record(Stage stage, String user, String action) {
        record(
                stage,
                "{\"decision\":\"allow\",\"evidence\":{\"v\":1,"
                        + "\"principal\":{\"type\":\"User\",\"id\":\""
                        + user
                        + "\"},\"action\":\""
                        + action
                        + "\",\"resource\":{\"type\":\"Doc\",\"id\":\"d\"},\"context\":{},"
                        + "\"entities\":[]}}");
    }

    @Test
    void countsEachDifferentRequestOnce() {
        try (Stage stage = new Stage(folder)) {
            record(stage, "{\"decision\":\"allow\"}");
            record(stage, "{\"evidence\":{\"v\":99}}");
            record(stage, "alice", "doc.view");
            record(stage, "alice", "doc.view");
            record(stage, "bob", "doc.edit");
            for (int i = 0; i < 150; i++) {
                record(stage, "many" + i, "doc.view");
            }
            stage.start().untilInForce();
            PolicyReport report = stage.sets.check(Optional.empty());
            assertEquals(PolicyReport.Outcome.VALID, report.outcome(), report.toString());
            assertEquals(100, report.replayed());
        }
    }

    @Test
    void worksWithoutAJournal() {
        try (Stage stage = new Stage(folder)) {
            stage.journalGate.remove(stage.journalGate.call(present -> present));
            stage.start().untilInForce();
            assertEquals(0, stage.sets.check(Optional.empty()).replayed());
        }
    }

    @Test
    void aDifferenceBetweenTheEnginesKeepsTheSetOut() {
        try (Stage stage = new Stage(folder)) {
            stage.start(lying(), 60_000);
            String before = stage.untilInForce();
            record(stage, "alice", "doc.view");
            stage.save("own.cedar", MINE);
            stage.untilRefused();
            assertEquals(before, stage.sha256());
            PolicyReport refused = stage.sets.status().refused().orElseThrow();
            assertTrue(
                    refused.summary().contains("for the same policy request"), refused.toString());
            assertTrue(refused.problems().toString().contains("alice"), refused.toString());
        }
    }

    /** The native engine, but it decides the contrary. */
    private static Cedar lying() {
        return (Cedar)
                Proxy.newProxyInstance(
                        Cedar.class.getClassLoader(),
                        new Class<?>[] {Cedar.class},
                        (proxy, method, arguments) -> {
                            try {
                                Object answer = method.invoke(Stage.CEDAR, arguments);
                                return answer instanceof PreparedPolicySet set
                                        ? contrary(set)
                                        : answer;
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private static PreparedPolicySet contrary(PreparedPolicySet set) {
        return new PreparedPolicySet() {
            @Override
            public CedarDecision decide(String requestJson) {
                CedarDecision decision = set.decide(requestJson);
                return new CedarDecision(
                        !decision.allowed(), decision.determining(), decision.errors());
            }

            @Override
            public void close() {
                set.close();
            }
        };
    }
}
