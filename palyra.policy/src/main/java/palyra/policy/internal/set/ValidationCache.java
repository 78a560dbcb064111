package palyra.policy.internal.set;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.PolicySetLimits;
import palyra.shared.hash.Digests;

/**
 * Validates policies once. Cedar's validator looks at each policy by itself and at the schema, and
 * at nothing else, so one that was valid stays so as long as neither changes. Errors are found by
 * validating the whole set, as if nothing were remembered. Used by one thread.
 */
final class ValidationCache {
    private static final String CHANGED = "changed.cedar";

    /** Two sets of the largest size: the one in force and one that is being worked on. */
    private static final int MOST = 2 * PolicySetLimits.STANDARD.policies();

    private final Set<String> valid = new HashSet<>();

    /**
     * Compiles with validation.
     *
     * @param request has a schema and no links
     * @throws palyra.lib.cedar.CedarException when the native engine gives no verdict
     */
    Compilation compile(Cedar cedar, CompileRequest request) {
        if (valid.isEmpty()) {
            return compileWithValidation(cedar, request);
        }
        Compilation parsed = cedar.compile(request.withoutValidation());
        if (!parsed.ok()) {
            return compileWithValidation(cedar, request);
        }
        String schema = schema(request);
        List<CompiledPolicy> unknown =
                parsed.policies().stream()
                        .filter(policy -> !valid.contains(key(schema, policy)))
                        .toList();
        if (!unknown.isEmpty() && !clean(cedar, request, unknown)) {
            return compileWithValidation(cedar, request);
        }
        remember(schema, parsed.policies());
        return parsed;
    }

    private static boolean clean(
            Cedar cedar, CompileRequest request, List<CompiledPolicy> unknown) {
        String text = unknown.stream().map(CompiledPolicy::text).collect(Collectors.joining("\n"));
        return cedar.compile(
                        CompileRequest.of(List.of(CedarFile.of(CHANGED, text)))
                                .withSchema(request.schema().orElseThrow()))
                .diagnostics()
                .isEmpty();
    }

    private Compilation compileWithValidation(Cedar cedar, CompileRequest request) {
        Compilation compiled = cedar.compile(request);
        if (compiled.ok()) {
            Set<String> warned = new HashSet<>();
            compiled.diagnostics().stream().map(Diagnostic::policyId).forEach(warned::add);
            List<CompiledPolicy> clean = new ArrayList<>(compiled.policies());
            clean.removeIf(policy -> warned.contains(policy.id()));
            remember(schema(request), clean);
        }
        return compiled;
    }

    private void remember(String schema, List<CompiledPolicy> policies) {
        if (valid.size() + policies.size() > MOST) {
            valid.clear();
        }
        policies.forEach(policy -> valid.add(key(schema, policy)));
    }

    private static String schema(CompileRequest request) {
        return Digests.sha256Hex(
                request.schema()
                        .map(CedarFile::bytes)
                        .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
                        .orElseThrow());
    }

    private static String key(String schema, CompiledPolicy policy) {
        return Digests.sha256Hex(schema + policy.text());
    }
}
