package palyra.channels.internal.approval;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.journal.ApprovalRow;
import palyra.channels.internal.inbound.Speakers;
import palyra.shared.approval.ApprovalRequestBody;
import palyra.shared.approval.ApprovalRequestCodec;
import palyra.shared.gate.Gate;
import palyra.testing.access.FakeAccess;

/** Who may deny is known before a reason is asked for, as far as the answer itself would say. */
final class AnswerRightsTest {
    private static final String ID = "01J0000000000000000000000A";
    private static final Principal ANNA = FakeAccess.user("user:anna", "approver");

    private final FakeAccess access = new FakeAccess(FakeAccess.Use.READ);
    private final AnswerRights rights = new AnswerRights(new Speakers(gate()));

    private Gate<Access> gate() {
        Gate<Access> gate = new Gate<>("Access", ErrorCode.POLICY_UNAVAILABLE, 0);
        gate.add(access, Map.of());
        return gate;
    }

    private static ApprovalRow request() {
        ApprovalRequestBody body =
                new ApprovalRequestBody(
                        ID,
                        "TOOL",
                        "tool:palyra.process.run",
                        1,
                        "git log",
                        new ApprovalRequestBody.Origin(
                                "s", "r", "call", "default", "user:alice", "", ""),
                        new ApprovalRequestBody.Call(
                                "palyra.process.run",
                                "{}",
                                "ab".repeat(32),
                                "cd".repeat(32),
                                "",
                                "",
                                "",
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of("PROCESS_EXEC"),
                                "C",
                                "STRICT",
                                "",
                                "",
                                List.of()),
                        null,
                        new ApprovalRequestBody.Terms(
                                List.of("group:approver", "user:carol"),
                                true,
                                List.of("ONCE"),
                                1,
                                List.of(),
                                0),
                        new ApprovalRequestBody.Policy(List.of(), "01".repeat(32), "", "asks"),
                        new ApprovalRequestBody.Prompt(
                                "Run git?", "HIGH", "git log", "asks", 900, List.of()),
                        1,
                        2);
        return ApprovalRow.asked(
                ID,
                "r",
                "call",
                "s",
                "user:alice",
                "TOOL",
                "tool:palyra.process.run",
                ApprovalRequestCodec.bytes(body),
                1,
                2,
                0);
    }

    private void assertDenied(Principal principal) {
        PalyraException denied =
                assertThrows(
                        PalyraException.class, () -> rights.require(request(), false, principal));
        assertEquals(ErrorCode.DENIED, denied.code());
    }

    @Test
    void anApproverAndOneWhoIsNamedMay() {
        assertDoesNotThrow(() -> rights.require(request(), false, ANNA));
        assertDoesNotThrow(() -> rights.require(request(), false, FakeAccess.user("user:carol")));
        AccessRequest asked = access.requests().getFirst();
        assertEquals("approval.decide", asked.action());
        assertEquals("approval:" + ID, asked.resource());
    }

    /** A policy that asks for one of them would foresee another answer than it gives. */
    @Test
    void policyIsToldWhatItIsToldOfTheAnswer() {
        rights.require(request(), false, ANNA);
        rights.require(request(), true, ANNA);
        assertEquals(
                List.of(
                        Map.of(
                                "granted", "false", "scope", "", "shape", "exact", "runId", "r",
                                "callId", "call"),
                        Map.of(
                                "granted", "true", "scope", "once", "shape", "exact", "runId", "r",
                                "callId", "call")),
                access.requests().stream().map(AccessRequest::facts).toList());
    }

    @Test
    void whoIsNoApproverOrAskedItselfMayNot() {
        assertDenied(FakeAccess.user("user:bob"));
        assertDenied(FakeAccess.user("user:alice", "approver"));
    }

    @Test
    void whomPolicyDeniesMayNot() {
        access.deny("approval.decide");
        assertDenied(ANNA);
    }
}
