package palyra.front.internal;

import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import palyra.api.access.Principal;
import palyra.api.approval.ApprovalAnswer;
import palyra.api.approval.ApprovalExportFormat;
import palyra.api.approval.ApprovalQuery;
import palyra.api.approval.ApprovalView;
import palyra.api.approval.Approvals;
import palyra.api.approval.GrantView;
import palyra.api.core.access.Access;
import palyra.api.core.gateway.Intake;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.vault.KnownSecrets;
import palyra.api.run.AppendedEvent;
import palyra.api.run.Following;
import palyra.api.run.ResolvedSession;
import palyra.api.run.RunObserver;
import palyra.api.run.RunPosition;
import palyra.api.run.RunView;
import palyra.api.run.Runs;
import palyra.api.run.SessionQuery;
import palyra.api.run.SessionView;
import palyra.api.run.Submission;
import palyra.api.run.SubmittedMessage;
import palyra.api.tape.TapeRecord;
import palyra.front.internal.approval.ApprovalFront;
import palyra.shared.gate.Gate;
import palyra.shared.sealed.Reaches;
import palyra.shared.sealed.Redactor;
import palyra.shared.sealed.SecretKeeper;
import palyra.shared.sealed.VaultValues;
import palyra.shared.secrets.SecretNumbers;

/** Offers the front of the gateway as a service. Everything it needs may come and go under it. */
@Component(
        name = FrontConfig.PID,
        configurationPid = FrontConfig.PID,
        immediate = true,
        service = {Runs.class, Approvals.class, MetricSource.class})
@Designate(ocd = FrontConfig.class)
public final class FrontComponent implements Runs, Approvals, MetricSource {
    private static final Logger LOG = LoggerFactory.getLogger(FrontComponent.class);

    /** How long a caller waits for what is being replaced. */
    private static final long ABSENT_MILLIS = 5_000;

    private final Gate<Access> access =
            new Gate<>("Access control", ErrorCode.POLICY_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<LiveFeed> feed =
            new Gate<>("The live feed", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    private final Gate<Intake> intake = new Gate<>("The gateway", ErrorCode.GATEWAY_UNAVAILABLE, 0);
    private final Gate<Keys> keys =
            new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, ABSENT_MILLIS);
    private final VaultValues vault = new VaultValues(ABSENT_MILLIS);
    private final Redactor redactor = new Redactor(vault);
    private final RunFront front;
    private final ApprovalFront approvals;

    /** Opens the front. */
    @Activate
    public FrontComponent(FrontConfig config) {
        Access gated = new GatedAccess(access);
        switchOff(config);
        front =
                new RunFront(
                        gated,
                        journal,
                        feed,
                        intake,
                        settings(config),
                        new SecretKeeper(redactor, journal, keys));
        approvals = new ApprovalFront(gated, journal, keys, System::currentTimeMillis);
    }

    private void switchOff(FrontConfig config) {
        for (String unknown : redactor.switchOff(List.of(config.secretShapesOff()))) {
            LOG.warn(
                    "palyra.front switches off the shape of secrets '{}', which there is not; see"
                            + " docs/secrets.md for the names.",
                    unknown);
        }
    }

    private static FrontSettings settings(FrontConfig config) {
        return new FrontSettings(config.queueLimit(), config.maxFollowers());
    }

    @Modified
    void modified(FrontConfig config) {
        switchOff(config);
        front.settings(settings(config));
    }

    @Deactivate
    void deactivate() {
        front.close();
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAccess(Access arrived, Map<String, Object> properties) {
        access.add(arrived, properties);
    }

    void unbindAccess(Access leaving) {
        access.remove(leaving);
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
        return redactor.within(Reaches.of(writer.id(), writer.groups(), "", ""))
                .text(text == null ? "" : text, SecretNumbers.fresh());
    }

    @Override
    public Submission submit(Principal principal, SubmittedMessage message) {
        return front.submit(principal, message);
    }

    @Override
    public Submission submission(Principal principal, String messageId) {
        return front.submission(principal, messageId);
    }

    @Override
    public boolean cancel(Principal principal, String runId, String reason) {
        return front.cancel(principal, runId, reason);
    }

    @Override
    public boolean retry(Principal principal, String runId) {
        return front.retry(principal, runId);
    }

    @Override
    public AppendedEvent appendEvent(
            Principal principal, String runId, String eventId, String kind, String contentJson) {
        return front.appendEvent(principal, runId, eventId, kind, contentJson);
    }

    @Override
    public AppendedEvent appendEvent(
            Principal principal,
            String runId,
            String eventId,
            String kind,
            String contentJson,
            String actor) {
        return front.appendEvent(principal, runId, eventId, kind, contentJson, actor);
    }

    @Override
    public Optional<RunView> run(Principal principal, String runId) {
        return front.run(principal, runId);
    }

    @Override
    public List<RunView> runs(
            Principal principal, String sessionId, String beforeRunId, int limit) {
        return front.runs(principal, sessionId, beforeRunId, limit);
    }

    @Override
    public List<SessionView> sessions(
            Principal principal,
            String text,
            String beforeSessionId,
            int limit,
            boolean includeArchived) {
        return front.sessions(principal, text, beforeSessionId, limit, includeArchived);
    }

    @Override
    public Optional<SessionView> session(Principal principal, String sessionId) {
        return front.session(principal, sessionId);
    }

    @Override
    public SessionView archiveSession(Principal principal, String sessionId) {
        return front.archiveSession(principal, sessionId);
    }

    @Override
    public ResolvedSession resolveSession(Principal principal, SessionQuery query) {
        return front.resolveSession(principal, query);
    }

    @Override
    public List<TapeRecord> tape(Principal principal, String runId, long afterSeq, int limit) {
        return front.tape(principal, runId, afterSeq, limit);
    }

    @Override
    public Following follow(
            Principal principal, String runId, RunPosition from, RunObserver observer) {
        return front.follow(principal, runId, from, observer);
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
                Metric.gauge(
                        "palyra_runs_followed", "Runs being followed now.", front.following()));
    }
}
