package palyra.skills.internal;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.command.Command;
import palyra.api.core.access.Access;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.Confinement;
import palyra.api.core.access.PolicyDecision;
import palyra.api.core.journal.Journal;
import palyra.api.core.keys.Keys;
import palyra.api.core.policy.PolicyEngine;
import palyra.shared.files.DurableFiles;
import palyra.shared.gate.Gate;
import palyra.skills.internal.manifest.GatewayVersion;
import palyra.skills.internal.model.SkillId;
import palyra.skills.internal.model.SkillPreparation;
import palyra.skills.internal.store.AuthorizedChanges;
import palyra.skills.internal.store.Installer;
import palyra.skills.internal.store.Inventory;
import palyra.skills.internal.store.Lifecycle;
import palyra.skills.internal.store.Reaudit;
import palyra.skills.internal.store.SkillLoader;
import palyra.skills.internal.store.SkillRecord;
import palyra.skills.internal.store.SkillReport;
import palyra.skills.internal.store.TrustService;
import palyra.testing.access.FakeAccess;
import palyra.testing.access.FakeAccess.Use;
import palyra.testing.journal.MemoryJournal;
import palyra.testing.journal.MemoryKeys;

/** The parts about installed skills with fakes around them. */
public final class SkillFixture implements AutoCloseable {
    public static final Principal OPERATOR = person("user:olga", "operator");
    public static final Principal VIEWER = person("user:vera", "viewer");
    public static final SkillId ID = new SkillId("acme.weather", "1.0.0");

    public final MemoryJournal journal;
    public final MemoryKeys keys;
    public final List<AccessRequest> previewed = new CopyOnWriteArrayList<>();
    public final List<String> forbidden = new CopyOnWriteArrayList<>();
    public final List<String> removed = new ArrayList<>();
    public final List<SkillId> prepared = new CopyOnWriteArrayList<>();
    public final AtomicLong now = new AtomicLong(1_800_000_000_000L);
    public final Gate<Keys> keysGate = new Gate<>("the keys", ErrorCode.KEYS_UNAVAILABLE, 0);
    public final Gate<Journal> journalGate =
            new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
    public final Gate<Access> accessGate = new Gate<>("access", ErrorCode.POLICY_UNAVAILABLE, 0);
    public final Gate<PolicyEngine> policyGate =
            new Gate<>("policies", ErrorCode.POLICY_UNAVAILABLE, 0);
    public final FakeAccess access =
            new FakeAccess(Use.CHANGE).allowing(request -> request.principal().in("operator"));
    public final PolicyEngine policies = policies();
    public volatile SkillsSettings settings = new SkillsSettings(21_600_000, true, 50);
    public volatile SkillPreparation preparation = skill -> prepared.add(skill.id());
    public final Path state;
    private final SkillManager fixture;

    public SkillFixture(Path state) {
        this(state, new MemoryJournal(), new MemoryKeys(), new DurableFiles());
    }

    public SkillFixture(Path state, MemoryJournal journal, MemoryKeys keys, DurableFiles disk) {
        this(state, journal, keys, disk, "0.1.0.SNAPSHOT");
    }

    public SkillFixture(
            Path state, MemoryJournal journal, MemoryKeys keys, DurableFiles disk, String gateway) {
        this.state = state;
        this.journal = journal;
        this.keys = keys;
        journalGate.add(journal, Map.of());
        keysGate.add(keys, Map.of());
        accessGate.add(access, Map.of());
        policyGate.add(policies, Map.of());
        fixture =
                new SkillManager(
                        state,
                        new SkillManager.Seams(
                                journalGate,
                                accessGate,
                                keysGate,
                                policyGate,
                                skill -> preparation.prepare(skill)),
                        GatewayVersion.of(gateway),
                        () -> settings,
                        removed::add,
                        now::get,
                        disk);
    }

    private static Principal person(String id, String group) {
        return new Principal(id, PrincipalKind.USER, Set.of(group), Set.of(), "test");
    }

    private PolicyEngine policies() {
        return (PolicyEngine)
                Proxy.newProxyInstance(
                        SkillFixture.class.getClassLoader(),
                        new Class<?>[] {PolicyEngine.class},
                        (proxy, method, arguments) ->
                                switch (method.getName()) {
                                    case "decide" -> decide((AccessRequest) arguments[0]);
                                    case "hashCode" -> System.identityHashCode(proxy);
                                    case "equals" -> proxy == arguments[0];
                                    default ->
                                            throw new UnsupportedOperationException(
                                                    method.getName());
                                });
    }

    private PolicyDecision decide(AccessRequest request) {
        previewed.add(request);
        boolean no = forbidden.contains(request.resource());
        return new PolicyDecision(
                PolicyDecision.Outcome.DENY,
                no ? "policy.denied" : "policy.not_permitted",
                no ? "That is forbidden." : "Nothing permits it.",
                "",
                no ? List.of("no_evil") : List.of(),
                List.of(),
                Optional.empty(),
                Confinement.STRICTEST,
                PolicyDecision.Confirmation.NOT_NEEDED,
                "0".repeat(64),
                1,
                "{}");
    }

    public AuthorizedChanges changes() {
        return fixture.changes();
    }

    public Inventory inventory() {
        return fixture.changes().inventory();
    }

    public SkillLoader loader() {
        return fixture.loader();
    }

    public Installer installer() {
        return fixture.installer();
    }

    public Lifecycle lifecycle() {
        return fixture.lifecycle();
    }

    public Reaudit reaudit() {
        return fixture.reaudit();
    }

    public TrustService trust() {
        return fixture.trust();
    }

    public SkillReport report() {
        return fixture.report();
    }

    public Command command(String name) {
        return fixture.commands().stream()
                .filter(each -> each.spec().name().equals("skills " + name))
                .findFirst()
                .orElseThrow();
    }

    public SkillRecord install(byte[] file) {
        boolean update =
                !inventory()
                        .versions(
                                palyra.skills.internal.artifact.Artifact.verify(file)
                                        .manifest()
                                        .id()
                                        .skill())
                        .isEmpty();
        return installer().install(OPERATOR, installer().plan(file, update), "test", false, "");
    }

    /** Returns the same house as it is after another gateway was started. */
    public SkillFixture with(String gateway) {
        close();
        return new SkillFixture(state, journal, keys, new DurableFiles(), gateway);
    }

    public SkillRecord active(byte[] file) {
        SkillRecord record = install(file);
        return lifecycle().enable(OPERATOR, record.id(), "");
    }

    public Path artifact(SkillRecord record) {
        return state.resolve(
                "skills/artifacts/" + record.origin().artifactSha256() + ".palyra-skill");
    }

    @Override
    public void close() {
        fixture.close();
    }
}
