package palyra.access.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Credential;
import palyra.api.core.access.IssuedToken;
import palyra.api.core.access.TokenView;
import palyra.api.core.access.ToolAnswer;
import palyra.api.core.access.ToolQuestion;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.FindingSource;
import palyra.api.core.ops.LoopSource;
import palyra.api.core.ops.LoopView;
import palyra.api.core.ops.Metric;
import palyra.api.core.ops.MetricSource;
import palyra.api.core.ops.Ops;
import palyra.api.core.policy.PolicyEngine;
import palyra.shared.gate.Gate;

/**
 * Offers the enforcement front as a service. Journal, keys and policies may come and go under it.
 */
@Component(
        name = AccessConfig.PID,
        configurationPid = AccessConfig.PID,
        immediate = true,
        service = {Access.class, MetricSource.class, FindingSource.class, LoopSource.class})
@Designate(ocd = AccessConfig.class)
public final class AccessComponent implements Access, MetricSource, FindingSource, LoopSource {
    /** How long a caller waits for a journal or for keys that are being replaced. */
    static final long ABSENT_MILLIS = 5_000;

    private final Gate<Journal> journal =
            new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<Keys> keys =
            new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, ABSENT_MILLIS);
    private final Gate<PolicyEngine> policy =
            new Gate<>("The policy engine", ErrorCode.POLICY_UNAVAILABLE, 0);
    private final AccessCore core;

    /** Opens the front for this process's own user. */
    @Activate
    public AccessComponent(BundleContext context, AccessConfig config) {
        core =
                new AccessCore(
                        new AccessCore.Parts(
                                journal,
                                keys,
                                stateFolder(context),
                                new PolicyRules(policy, PolicyRules.START_MILLIS),
                                OwnIdentity.ofThisProcess(),
                                System::currentTimeMillis,
                                Boolean.parseBoolean(context.getProperty(Ops.SAFE_MODE))),
                        AccessSettings.of(config));
    }

    private static Path stateFolder(BundleContext context) {
        String state = context.getProperty(Ops.STATE_FOLDER);
        if (state == null || state.isBlank()) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT,
                    "The framework property "
                            + Ops.STATE_FOLDER
                            + " names no state folder; start the gateway with palyra up.");
        }
        return Path.of(state);
    }

    @Modified
    void modified(AccessConfig config) {
        core.settings(AccessSettings.of(config));
    }

    @Deactivate
    void deactivate() {
        core.close();
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
    void bindPolicy(PolicyEngine arrived, Map<String, Object> properties) {
        policy.add(arrived, properties);
    }

    void unbindPolicy(PolicyEngine leaving) {
        policy.remove(leaving);
    }

    @Override
    public Principal authenticate(Credential credential) {
        return core.authenticate(credential);
    }

    @Override
    public Principal speakFor(Principal speaker, String principalId) {
        return core.speakFor(speaker, principalId);
    }

    @Override
    public Authorized authorize(AccessRequest request) {
        return core.authorize(request);
    }

    @Override
    public Permit authorizeAndRecord(AccessRequest request) {
        return core.authorizeAndRecord(request);
    }

    @Override
    public Permit authorizeRead(AccessRequest request) {
        return core.authorizeRead(request);
    }

    @Override
    public Set<String> breakGlassActions() {
        return core.breakGlassActions();
    }

    @Override
    public Optional<String> recordWaits(Permit permit) {
        return core.recordWaits(permit);
    }

    @Override
    public ToolAnswer decideTool(ToolQuestion question) {
        return core.decideTool(question);
    }

    @Override
    public IssuedToken createToken(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis) {
        return core.createToken(permit, label, principal, groups, scopes, ttlMillis);
    }

    @Override
    public TokenView revokeToken(Authorized permit, String tokenId) {
        return core.revokeToken(permit, tokenId);
    }

    @Override
    public List<TokenView> tokens(Permit permit) {
        return core.tokens(permit);
    }

    @Override
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>(core.findings());
        if (core.asksPolicy() && !policy.isPresent()) {
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            "access",
                            "The policy engine is not there, so everything is denied but the"
                                    + " emergency list.",
                            "Start or update the bundle palyra.policy; palyra bundle list says"
                                    + " how it stands."));
        }
        return findings;
    }

    @Override
    public List<LoopView> loops() {
        return List.of(core.loop());
    }

    @Override
    public List<Metric> metrics() {
        return core.metrics();
    }
}
