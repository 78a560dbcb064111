package palyra.front.internal;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.run.ResolvedSession;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.outcome.Commits;

/** Sessions for surfaces: list, read, resolve, archive. Thread-safe. */
final class SessionFront {
    private static final Logger LOG = LoggerFactory.getLogger(SessionFront.class);
    private static final String RESOLVE = "session.resolve";
    private static final int LONGEST_TEXT = 256;
    private static final long LOOK_MILLIS = 50;

    private final Access access;
    private final OwnershipCheck ownership;
    private final Gate<Journal> journal;
    private final Gate<Intake> intake;
    private final long absentMillis;

    /** {@code absentMillis}: how long a gateway that is being replaced is waited for. */
    SessionFront(Access access, Gate<Journal> journal, Gate<Intake> intake, long absentMillis) {
        this.access = access;
        this.ownership = new OwnershipCheck(access);
        this.journal = journal;
        this.intake = intake;
        this.absentMillis = absentMillis;
    }

    List<SessionView> list(
            Principal principal, String text, String before, int limit, boolean includeArchived) {
        PageLimits.requireLimit(limit, PageLimits.MOST);
        String part = Require.orEmpty(text);
        Require.that(
                part.length() <= LONGEST_TEXT,
                "the text to look for has "
                        + part.length()
                        + " characters; at most "
                        + LONGEST_TEXT
                        + " are taken");
        String owner = ownership.listOwner(principal, "session.list");
        String beforeId = PageLimits.idOrEmpty(before, "session id");
        return journal.call(
                present -> present.sessions(owner, part, beforeId, limit, includeArchived));
    }

    Optional<SessionView> find(Principal principal, String sessionId) {
        Optional<SessionView> found = row(sessionId);
        return ownership.readable(principal, "session.read", resource(sessionId, found))
                ? found
                : Optional.empty();
    }

    SessionView archive(Principal principal, String sessionId) {
        OwnershipCheck.Resource resource = resource(sessionId, row(sessionId));
        Authorized authorized = ownership.change(principal, "session.archive", resource, Map.of());
        Unit unit = Unit.of(new Operation.ArchiveSession(sessionId), authorized.record());
        Commits.commit(journal, unit);
        return row(sessionId).orElseThrow(resource::notFound);
    }

    /** Nothing is recorded when nothing changes: then the gateway drops the permit's record. */
    ResolvedSession resolve(Principal principal, SessionQuery query) {
        requireWellFormed(query);
        Authorized authorized = authorize(principal, query);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(absentMillis);
        while (true) {
            try {
                return ask(principal, query, authorized.record(), deadline);
            } catch (PalyraException e) {
                if (e.code() != ErrorCode.GATEWAY_UNAVAILABLE || !pause(deadline)) {
                    throw e;
                }
            }
        }
    }

    private Authorized authorize(Principal principal, SessionQuery query) {
        Map<String, String> facts =
                Map.of(
                        "key", query.sessionKey(),
                        "device", query.deviceId(),
                        "channel", query.channel(),
                        "reset", Boolean.toString(query.reset()));
        if (query.sessionId().isEmpty()) {
            return access.authorize(
                    new AccessRequest(principal, RESOLVE, "", principal.id(), facts));
        }
        OwnershipCheck.Resource resource = resource(query.sessionId(), row(query.sessionId()));
        return ownership.change(principal, RESOLVE, resource, facts);
    }

    private ResolvedSession ask(
            Principal principal, SessionQuery query, Operation record, long deadline) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        try (Gate.Lease<Intake> lease = intake.lease(Math.max(0, left))) {
            return lease.service().resolveSession(principal.id(), query, List.of(record));
        } catch (PalyraException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("The gateway failed on a session of {}.", principal.id(), e);
            throw new PalyraException(
                    ErrorCode.INTERNAL,
                    "The gateway failed while it looked for the session; list your sessions to see"
                            + " whether it was made.",
                    e);
        }
    }

    /** Waits a little; returns whether there is time for another attempt. */
    private static boolean pause(long deadline) {
        if (System.nanoTime() - deadline >= 0) {
            return false;
        }
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void requireWellFormed(SessionQuery query) {
        Stream.of(query.sessionKey(), query.deviceId(), query.channel(), query.label())
                .forEach(
                        text ->
                                Require.that(
                                        StandardCharsets.UTF_8.newEncoder().canEncode(text),
                                        "the session is named with half of a surrogate pair; send"
                                                + " well-formed Unicode"));
        SessionKeys.requirePrintable(query.sessionKey());
    }

    private Optional<SessionView> row(String sessionId) {
        Ulids.require(sessionId, "session id");
        return journal.call(present -> present.session(sessionId));
    }

    private static OwnershipCheck.Resource resource(
            String sessionId, Optional<SessionView> session) {
        return new OwnershipCheck.Resource(
                "session", sessionId, session.map(SessionView::principal));
    }
}
