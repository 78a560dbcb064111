package palyra.front.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.Approvals;
import palyra.api.approval.GrantView;
import palyra.api.core.access.Access;
import palyra.api.core.access.Authorized;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.CommandRow;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Precondition;
import palyra.api.core.journal.RunLoss;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.run.AppendedEvent;
import palyra.api.run.Following;
import palyra.api.run.ResolvedSession;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.run.RunState;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeRecord;
import palyra.front.internal.approval.ApprovalFront;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.Jcs;
import palyra.shared.outcome.Commits;
import palyra.shared.run.QueuedMessages;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.RunSecretStore;
import palyra.shared.sealed.SecretReaches;
import palyra.shared.sealed.VaultValues;
import palyra.shared.secrets.PlaceholderNumbers;

/**
 * The front that surfaces use: runs and sessions, and by {@link ApprovalFront} approvals. The
 * services that it needs may come and go. Thread-safe.
 */
@Component(
        name = FrontConfig.PID,
        configurationPid = FrontConfig.PID,
        immediate = true,
        service = {Runs.class, Approvals.class, MetricSource.class})
@Designate(ocd = FrontConfig.class)
public final class RunFront implements Runs, Approvals, MetricSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RunFront.class);

    /** How long a caller waits for a service that is being replaced, in milliseconds. */
    private static final long ABSENT_MILLIS = 5_000;

    private static final int MOST_RECORDS = 1_000;
    private static final int LONGEST_REASON = 1_000;
    private static final Set<RunState> GOING =
            EnumSet.of(
                    RunState.ACCEPTED,
                    RunState.RUNNING,
                    RunState.AWAITING_APPROVAL,
                    RunState.QUARANTINED);

    private final Gate<Access> accessGate;
    private final Gate<Journal> journal;
    private final Gate<LiveFeed> feed;
    private final Gate<Intake> intake;
    private final Gate<Keys> keys;
    private final VaultValues vault;
    private final Redactor redactor;
    private final OwnershipCheck ownership;
    private final Submissions submissions;
    private final SessionFront sessions;
    private final ExternalEvents events;
    private final Followers followers;
    private final WaitReasons waits;
    private final ApprovalFront approvals;
    private final Ulids ids = new Ulids();
    private volatile FrontSettings settings;

    /** Creates the component. */
    @Activate
    public RunFront(FrontConfig config) {
        this(config, accessGate());
    }

    private RunFront(FrontConfig config, Gate<Access> accessGate) {
        this(
                new GatedAccess(accessGate),
                accessGate,
                new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, ABSENT_MILLIS),
                new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0),
                new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0),
                new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, ABSENT_MILLIS),
                new VaultValues(ABSENT_MILLIS),
                read(config),
                ABSENT_MILLIS);
        vault.require();
        switchOff(config);
    }

    /**
     * Creates a front without a framework and without keys: it refuses events with secrets. {@code
     * access} is called directly, the others through their gates.
     */
    public RunFront(
            Access access,
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            Gate<Intake> intake,
            FrontSettings settings) {
        this(
                access,
                journal,
                feed,
                intake,
                new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, 0),
                new VaultValues(0),
                settings,
                ABSENT_MILLIS);
    }

    /**
     * Creates a front without a framework.
     *
     * @param absentMillis how long {@link #resolveSession} waits for the gateway
     */
    RunFront(
            Access access,
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            Gate<Intake> intake,
            Gate<Keys> keys,
            VaultValues vault,
            FrontSettings settings,
            long absentMillis) {
        this(access, accessGate(), journal, feed, intake, keys, vault, settings, absentMillis);
    }

    private RunFront(
            Access access,
            Gate<Access> accessGate,
            Gate<Journal> journal,
            Gate<LiveFeed> feed,
            Gate<Intake> intake,
            Gate<Keys> keys,
            VaultValues vault,
            FrontSettings settings,
            long absentMillis) {
        this.accessGate = accessGate;
        this.journal = journal;
        this.feed = feed;
        this.intake = intake;
        this.keys = keys;
        this.vault = vault;
        this.redactor = new Redactor(vault);
        this.settings = settings;
        this.ownership = new OwnershipCheck(access);
        this.submissions =
                new Submissions(
                        access, journal, intake, () -> this.settings.queueLimit(), ids, redactor);
        this.sessions = new SessionFront(access, journal, intake, absentMillis);
        this.events = new ExternalEvents(journal, new RunSecretStore(redactor, journal, keys));
        this.waits = new WaitReasons(journal, intake, keys::isPresent);
        this.followers = new Followers(journal, feed, waits, () -> this.settings.maxFollowers());
        this.approvals = new ApprovalFront(access, journal, keys, System::currentTimeMillis);
    }

    private static Gate<Access> accessGate() {
        return new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, ABSENT_MILLIS);
    }

    private void switchOff(FrontConfig config) {
        for (String unknown : redactor.switchOff(List.of(config.secretShapesOff()))) {
            LOG.warn(
                    "palyra.front switches off the unknown secret shape '{}'; see docs/secrets.md for"
                            + " the names.",
                    unknown);
        }
    }

    private static FrontSettings read(FrontConfig config) {
        return new FrontSettings(config.queueLimit(), config.maxFollowers());
    }

    /** Changes the bounds; followings that exceed them go on. */
    public void settings(FrontSettings changed) {
        settings = changed;
    }

    @Modified
    void modified(FrontConfig config) {
        switchOff(config);
        settings(read(config));
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access arrived, Map<String, Object> properties) {
        accessGate.add(arrived, properties);
    }

    void unbindAccess(Access leaving) {
        accessGate.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindJournal(Journal arrived, Map<String, Object> properties) {
        journal.add(arrived, properties);
    }

    void unbindJournal(Journal leaving) {
        journal.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindFeed(LiveFeed arrived, Map<String, Object> properties) {
        feed.add(arrived, properties);
    }

    void unbindFeed(LiveFeed leaving) {
        feed.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindIntake(Intake arrived, Map<String, Object> properties) {
        intake.add(arrived, properties);
    }

    void unbindIntake(Intake leaving) {
        intake.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindKeys(Keys arrived, Map<String, Object> properties) {
        keys.add(arrived, properties);
    }

    void unbindKeys(Keys leaving) {
        keys.remove(leaving);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindKnownSecrets(KnownSecrets arrived, Map<String, Object> properties) {
        vault.add(arrived, properties);
    }

    void unbindKnownSecrets(KnownSecrets leaving) {
        vault.remove(leaving);
    }

    private String withoutSecrets(Principal writer, String text) {
        return redactor.within(SecretReaches.of(writer.id(), writer.groups(), "", ""))
                .text(Require.orEmpty(text), PlaceholderNumbers.fresh());
    }

    @Override
    public Submission submit(Principal principal, SubmittedMessage message) {
        return submit(principal, message, new byte[0]);
    }

    @Override
    public Submission submit(Principal principal, SubmittedMessage message, byte[] position) {
        return submit(principal, message, position, "");
    }

    @Override
    public Submission submit(
            Principal principal, SubmittedMessage message, byte[] position, String reactTo) {
        return submissions.submit(
                Require.present(principal, "principal"),
                Require.present(message, "message"),
                Require.present(position, "position"),
                Require.orEmpty(reactTo));
    }

    @Override
    public Submission submission(Principal principal, String messageId) {
        return submissions.find(principal, messageId);
    }

    @Override
    public boolean cancel(Principal principal, String runId, String reason) {
        String said = Require.orEmpty(reason);
        Require.that(
                said.length() <= LONGEST_REASON
                        && StandardCharsets.UTF_8.newEncoder().canEncode(said),
                "the reason is no text of at most " + LONGEST_REASON + " characters");
        String why = withoutSecrets(principal, said);
        Optional<RunRow> row = row(principal, runId);
        Authorized authorized =
                ownership.change(
                        principal, "run.cancel", resource(runId, row), Map.of("reason", why));
        if (row.orElseThrow().state().terminal()) {
            return false;
        }
        try {
            Unit unit = cancellation(principal, runId, why, authorized);
            Commits.commit(journal, unit);
            return true;
        } catch (PalyraException e) {
            if (e.code() == ErrorCode.CONFLICT) {
                return false; // it ended meanwhile
            }
            throw e;
        }
    }

    @Override
    public boolean retry(Principal principal, String runId) {
        Optional<RunRow> row = row(principal, runId);
        Authorized authorized =
                ownership.change(principal, "run.retry", resource(runId, row), Map.of());
        if (row.orElseThrow().state() != RunState.QUARANTINED) {
            return false;
        }
        Unit unit =
                Unit.builder()
                        .require(new Precondition.RunIn(runId, EnumSet.of(RunState.QUARANTINED)))
                        .add(
                                new Operation.PutCommand(
                                        command(
                                                CommandRow.RETRY_RUN,
                                                runId,
                                                principal,
                                                Jcs.bytes(JsonNodeFactory.instance.objectNode()))))
                        .add(authorized.record())
                        .build();
        Commits.commit(journal, unit);
        return true;
    }

    private CommandRow command(String kind, String runId, Principal principal, byte[] payload) {
        return new CommandRow(
                ids.next(),
                kind,
                runId,
                principal.id(),
                payload,
                false,
                "",
                System.currentTimeMillis());
    }

    /** Idempotent: a run gets one cancellation, from any number of callers. */
    private Unit cancellation(
            Principal principal, String runId, String reason, Authorized authorized) {
        byte[] payload = Jcs.bytes(JsonNodeFactory.instance.objectNode().put("reason", reason));
        CommandRow row = command(CommandRow.CANCEL_RUN, runId, principal, payload);
        return Unit.builder()
                .once(
                        new IdempotencyKey(CommandRow.CANCEL_RUN, runId, Digests.sha256Hex(runId)),
                        new byte[0])
                .require(new Precondition.RunIn(runId, GOING))
                .add(new Operation.PutCommand(row))
                .add(authorized.record())
                .build();
    }

    @Override
    public AppendedEvent appendEvent(
            Principal principal, String runId, String eventId, String kind, String contentJson) {
        return appendEvent(principal, runId, eventId, kind, contentJson, "");
    }

    @Override
    public AppendedEvent appendEvent(
            Principal principal,
            String runId,
            String eventId,
            String kind,
            String contentJson,
            String actor) {
        String caused = Require.orEmpty(actor);
        String id = Require.orEmpty(eventId).isEmpty() ? ids.next() : eventId;
        ExternalEvents.require(id, kind, contentJson, caused);
        Optional<RunRow> row = row(principal, runId);
        Authorized authorized =
                ownership.change(
                        principal,
                        "event.append",
                        resource(runId, row),
                        Map.of("eventId", id, "kind", kind));
        return events.append(
                principal, row.orElseThrow(), id, kind, contentJson, caused, authorized);
    }

    @Override
    public Optional<RunView> run(Principal principal, String runId) {
        Optional<RunRow> row = row(principal, runId);
        return ownership.readable(principal, "run.read", resource(runId, row))
                ? row.map(waits::view)
                : Optional.empty();
    }

    @Override
    public List<RunView> runs(
            Principal principal, String sessionId, String beforeRunId, int limit) {
        PageLimits.requireLimit(limit, PageLimits.MOST);
        String owner = ownership.listOwner(principal, "run.list");
        String session = PageLimits.idOrEmpty(sessionId, "session id");
        String before = PageLimits.idOrEmpty(beforeRunId, "run id");
        return journal.call(present -> present.runs(owner, session, before, limit)).stream()
                .map(waits::view)
                .toList();
    }

    @Override
    public List<SessionView> sessions(
            Principal principal,
            String text,
            String beforeSessionId,
            int limit,
            boolean includeArchived) {
        return sessions.list(principal, text, beforeSessionId, limit, includeArchived);
    }

    @Override
    public Optional<SessionView> session(Principal principal, String sessionId) {
        return sessions.find(principal, sessionId);
    }

    @Override
    public ResolvedSession resolveSession(Principal principal, SessionQuery query) {
        return sessions.resolve(
                Require.present(principal, "principal"), Require.present(query, "session query"));
    }

    @Override
    public SessionView archiveSession(Principal principal, String sessionId) {
        return sessions.archive(principal, sessionId);
    }

    @Override
    public List<TapeRecord> tape(Principal principal, String runId, long afterSeq, int limit) {
        PageLimits.requireLimit(limit, MOST_RECORDS);
        Require.that(afterSeq >= 0, "a tape is read from 0 or a sequence number, not " + afterSeq);
        ownership.read(principal, "tape.read", resource(runId, row(principal, runId)));
        return journal.call(present -> present.tape(runId, afterSeq, limit));
    }

    /** A position beyond the tape is refused: it is of another run, or of another journal. */
    @Override
    public Following follow(
            Principal principal, String runId, RunPosition from, RunObserver observer) {
        Require.present(from, "position");
        Require.present(observer, "observer");
        Optional<RunRow> row = row(principal, runId);
        ownership.read(principal, "run.read", resource(runId, row));
        long head = row.orElseThrow().headSeq();
        Require.that(
                from.seq() <= head,
                "run "
                        + runId
                        + " was to be followed after record "
                        + from.seq()
                        + ", but its tape ends at "
                        + head
                        + "; follow it from 0");
        return followers.follow(runId, from, observer);
    }

    /**
     * Throws CORRUPT for a run that was accepted and whose row is lost, if it may be known of, and
     * GATEWAY_UNAVAILABLE for one whose message the caller sent and that has not begun.
     */
    private Optional<RunRow> row(Principal principal, String runId) {
        Ulids.require(runId, "run id");
        Optional<RunRow> row = journal.call(present -> present.run(runId));
        if (row.isEmpty()) {
            requireBegun(principal, runId);
            row = journal.call(present -> present.run(runId)); // begun while the queue was read
        }
        if (row.isEmpty()) {
            journal.call(present -> present.loss(runId))
                    .filter(loss -> ownership.readable(principal, "run.read", resource(loss)))
                    .ifPresent(RunFront::refuse);
        }
        return row;
    }

    /** What was acknowledged is not said to be unknown: its sender is to come again. */
    private void requireBegun(Principal principal, String runId) {
        if (QueuedMessages.any(journal, principal.id(), message -> message.runId().equals(runId))) {
            throw new PalyraException(
                    ErrorCode.GATEWAY_UNAVAILABLE,
                    "The message of run "
                            + runId
                            + " was accepted and waits for the gateway; try again in a moment.");
        }
    }

    private static OwnershipCheck.Resource resource(RunLoss loss) {
        return new OwnershipCheck.Resource("run", loss.runId(), Optional.of(loss.principal()));
    }

    private static void refuse(RunLoss loss) {
        throw new PalyraException(ErrorCode.CORRUPT, loss.sentence());
    }

    private static OwnershipCheck.Resource resource(String runId, Optional<RunRow> row) {
        return new OwnershipCheck.Resource("run", runId, row.map(RunRow::principal));
    }

    @Override
    public ApprovalView decide(Principal principal, ApprovalAnswer answer) {
        return approvals.decide(
                principal,
                new ApprovalAnswer(
                        answer.approvalId(),
                        answer.granted(),
                        answer.scope(),
                        answer.shape(),
                        answer.ttlMillis(),
                        answer.maxUses(),
                        withoutSecrets(principal, answer.reason())));
    }

    @Override
    public Optional<ApprovalView> approval(Principal principal, String approvalId) {
        return approvals.approval(principal, approvalId);
    }

    @Override
    public List<ApprovalView> pending(
            Principal principal, String runId, String afterApprovalId, int limit) {
        return approvals.pending(principal, runId, afterApprovalId, limit);
    }

    @Override
    public List<ApprovalView> list(
            Principal principal, ApprovalQuery query, String afterApprovalId, int limit) {
        return approvals.list(principal, query, afterApprovalId, limit);
    }

    @Override
    public void export(
            Principal principal,
            ApprovalQuery query,
            ApprovalExportFormat format,
            int limit,
            Consumer<byte[]> chunks) {
        approvals.export(principal, query, format, limit, chunks);
    }

    @Override
    public List<GrantView> grants(
            Principal principal,
            String sessionId,
            boolean activeOnly,
            String afterGrantId,
            int limit) {
        return approvals.grants(principal, sessionId, activeOnly, afterGrantId, limit);
    }

    @Override
    public GrantView revoke(Principal principal, String grantId, String reason) {
        return approvals.revoke(principal, grantId, withoutSecrets(principal, reason));
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                Metric.gauge("palyra_runs_followed", "Runs being followed now.", following()));
    }

    /** Returns how many runs are being followed. */
    public int following() {
        return followers.count();
    }

    /** Ends every following and waits, for a few seconds at most, until their threads are gone. */
    @Deactivate
    @Override
    public void close() {
        followers.close();
    }
}
