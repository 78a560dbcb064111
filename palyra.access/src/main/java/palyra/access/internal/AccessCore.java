package palyra.access.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
import palyra.api.Require;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Authorized;
import palyra.api.core.access.Credential;
import palyra.api.core.access.IssuedToken;
import palyra.api.core.access.TokenView;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
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
import palyra.shared.hash.Ulids;

/** The enforcement front. Journal, keys and policy engine may come and go. Thread-safe. */
@Component(
        name = AccessConfig.PID,
        configurationPid = AccessConfig.PID,
        immediate = true,
        service = {Access.class, MetricSource.class, FindingSource.class, LoopSource.class})
@Designate(ocd = AccessConfig.class)
public final class AccessCore
        implements Access, MetricSource, FindingSource, LoopSource, AutoCloseable {
    /**
     * How long a caller waits for a journal or for keys that are being replaced, in milliseconds.
     */
    static final long ABSENT_MILLIS = 5_000;

    private final Gate<Journal> journal;
    private final Gate<Keys> keys;
    private final Gate<PolicyEngine> policy;
    private final Rules policyRules;
    private final ProcessIdentity own;
    private final Authenticator authenticator;
    private final Tokens tokens;
    private final Authorizer decisions;
    private final BreakGlass breakGlass;
    private final Delegation speaking;
    private final ToolDecider tools;
    private final SpendFacts spend;
    private final Housekeeping housekeeping;
    private volatile AccessSettings settings;

    /**
     * What a front is made of.
     *
     * @param stateFolder where the bootstrap token and the emergency record go
     * @param policy what decides unless the fixed rules are configured to
     * @param own whom the process runs as
     * @param clock unix time in milliseconds
     * @param safeMode whether it was started for repair: every tool is denied, and a rule that
     *     denies the emergency list to the gateway's own user does not count
     */
    record Parts(
            Gate<Journal> journal,
            Gate<Keys> keys,
            Path stateFolder,
            Rules policy,
            ProcessIdentity own,
            LongSupplier clock,
            boolean safeMode) {}

    /** Creates the component, for the user that this process runs as. */
    @Activate
    public AccessCore(BundleContext context, AccessConfig config) {
        this(context, config, policyGate());
    }

    private AccessCore(BundleContext context, AccessConfig config, Gate<PolicyEngine> policy) {
        this(
                new Parts(
                        new Gate<>("The journal", ErrorCode.JOURNAL_UNAVAILABLE, ABSENT_MILLIS),
                        new Gate<>("The key store", ErrorCode.KEYS_UNAVAILABLE, ABSENT_MILLIS),
                        stateFolder(context),
                        new PolicyRules(policy, PolicyRules.START_MILLIS),
                        ProcessIdentity.ofThisProcess(),
                        System::currentTimeMillis,
                        Boolean.parseBoolean(context.getProperty(Ops.SAFE_MODE))),
                AccessSettings.of(config),
                policy);
    }

    private static Gate<PolicyEngine> policyGate() {
        return new Gate<>("The policy engine", ErrorCode.POLICY_UNAVAILABLE, 0);
    }

    AccessCore(Parts parts, AccessSettings settings) {
        this(parts, settings, policyGate());
    }

    private AccessCore(Parts parts, AccessSettings settings, Gate<PolicyEngine> policy) {
        this.settings = settings;
        this.journal = parts.journal();
        this.keys = parts.keys();
        this.policy = policy;
        this.policyRules = parts.policy();
        this.own = parts.own();
        LongSupplier clock = parts.clock();
        Ulids ids = new Ulids();
        Recorder recorder = new Recorder(parts.journal());
        TokenStore store = new TokenStore(parts.journal(), parts.keys());
        this.authenticator = new Authenticator(store, clock);
        this.tokens = new Tokens(store, recorder, clock, ids);
        DenialLog denials = new DenialLog(recorder, () -> this.settings.denialsPerSecond(), clock);
        BreakGlass breakGlass =
                new BreakGlass(own, recorder, parts.stateFolder(), clock, parts.safeMode());
        Rules builtIn = new BuiltInRules();
        Supplier<Rules> rules = () -> this.settings.builtInRules() ? builtIn : parts.policy();
        this.breakGlass = breakGlass;
        this.decisions = new Authorizer(rules, recorder, breakGlass, denials, clock, ids);
        this.speaking = new Delegation(decisions, new IdentityLinks(parts.journal()));
        this.spend = new SpendFacts(parts.journal(), clock);
        this.tools = new ToolDecider(rules, () -> this.settings.tools(), parts.safeMode());
        Bootstrap bootstrap =
                new Bootstrap(parts.journal(), store, recorder, parts.stateFolder(), clock, ids);
        this.housekeeping =
                new Housekeeping(bootstrap, denials, breakGlass, parts.journal(), parts.keys());
    }

    /**
     * Opens a front with the fixed rules and otherwise default settings, for this process's own
     * user.
     *
     * @param safeMode whether every tool is denied
     */
    public static AccessCore open(
            Path stateFolder, Gate<Journal> journal, Gate<Keys> keys, boolean safeMode) {
        return new AccessCore(
                new Parts(
                        journal,
                        keys,
                        stateFolder,
                        new BuiltInRules(),
                        ProcessIdentity.ofThisProcess(),
                        System::currentTimeMillis,
                        safeMode),
                AccessSettings.defaults());
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
        settings(AccessSettings.of(config));
    }

    void settings(AccessSettings changed) {
        settings = changed;
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
        return switch (Require.present(credential, "credential")) {
            case Credential.ApiToken token -> authenticator.authenticate(token.secret());
            case Credential.LocalPeer peer ->
                    LocalPeers.principal(peer, own, settings.localPeers());
            case Credential.ClientCertificate certificate ->
                    settings.certificates().principal(certificate);
        };
    }

    @Override
    public Principal speakFor(Principal speaker, String principalId) {
        return speaking.speakFor(speaker, principalId);
    }

    @Override
    public Authorized authorize(AccessRequest request) {
        return decisions.authorize(spend.with(request));
    }

    @Override
    public Permit authorizeAndRecord(AccessRequest request) {
        return decisions.authorizeAndRecord(spend.with(request));
    }

    @Override
    public Permit authorizeRead(AccessRequest request) {
        return decisions.authorizeRead(spend.with(request));
    }

    @Override
    public boolean wouldAllow(AccessRequest request) {
        return decisions.wouldAllow(spend.with(request));
    }

    @Override
    public Set<String> breakGlassActions() {
        return BreakGlass.ACTIONS;
    }

    @Override
    public Optional<String> recordWaits(Permit permit) {
        return breakGlass.recordWaits(permit.permitId());
    }

    @Override
    public ToolPolicyDecision decideTool(ToolPolicyRequest question) {
        return tools.decide(question);
    }

    @Override
    public IssuedToken createToken(
            Authorized permit,
            String label,
            String principal,
            Set<String> groups,
            Set<String> scopes,
            long ttlMillis) {
        return tokens.create(permit, label, principal, groups, scopes, ttlMillis);
    }

    @Override
    public TokenView revokeToken(Authorized permit, String tokenId) {
        return tokens.revoke(permit, tokenId);
    }

    @Override
    public List<TokenView> tokens(Permit permit) {
        return tokens.list(permit);
    }

    /** Returns why nothing can be decided now, a sentence; empty when requests are decided. */
    Optional<String> whyUndecided() {
        return settings.builtInRules() ? Optional.empty() : policyRules.whyUnavailable();
    }

    @Override
    public List<Finding> findings() {
        AccessSettings now = settings;
        List<Finding> findings = new ArrayList<>(now.findings());
        findings.addAll(now.certificates().findings());
        findings.addAll(now.tools().findings());
        findings.addAll(breakGlass.findings());
        if (now.builtInRules()) {
            findings.add(
                    new Finding(
                            Finding.Severity.WARNING,
                            "access",
                            "The fixed rules decide; policies are not asked.",
                            "Set engine of palyra.access to policy unless you want the fixed rules."));
        } else if (!policyRules.isPresent()) {
            findings.add(
                    new Finding(
                            Finding.Severity.ERROR,
                            "access",
                            "The policy engine is absent, so everything is denied except the"
                                    + " emergency list.",
                            "Start or update the bundle palyra.policy; palyra bundles shows its"
                                    + " state."));
        }
        return findings;
    }

    @Override
    public List<LoopView> loops() {
        return List.of(housekeeping.loop());
    }

    @Override
    public List<Metric> metrics() {
        Map<String, Long> counts = decisions.counts();
        return List.of(
                decided("allowed", counts.get("allowed")),
                decided("denied", counts.get("denied")),
                Metric.counter(
                        "palyra_access_break_glass_total",
                        "Uses of the emergency list.",
                        (double) counts.get("break_glass")),
                Metric.counter(
                        "palyra_access_refused_tokens_total",
                        "API tokens shown that were not valid.",
                        (double) authenticator.refusals()));
    }

    private static Metric decided(String decision, double count) {
        return new Metric(
                "palyra_access_decisions_total",
                "Decisions about actions.",
                Metric.Type.COUNTER,
                Map.of("decision", decision),
                count);
    }

    /** Stops the front's thread, after a last attempt to write what was only counted. */
    @Deactivate
    @Override
    public void close() {
        housekeeping.close();
    }
}
