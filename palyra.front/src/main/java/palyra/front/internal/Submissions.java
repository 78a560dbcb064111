package palyra.front.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.shared.channel.Positions;
import palyra.shared.channel.StateReactions;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Ulids;
import palyra.shared.outcome.Commits;
import palyra.shared.run.RejectedMessages;
import palyra.shared.run.SubmissionCodec;
import palyra.shared.sealed.ReachRedactor;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.SecretReaches;
import palyra.shared.secrets.PlaceholderNumbers;

/**
 * Takes messages in: through the gateway while it is there, else into the inbox, where the gateway
 * finds them when it is back. Both ways write the same message id, so that a message whose first
 * way broke off is never taken twice.
 */
final class Submissions {
    private static final Logger LOG = LoggerFactory.getLogger(Submissions.class);

    private final StartPermits permits;
    private final OwnershipCheck ownership;
    private final Gate<Journal> journal;
    private final Gate<Intake> intake;
    private final IntSupplier queueLimit;
    private final Ulids ids;
    private final Redactor redactor;

    Submissions(
            Access access,
            Gate<Journal> journal,
            Gate<Intake> intake,
            IntSupplier queueLimit,
            Ulids ids,
            Redactor redactor) {
        this.permits = new StartPermits(access, journal);
        this.ownership = new OwnershipCheck(access);
        this.journal = journal;
        this.intake = intake;
        this.queueLimit = queueLimit;
        this.ids = ids;
        this.redactor = redactor;
    }

    /**
     * The stored message has no secrets. The gateway gets the message as it is, so that it can keep
     * them sealed on the run's tape; while it is away they are kept nowhere.
     */
    Submission submit(
            Principal principal, SubmittedMessage asked, byte[] position, String reactTo) {
        SubmissionCodec.idempotencyKey(principal.id(), asked); // refuses an unusable key
        SubmissionCodec.messageBytes(asked); // and texts that cannot be kept
        SessionKeys.requirePrintable(asked.sessionKey());
        PageLimits.idOrEmpty(asked.runId(), "run id");
        StartPermits.Granted granted = permits.ask(principal, asked);
        SubmittedMessage exact = granted.message();
        SubmittedMessage message = withoutSecrets(principal, exact);
        List<Operation> further = new ArrayList<>(List.of(granted.authorized().record()));
        if (position.length > 0) {
            further.add(Positions.keep(message.surface(), position));
        }
        String messageId = ids.next();
        if (!reactTo.isEmpty()) {
            further.addAll(
                    StateReactions.taken(
                            ids.next(),
                            messageId,
                            message.surface() + "/" + reactTo,
                            Require.present(message.origin(), "origin").conversation()));
        }
        InboxRow row =
                new InboxRow(
                        messageId,
                        message.surface(),
                        SubmissionCodec.inboxKey(principal.id(), message),
                        principal.id(),
                        SubmissionCodec.storedBytes(
                                message,
                                principal.groups(),
                                principal.person().equals(principal.id())
                                        ? ""
                                        : principal.person()),
                        InboxRow.State.QUEUED,
                        message.runId(),
                        "",
                        System.currentTimeMillis(),
                        message.origin() == null ? "" : message.origin().conversation().id(),
                        message.origin() == null ? "" : message.origin().sender().id());
        return throughGateway(row, exact, further)
                .orElseGet(() -> intoInbox(row, message, further));
    }

    private SubmittedMessage withoutSecrets(Principal principal, SubmittedMessage exact) {
        PlaceholderNumbers numbers = PlaceholderNumbers.fresh();
        ReachRedactor own =
                redactor.within(
                        SecretReaches.of(
                                principal.id(),
                                principal.groups(),
                                exact.agentId(),
                                exact.channel()));
        String text = own.text(exact.text(), numbers);
        String label = own.text(exact.sessionLabel(), numbers);
        return text.equals(exact.text()) && label.equals(exact.sessionLabel())
                ? exact
                : exact.with(text, label, exact.allowSensitiveTools());
    }

