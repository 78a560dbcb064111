package palyra.policy.internal.decide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicySetView;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.PolicySetLimits;
import palyra.lib.cedar.internal.engine.CedarEngine;
import palyra.lib.cedar.internal.engine.Settings;
import palyra.policy.internal.cedar.PolicySetCompiler;
import palyra.policy.internal.cedar.json.Schema;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.gate.Gate;

/** Policy sets for tests, compiled by the native engine of this process. */
final class Sets {
    static final Path SHIPPED = Path.of("..", "palyra.dist", "src", "main", "dist", "policies");

    static final CedarEngine CEDAR =
            new CedarEngine(new Settings(PolicySetLimits.STANDARD, 60_000, 100), 64);

    private static long epoch;

    private Sets() {}

    /** Returns the set that is shipped. */
    static Snapshot shipped() {
        return of(shippedFiles());
    }

    /** Returns a set of these policies by the shipped schema. */
    static Snapshot of(String policies) {
        return of(Map.of("own.cedar", policies));
    }

    /** Returns the shipped set with these policies. */
    static Snapshot shippedWith(String policies) {
        Map<String, String> files = new HashMap<>(shippedFiles());
        files.put("own.cedar", policies);
        return of(files);
    }

    private static Map<String, String> shippedFiles() {
        Map<String, String> files = new HashMap<>();
        for (String name : List.of("default.cedar", "coding.cedar", "research.cedar")) {
            files.put(name, read(name));
        }
        return files;
    }

    static Snapshot of(Map<String, String> files) {
        Compilation compiled = CEDAR.compile(request(files));
        if (!compiled.diagnostics().isEmpty()) {
            throw new IllegalArgumentException(
                    String.join(
                            "\n", compiled.diagnostics().stream().map(d -> d.render()).toList()));
        }
        return snapshot(compiled, files);
    }

    private static CompileRequest request(Map<String, String> files) {
        return CompileRequest.of(
                        files.entrySet().stream()
                                .map(file -> CedarFile.of(file.getKey(), file.getValue()))
                                .toList())
                .withSchema(CedarFile.of("schema.cedarschema", read("schema.cedarschema")));
    }

    private static synchronized Snapshot snapshot(Compilation compiled, Map<String, String> files) {
        Map<String, Snapshot.Origin> origins = new HashMap<>();
        for (CompiledPolicy policy : compiled.policies()) {
            origins.put(
                    policy.id(),
                    new Snapshot.Origin(
                            policy.name().isEmpty() ? policy.id() : policy.name(),
                            policy.file(),
                            policy.line(),
                            policy.text()));
        }
        epoch++;
        return new Snapshot(
                new PolicySetView(
                        "%064x".formatted(epoch),
                        epoch,
                        origins.size(),
                        files.size(),
                        "files",
                        1,
                        "x"),
                new PolicySetCompiler(PolicySetLimits.STANDARD).compile(compiled.json()),
                origins,
                files.entrySet().stream()
                        .map(file -> new PolicyText(file.getKey(), file.getValue()))
                        .toList(),
                compiled.request(),
                Schema.parse(CEDAR.schemaToJson(compiled.request().schema().orElseThrow()).text()));
    }

    /** Returns a gate at which the engine is. */
    static Gate<Cedar> gate() {
        Gate<Cedar> gate = emptyGate();
        gate.add(CEDAR, Map.of());
        return gate;
    }

    static Gate<Cedar> emptyGate() {
        return new Gate<>("the native Cedar engine", palyra.api.ErrorCode.POLICY_UNAVAILABLE, 0);
    }

    static String read(String name) {
        try {
            return Files.readString(SHIPPED.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<PolicyText> cases(String json) {
        return List.of(new PolicyText("test.cases.json", json));
    }
}
