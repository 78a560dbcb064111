package palyra.skills.internal.host.fakes;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import palyra.api.ErrorCode;
import palyra.api.access.DecisionSource;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.core.access.Access;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.access.ToolPolicyDecision;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.journal.Journal;
import palyra.api.core.vault.Vault;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.shared.gate.Gate;
import palyra.shared.vault.SecretLender;
import palyra.skills.internal.host.CallScope;
import palyra.skills.internal.host.Denials;
import palyra.skills.internal.host.HostCall;
import palyra.skills.internal.host.HostFunctions;
import palyra.skills.internal.host.HostSeams;
import palyra.skills.internal.host.MemoryStorage;
import palyra.skills.internal.model.SkillGrants;
import palyra.skills.internal.model.SkillGrants.SecretGrant;
import palyra.skills.internal.model.SkillGrants.StorageGrant;
import palyra.skills.internal.model.SkillId;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;
import palyra.testing.journal.MemoryJournal;

/** All neighbours of host functions, put together. */
public final class Stage {
    /** The skill of tests. */
    public static final SkillId SKILL = new SkillId("acme.weather", "1.0.0");

    private volatile Confinement confinement =
            new Confinement(Confinement.Tier.A, Confinement.Egress.STRICT);
    private volatile Function<ToolPolicyRequest, Verdict> verdicts = request -> Verdict.ALLOW;
    public final FakeAccess access =
            new FakeAccess(Use.CHANGE, Use.RECORD, Use.READ, Use.TOOL)
                    .source(DecisionSource.POLICY)
                    .answering(this::answer);

    public final MemoryJournal journal = new MemoryJournal();
    public final FakeVault vault = new FakeVault();
    public final FakeEgress egress = new FakeEgress();

    /** What the connectors that are there can do, by channel. */
    public final Map<String, ConnectorCapabilities> connectors = new ConcurrentHashMap<>();

    public final Gate<Access> accessGate = new Gate<>("access", ErrorCode.POLICY_UNAVAILABLE, 100);
    public final HostSeams seams;

    /** Creates one with nothing in it. */
    public Stage() {
        Gate<Vault> vaults = new Gate<>("vault", ErrorCode.KEYS_UNAVAILABLE, 100);
        Gate<Journal> journals = new Gate<>("journal", ErrorCode.JOURNAL_UNAVAILABLE, 100);
        accessGate.add(access, Map.of());
        vaults.add(vault.service(), Map.of());
        journals.add(journal, Map.of());
        seams =
                new HostSeams(
                        () -> egress,
                        new SecretLender(accessGate, vaults),
                        accessGate,
                        journals,
                        new MemoryStorage(),
                        new Denials(journals),
                        channel -> Optional.ofNullable(connectors.get(channel)));
    }

    /** Returns grants of a little of everything. */
    public static SkillGrants grants() {
        return new SkillGrants(
                List.of("api.example.com", "*.wild.example.com", "other.example.com:8443"),
                List.of(
                        new SecretGrant("skill:", "api_token", false, List.of("api.example.com")),
                        new SecretGrant("global", "readable", true, List.of("api.example.com")),
                        new SecretGrant("skill:acme.other", "stolen", true, List.of())),
                List.of(
                        new StorageGrant("notes/", true, 1_000),
                        new StorageGrant("notes/fixed", false, 1_000),
                        new StorageGrant("shared", false, 1_000)),
                List.of("discord:main"),
                List.of("discord:main"));
    }

    /** Returns the scope of a call. */
    public static CallScope scope(SkillGrants grants) {
        return new CallScope(
                SKILL,
                "acme.weather.get",
                "call-1",
                1,
                "run-1",
                "user:anna",
                Set.of("operator"),
                "helper",
                System.currentTimeMillis() + 60_000,
                grants);
    }

    /** Returns a new call with an input. */
    public static HostCall call(SkillGrants grants, String input, boolean command) {
        return new HostCall(scope(grants), input.getBytes(StandardCharsets.UTF_8), command);
    }

    /** Returns a guest of a call. */
    public Guest guest(HostCall call) {
        return new Guest(HostFunctions.of(call, seams));
    }

    /** Returns a guest of a call with a little of everything. */
    public Guest guest() {
        return guest(call(grants(), "{}", false));
    }

    /** Wants at least this confinement for tools. */
    public void confine(Confinement wanted) {
        confinement = wanted;
    }

    /** Decides about tools by this rule. */
    public void decide(Function<ToolPolicyRequest, Verdict> rule) {
        verdicts = rule;
    }

    private ToolPolicyDecision answer(ToolPolicyRequest request) {
        Verdict verdict = verdicts.apply(request);
        String reason = "The test says " + verdict + ".";
        boolean allowed = verdict == Verdict.ALLOW;
        PolicyDecision policy =
                new PolicyDecision(
                        allowed ? PolicyDecision.Outcome.ALLOW : PolicyDecision.Outcome.DENY,
                        "policy.test",
                        reason,
                        "",
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        confinement,
                        PolicyDecision.Confirmation.NOT_NEEDED,
                        "0".repeat(64),
                        1,
                        "{}");
        return new ToolPolicyDecision(
                verdict, "policy.test", reason, "POLICY", List.of(), "{}", Optional.of(policy));
    }
}