    /** Returns empty when the gateway is away, or failed in a way that says nothing. */
    private Optional<Submission> throughGateway(
            InboxRow row, SubmittedMessage message, List<Operation> further) {
        if (!intake.isPresent()) {
            return Optional.empty();
        }
        try (Gate.Lease<Intake> lease = intake.lease(0)) {
            return Optional.of(lease.service().accept(row, message, further));
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.GATEWAY_UNAVAILABLE
                    || e.code() == ErrorCode.OUTCOME_UNKNOWN) {
                return Optional.empty(); // the inbox takes each message once
            }
            throw e;
        } catch (RuntimeException e) {
            LOG.warn("The gateway failed on message {}; it goes to the inbox.", row.messageId(), e);
            return Optional.empty();
        }
    }

    private Submission intoInbox(InboxRow row, SubmittedMessage message, List<Operation> further) {
        Unit.Builder unit =
                Unit.builder()
                        .require(new Precondition.QueueBelow(queueLimit.getAsInt()))
                        .add(new Operation.PutInbox(row));
        further.forEach(unit::add);
        SubmissionCodec.idempotencyKey(row.principal(), message)
                .ifPresent(key -> unit.once(key, SubmissionCodec.result(row.messageId())));
        try {
            Committed committed = Commits.commit(journal, unit.build());
            return committed.replayed()
                    ? replayed(row, committed)
                    : new Submission(row.messageId(), "", "", false);
        } catch (PalyraException e) {
            if (e.code() != ErrorCode.ALREADY_EXISTS) {
                throw e;
            }
            return taken(row, message, e);
        }
    }

    /** It was accepted earlier, or by this call, of which the first answer was lost. */
    private Submission replayed(InboxRow row, Committed committed) {
        if (committed.result().length == 0) {
            return new Submission(row.messageId(), "", "", false);
        }
        String messageId = SubmissionCodec.messageId(committed.result());
        return state(require(messageId), !messageId.equals(row.messageId()));
    }

    /** The gateway had taken the message before it failed; or key or run id are not free. */
    private Submission taken(InboxRow row, SubmittedMessage message, PalyraException refusal) {
        Optional<InboxRow> same = journal.call(present -> present.inbox(row.messageId()));
        if (same.isPresent()) {
            return state(same.get(), false);
        }
        if (message.dedupeKey().isEmpty()) {
            throw refusal;
        }
        throw new PalyraException(
                ErrorCode.ALREADY_EXISTS,
                "A message was accepted from "
                        + row.surface()
                        + " under the dedupe key "
                        + message.dedupeKey()
                        + " before; use another key for another message.",
                refusal);
    }

    Submission find(Principal principal, String messageId) {
        Ulids.require(messageId, "message id");
        Optional<InboxRow> row = journal.call(present -> present.inbox(messageId));
        ownership.read(
                principal,
                "run.read",
                new OwnershipCheck.Resource("message", messageId, row.map(InboxRow::principal)));
        return state(row.orElseThrow(), false);
    }

    private InboxRow require(String messageId) {
        return journal.call(present -> present.inbox(messageId))
                .orElseThrow(
                        () ->
                                new PalyraException(
                                        ErrorCode.CORRUPT,
                                        "Message "
                                                + messageId
                                                + " was accepted before but is not in the inbox;"
                                                + " run palyra doctor."));
    }

    /**
     * A run id that was only chosen names no run yet; what was rejected answers with the reason.
     */
    private Submission state(InboxRow row, boolean duplicate) {
        if (row.state() == InboxRow.State.REJECTED) {
            throw RejectedMessages.refusal(row);
        }
        if (row.state() != InboxRow.State.ROUTED) {
            return new Submission(row.messageId(), "", "", duplicate);
        }
        String sessionId =
                journal.call(present -> present.run(row.runId())).map(RunRow::sessionId).orElse("");
        return new Submission(row.messageId(), row.runId(), sessionId, duplicate);
    }
}
