package palyra.policy.internal.plan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicySetView;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.PolicySetCompiler;
import palyra.policy.internal.cedar.json.Schema;
import palyra.policy.internal.decide.PolicyRequest;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/** Policy sets and policy requests by the shipped schema. */
public final class Samples {
    public static final Cedar CEDAR = ServiceLoader.load(Cedar.class).findFirst().orElseThrow();

    public static final Path SHIPPED =
            Path.of("..", "palyra.dist", "src", "main", "dist", "policies");

    /** Allows everything to everybody. */
    public static final String ALL =
            "@id(\"all\") @reason(\"For tests.\")\npermit (principal, action, resource);\n";

    public static final String NOT_EVE =
            "@id(\"not_eve\")\nforbid (principal == User::\"user:eve\", action, resource);\n";

    public static final String ASK =
            """
            @id("ask") @approval("A person looks at it.") @ttl("15m") @quorum("2")
            forbid (principal, action == Action::"tool.execute", resource)
              when { resource.sensitive }
              unless { context.approval.granted };
            """;

    private Samples() {}

    public static String schema() {
        try {
            return Files.readString(SHIPPED.resolve("schema.cedarschema"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A set of one file, {@code own.cedar}. */
    public static Snapshot set(String... policies) {
        return set(Map.of("own.cedar", String.join("", policies)));
    }

    public static Snapshot set(Map<String, String> files) {
        List<CedarFile> read = new ArrayList<>();
        List<PolicyText> texts = new ArrayList<>();
        for (Map.Entry<String, String> file : new TreeMap<>(files).entrySet()) {
            read.add(CedarFile.of(file.getKey(), file.getValue()));
            texts.add(new PolicyText(file.getKey(), file.getValue()));
        }
        CedarFile schema = CedarFile.of("schema.cedarschema", schema());
        Compilation compiled = CEDAR.compile(CompileRequest.of(read).withSchema(schema));
        if (!compiled.ok()) {
            throw new IllegalArgumentException(compiled.diagnostics().get(0).render());
        }
        Map<String, Snapshot.Origin> origins = new HashMap<>();
        compiled.policies()
                .forEach(
                        p ->
                                origins.put(
                                        p.id(),
                                        new Snapshot.Origin(
                                                p.name().isEmpty() ? p.id() : p.name(),
                                                p.file(),
                                                p.line(),
                                                p.text())));
        return new Snapshot(
                new PolicySetView(
                        Digests.sha256Hex(new TreeMap<>(files).toString()),
                        1,
                        origins.size(),
                        files.size(),
                        "files",
                        1_000,
                        "local-files"),
                new PolicySetCompiler(PolicySetLimits.STANDARD).compile(compiled.json()),
                origins,
                texts,
                compiled.request(),
                Schema.parse(CEDAR.schemaToJson(schema).text()));
    }

    public static Gate<Cedar> gate() {
        Gate<Cedar> gate = new Gate<>("the native engine", ErrorCode.POLICY_UNAVAILABLE, 0);
        gate.add(CEDAR, Map.of());
        return gate;
    }

    /** May this user start a run in a session? */
    public static String start(String user, String session) {
        return PolicyRequest.of(
                        new AccessRequest(
                                new Principal(
                                        user,
                                        PrincipalKind.USER,
                                        Set.of("integrator"),
                                        Set.of(),
                                        "t1"),
                                "run.start",
                                "session:" + session,
                                user,
                                Map.of()))
                .evidenceJson();
    }

    /** May this user's run call a tool? */
    public static String call(String user, String callId, boolean sensitive, boolean approved) {
        return call(user, callId, "palyra.tool", sensitive, approved, "");
    }

    /** May this user's run call a tool of an agent with a profile? */
    public static String call(
            String user,
            String callId,
            String tool,
            boolean sensitive,
            boolean approved,
            String profile) {
        return call(user, callId, tool, sensitive, approved, profile, CallFacts.none());
    }

    /** The same for a shell. */
    public static String shell(String user, String callId) {
        CallFacts facts =
                new CallFacts(
                        "/bin/sh",
                        "",
                        Set.of("-c", "!interpreter"),
                        2,
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of(),
                        Set.of());
        return call(user, callId, "palyra.tool", false, true, "", facts);
    }

    private static String call(
            String user,
            String callId,
            String tool,
            boolean sensitive,
            boolean approved,
            String profile,
            CallFacts facts) {
        Set<Capability> reach = sensitive ? Set.of(Capability.PROCESS_EXEC) : Set.of();
        return PolicyRequest.of(
                        new ToolPolicyRequest(
                                user,
                                "default",
                                false,
                                callId.substring(0, callId.indexOf('.')),
                                "01J00000000000000000000001",
                                callId,
                                tool,
                                new ToolDescriptor(
                                        tool, "A tool.", "{}", reach, false, false, 1_000, 64),
                                "{}",
                                Set.of(tool),
                                16,
                                16,
                                new CallContext(
                                        "",
                                        "",
                                        Set.of("integrator"),
                                        false,
                                        approved,
                                        approved ? Set.of("user:boss") : Set.of(),
                                        facts),
                                List.of(),
                                profile))
                .evidenceJson();
    }

    /** The set that is shipped. */
    public static Snapshot shipped() {
        Map<String, String> files = new HashMap<>();
        for (String name : List.of("default.cedar", "coding.cedar", "research.cedar")) {
            try {
                files.put(name, Files.readString(SHIPPED.resolve(name)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return set(files);
    }
}
