package palyra.policy.internal.set;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import palyra.api.core.policy.PolicyProblem;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Converted;

/**
 * Has a set parsed and validated by the native engine. Remembers which policies were found valid,
 * so that a reload validates what changed. Used by one thread.
 */
final class SetCompiler {
    private static final int LONGEST_ID = 128;

    private final ValidationCache validations = new ValidationCache();

    /**
     * Compiles.
     *
     * @param problems is added to
     * @return empty when there are errors among the problems
     * @throws palyra.lib.cedar.CedarException when the native engine gives no verdict
     */
    Optional<CompiledSet> compile(Cedar cedar, SourceSet source, List<PolicyProblem> problems) {
        if (source.schema().isEmpty()) {
            problems.add(
                    PolicyProblems.error(
                            FileKind.SCHEMA_NAME,
                            "There is no schema, neither a shipped one nor the operator's.",
                            "Put a schema.cedarschema into the policy folder."));
            return Optional.empty();
        }
        checkEncoding(source, problems);
        SortedMap<String, String> effective = DisabledDefaults.apply(cedar, source, problems);
        Compilation compiled = validations.compile(cedar, CompiledSet.request(source, effective));
        problems.addAll(
                ImpossiblePolicies.problems(
                        compiled,
                        new String(source.schema().get().bytes(), StandardCharsets.UTF_8)));
        if (!compiled.ok()) {
            return Optional.empty();
        }
        checkNames(compiled.policies(), problems);
        checkTemplates(compiled.policies(), problems);
        Converted schema = cedar.schemaToJson(source.schema().get());
        if (!schema.ok()) {
            schema.diagnostics().stream().map(PolicyProblems::of).forEach(problems::add);
        }
        return PolicyProblems.anyError(problems)
                ? Optional.empty()
                : Optional.of(
                        new CompiledSet(
                                source,
                                effective,
                                compiled.json(),
                                schema.text(),
                                CompiledSet.origins(compiled.policies()),
                                cedar.status().languageVersion(),
                                List.of()));
    }

    private static void checkEncoding(SourceSet source, List<PolicyProblem> problems) {
        for (CedarFile file : source.cases()) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file.bytes()));
            } catch (CharacterCodingException e) {
                problems.add(
                        PolicyProblems.error(
                                file.name(), "The file is not UTF-8.", "Save it as UTF-8."));
            }
        }
    }

    /** People read an {@code @id} in logs; the engine sees to it that each is taken once. */
    private static void checkNames(List<CompiledPolicy> policies, List<PolicyProblem> problems) {
        for (CompiledPolicy policy : policies) {
            String name = policy.name();
            if (policy.annotations().containsKey("id") && !usable(name)) {
                problems.add(
                        at(
                                policy,
                                "The @id '" + printable(name) + "' cannot be used.",
                                "Use 1 to 128 letters, digits and . _ : / - in it."));
            }
        }
    }

    private static boolean usable(String name) {
        return name.length() <= LONGEST_ID && name.matches("[\\p{L}\\p{N}._:/-]+");
    }

    private static String printable(String name) {
        String text = name.replaceAll("\\p{Cntrl}", "?");
        return text.length() <= LONGEST_ID ? text : text.substring(0, LONGEST_ID) + "…";
    }

    private static void checkTemplates(
            List<CompiledPolicy> policies, List<PolicyProblem> problems) {
        for (CompiledPolicy policy : policies) {
            if (policy.template()) {
                problems.add(
                        at(
                                policy,
                                "The policy has a slot, and nothing fills slots here: it would"
                                        + " never count.",
                                "Name a principal or resource instead of ?principal or"
                                        + " ?resource."));
            }
        }
    }

    private static PolicyProblem at(CompiledPolicy policy, String message, String help) {
        String line = policy.text().lines().findFirst().orElse("");
        return new PolicyProblem(
                true,
                policy.file(),
                policy.line(),
                policy.column(),
                message,
                help,
                line,
                "^".repeat(Math.max(1, Math.min(line.length(), 80))));
    }
}
