package palyra.policy.internal.command;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicySetView;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.PolicySetCompiler;
import palyra.policy.internal.cedar.json.Schema;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.decide.AnnotationChecks;
import palyra.policy.internal.set.ImpossiblePolicies;
import palyra.policy.internal.set.Snapshot;
import palyra.shared.hash.Digests;

/** Finds errors in policy texts, and missing annotations. Stateless. */
final class Lint {
    private Lint() {}

    static List<PolicyProblem> check(
            Cedar cedar, List<CedarFile> files, Optional<CedarFile> schema) {
        CompileRequest request = CompileRequest.of(files);
        if (schema.isPresent()) {
            request = request.withSchema(schema.get());
        }
        Compilation compiled = cedar.compile(request);
        String names =
                schema.map(text -> new String(text.bytes(), StandardCharsets.UTF_8)).orElse("");
        List<PolicyProblem> problems =
                new ArrayList<>(ImpossiblePolicies.problems(compiled, names));
        if (schema.isEmpty()) {
            problems.add(
                    ProblemOutput.warning(
                            "", 0, "There is no schema; types and names were not checked.", ""));
        }
        if (compiled.ok()) {
            names(compiled.policies(), problems);
            form(cedar, files, problems);
            schema.ifPresent(text -> annotations(cedar, compiled, text, problems));
        }
        return problems.stream().sorted((a, b) -> Boolean.compare(b.error(), a.error())).toList();
    }

    private static void names(List<CompiledPolicy> policies, List<PolicyProblem> problems) {
        for (CompiledPolicy policy : policies) {
            if (policy.name().isEmpty()) {
                problems.add(
                        ProblemOutput.warning(
                                policy.file(),
                                policy.line(),
                                "The policy has no @id.",
                                "Give it one: answers, plans and records name it so."));
                continue;
            }
            if (policy.annotations().getOrDefault("reason", "").isBlank()) {
                problems.add(
                        ProblemOutput.warning(
                                policy.file(),
                                policy.line(),
                                "The policy '" + policy.name() + "' has no @reason.",
                                "Say in one sentence what it is for."));
            }
        }
    }

    private static void form(Cedar cedar, List<CedarFile> files, List<PolicyProblem> problems) {
        for (CedarFile file : files) {
            Converted usual = cedar.format(file, FormatCommand.WIDTH, FormatCommand.INDENT);
            String text = new String(file.bytes(), StandardCharsets.UTF_8);
            if (usual.ok() && !usual.text().equals(text)) {
                problems.add(
                        ProblemOutput.warning(
                                file.name(),
                                0,
                                "The file is not in the usual form.",
                                "palyra policy format prints it so."));
            }
        }
    }

    private static void annotations(
            Cedar cedar, Compilation compiled, CedarFile schema, List<PolicyProblem> problems) {
        Converted json = cedar.schemaToJson(schema);
        try {
            problems.addAll(new AnnotationChecks().check(snapshot(compiled, json.text())));
        } catch (CedarFormatException e) {
            problems.add(
                    new PolicyProblem(
                            true,
                            "",
                            0,
                            0,
                            "The compiled evaluator does not take the set: " + e.getMessage(),
                            "Simplify that policy.",
                            "",
                            ""));
        }
    }

    private static Snapshot snapshot(Compilation compiled, String schemaJson) {
        Map<String, Snapshot.Origin> origins = new HashMap<>();
        compiled.policies()
                .forEach(
                        policy ->
                                origins.put(
                                        policy.id(),
                                        new Snapshot.Origin(
                                                policy.name().isEmpty()
                                                        ? policy.id()
                                                        : policy.name(),
                                                policy.file(),
                                                policy.line(),
                                                policy.text())));
        return new Snapshot(
                new PolicySetView(
                        Digests.sha256Hex(compiled.json()),
                        0,
                        compiled.policies().size(),
                        compiled.request().policies().size(),
                        "",
                        0,
                        ""),
                new PolicySetCompiler(PolicySetLimits.STANDARD).compile(compiled.json()),
                origins,
                List.of(),
                compiled.request(),
                Schema.parse(schemaJson));
    }
}
