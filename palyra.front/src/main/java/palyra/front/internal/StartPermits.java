package palyra.front.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.run.SessionView;
import palyra.api.run.SubmittedMessage;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;

/** Authorizes a message to start a run, with its agent and options. */
final class StartPermits {
    private static final String ACTION = "run.start";
    private static final String SENSITIVE = "tool.allow_sensitive";

    private final Access access;
    private final OwnershipCheck ownership;
    private final Gate<Journal> journal;

    StartPermits(Access access, Gate<Journal> journal) {
        this.access = access;
        this.ownership = new OwnershipCheck(access);
        this.journal = journal;
    }

    /**
     * A message that may start a run.
     *
     * @param message with no more than what was granted
     */
    record Granted(SubmittedMessage message, Authorized authorized) {}

    /**
     * Decides. DENIED, POLICY_UNAVAILABLE, NOT_FOUND for sessions and agents of other principals.
     */
    Granted ask(Principal principal, SubmittedMessage asked) {
        Map<String, String> facts = new HashMap<>();
        facts.put("surface", asked.surface());
        facts.put("agent", asked.agentId());
        facts.put("origin", asked.originKind());
        putUnlessEmpty(facts, "originRunId", asked.originRunId());
        putUnlessEmpty(facts, "channel", asked.channel());
        putUnlessEmpty(facts, "device", asked.deviceId());
        boolean sensitive = asked.allowSensitiveTools() && isEntitled(principal);
        if (asked.allowSensitiveTools()) {
            facts.put("allowSensitive", sensitive ? "granted" : "refused");
        }
        Authorized authorized = decide(principal, asked.sessionId(), facts);
        requireOrigin(principal, asked.originRunId());
        return new Granted(withSensitive(asked, sensitive), authorized);
    }

    private static void putUnlessEmpty(Map<String, String> facts, String name, String value) {
        if (!value.isEmpty()) {
            facts.put(name, value);
        }
    }

    /** No entitlement is no obstacle: the run goes on without. Access records the denial. */
    private boolean isEntitled(Principal principal) {
        try {
            access.authorizeRead(AccessRequest.of(principal, SENSITIVE, ""));
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.DENIED) {
                return false;
            }
            throw e;
        }
    }

    private Authorized decide(Principal principal, String sessionId, Map<String, String> facts) {
        if (sessionId.isEmpty()) {
            return access.authorize(
                    new AccessRequest(principal, ACTION, "", principal.id(), facts));
        }
        Ulids.require(sessionId, "session id");
        Optional<String> owner =
                journal.call(present -> present.session(sessionId)).map(SessionView::principal);
        return ownership.change(
                principal, ACTION, new OwnershipCheck.Resource("session", sessionId, owner), facts);
    }

    /** Also for operators: a run descends from one of the same principal only. */
    private void requireOrigin(Principal principal, String runId) {
        boolean known =
                runId.isEmpty()
                        || journal.call(present -> present.run(Ulids.require(runId, "origin run")))
                                .map(RunRow::principal)
                                .filter(principal.id()::equals)
                                .isPresent();
        if (!known) {
            throw new OwnershipCheck.Resource("run", runId, Optional.empty()).notFound();
        }
    }

    private static SubmittedMessage withSensitive(SubmittedMessage asked, boolean granted) {
        return asked.with(asked.text(), asked.sessionLabel(), granted);
    }
}
