package palyra.policy.internal.set;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicyProblem;
import palyra.api.core.policy.PolicySetView;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.PolicySet;
import palyra.policy.internal.cedar.PolicySetCompiler;
import palyra.policy.internal.cedar.json.Schema;

/**
 * A set that the native engine compiled, in the form that is kept on disk: the compiled evaluator
 * needs nothing else. Immutable.
 *
 * @param source the files
 * @param effective texts of those files that differ from what was read, because shipped policies in
 *     them are switched off; by name
 * @param policiesJson policies in Cedar's official JSON form
 * @param schemaJson the schema in its JSON form
 * @param origins where the policies stand, by id
 * @param language version of the Cedar language that it was compiled with
 * @param warnings found when it was checked
 */
record CompiledSet(
        SourceSet source,
        SortedMap<String, String> effective,
        String policiesJson,
        String schemaJson,
        Map<String, Snapshot.Origin> origins,
        String language,
        List<PolicyProblem> warnings) {
    CompiledSet {
        Objects.requireNonNull(source, "source");
        effective = new TreeMap<>(effective);
        Objects.requireNonNull(policiesJson, "policies");
        Objects.requireNonNull(schemaJson, "schema");
        origins = Map.copyOf(origins);
        Objects.requireNonNull(language, "language");
        warnings = List.copyOf(warnings);
    }

    /** Returns the same set with the warnings among these problems that last. */
    CompiledSet warned(List<PolicyProblem> problems) {
        return new CompiledSet(
                source,
                effective,
                policiesJson,
                schemaJson,
                origins,
                language,
                PolicyProblems.lasting(problems));
    }

    String sha256() {
        return source.sha256();
    }

    /** Returns what the native engine compiles. */
    static CompileRequest request(SourceSet source, Map<String, String> effective) {
        List<CedarFile> files = new ArrayList<>();
        for (CedarFile file : source.policies()) {
            String text = effective.get(file.name());
            files.add(text == null ? file : CedarFile.of(file.name(), text));
        }
        return CompileRequest.of(files).withSchema(source.schema().orElseThrow());
    }

    /**
     * Makes it ready to decide.
     *
     * @throws palyra.policy.internal.cedar.value.CedarFormatException when the evaluator does not
     *     take it
     */
    Snapshot snapshot(Activation stamp) {
        PolicySet policies = new PolicySetCompiler(PolicySetLimits.STANDARD).compile(policiesJson);
        return new Snapshot(
                new PolicySetView(
                        sha256(),
                        stamp.epoch(),
                        policies.policies().size(),
                        source.files().size(),
                        stamp.origin(),
                        stamp.millis(),
                        stamp.who()),
                policies,
                origins,
                texts(),
                request(source, effective),
                Schema.parse(schemaJson));
    }

    /** Returns the texts of the files, as they are in force. */
    private List<PolicyText> texts() {
        List<PolicyText> texts = new ArrayList<>();
        source.files()
                .forEach(
                        (name, bytes) ->
                                texts.add(
                                        new PolicyText(
                                                name,
                                                effective.getOrDefault(
                                                        name,
                                                        new String(
                                                                bytes, StandardCharsets.UTF_8)))));
        return texts;
    }

    /** Returns a snapshot under another view. */
    static Snapshot with(Snapshot snapshot, PolicySetView view) {
        return new Snapshot(
                view,
                snapshot.policies(),
                snapshot.evaluator(),
                snapshot.origins(),
                snapshot.files(),
                snapshot.source(),
                snapshot.schema(),
                snapshot.actions());
    }

    /** Returns the origins that compiled policies have. */
    static Map<String, Snapshot.Origin> origins(List<palyra.lib.cedar.CompiledPolicy> compiled) {
        Map<String, Snapshot.Origin> origins = new HashMap<>();
        compiled.forEach(
                policy ->
                        origins.put(
                                policy.id(),
                                new Snapshot.Origin(
                                        policy.name().isEmpty() ? policy.id() : policy.name(),
                                        policy.file(),
                                        policy.line(),
                                        policy.text())));
        return origins;
    }
}
