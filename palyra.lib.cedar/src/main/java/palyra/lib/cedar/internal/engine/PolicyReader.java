package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;
import palyra.lib.cedar.internal.json.JsonWriter;
import palyra.lib.cedar.internal.text.PolicyPiece;
import palyra.lib.cedar.internal.text.Reports;

/** Makes compiled policies of the official JSON of a whole set. */
final class PolicyReader {
    private final Sources sources;
    private final Map<String, Object> policies;
    private final Map<String, Object> templates;
    private final List<Diagnostic> found;

    PolicyReader(Sources sources, Map<String, Object> json, List<Diagnostic> found) {
        this.sources = sources;
        this.policies = NativeCalls.map(json.get("staticPolicies"));
        this.templates = NativeCalls.map(json.get("templates"));
        this.found = found;
    }

    /** Returns the policies and fills in the templates, by id and by {@code @id}. */
    List<CompiledPolicy> read(Map<String, Integer> templateNumbers) {
        List<CompiledPolicy> read = new ArrayList<>();
        Map<String, PolicyPiece> names = new HashMap<>();
        sources.pieces().forEach(piece -> names.put(piece.id(), piece));
        for (int i = 0; i < sources.pieces().size(); i++) {
            PolicyPiece piece = sources.pieces().get(i);
            CompiledPolicy policy = policy(i, piece);
            read.add(policy);
            if (!policy.name().isEmpty()) {
                checkName(policy, piece, names.putIfAbsent(policy.name(), piece));
            }
            if (piece.isTemplate()) {
                templateNumbers.put(policy.id(), i);
                templateNumbers.putIfAbsent(
                        policy.name().isEmpty() ? policy.id() : policy.name(), i);
            }
        }
        return read;
    }

    private CompiledPolicy policy(int number, PolicyPiece piece) {
        Map<String, Object> json =
                NativeCalls.map((piece.isTemplate() ? templates : policies).get("p" + number));
        Map<String, String> annotations = new LinkedHashMap<>();
        if (json.get("annotations") instanceof Map<?, ?> given) {
            given.forEach(
                    (key, value) -> annotations.put((String) key, NativeCalls.textOrEmpty(value)));
        }
        return new CompiledPolicy(
                piece.id(),
                annotations.getOrDefault("id", ""),
                piece.isTemplate(),
                piece.source().file(),
                piece.source().line(piece.start()),
                piece.source().column(piece.start()),
                piece.text(),
                annotations,
                JsonWriter.write(json));
    }

    private void checkName(CompiledPolicy policy, PolicyPiece piece, PolicyPiece other) {
        if (other != null && !other.id().equals(piece.id())) {
            found.add(
                    Reports.at(
                            Severity.ERROR,
                            piece.source(),
                            piece.start(),
                            piece.start() + 1,
                            "the id "
                                    + policy.name()
                                    + " is taken by the policy at "
                                    + PolicyCompiler.describe(other),
                            "give each policy its own @id",
                            policy.id()));
        }
    }

    /** Returns the set with the ids that people know. */
    static Map<String, Object> renamed(Sources sources, Map<String, Object> json) {
        Map<String, Object> renamed = new LinkedHashMap<>();
        renamed.put("staticPolicies", byId(sources, json, false));
        renamed.put("templates", byId(sources, json, true));
        List<Object> links = new ArrayList<>();
        for (Object each : NativeCalls.list(json.get("templateLinks"))) {
            Map<String, Object> link = new LinkedHashMap<>(NativeCalls.map(each));
            int template = Sources.number(NativeCalls.text(link.get("templateId")));
            int number = Sources.number(NativeCalls.text(link.get("newId")));
            link.put("templateId", sources.pieces().get(template).id());
            link.put("newId", sources.request().links().get(number).id());
            links.add(link);
        }
        renamed.put("templateLinks", links);
        return renamed;
    }

    private static Map<String, Object> byId(
            Sources sources, Map<String, Object> json, boolean templates) {
        Map<String, Object> from =
                NativeCalls.map(json.get(templates ? "templates" : "staticPolicies"));
        Map<String, Object> named = new LinkedHashMap<>();
        for (int i = 0; i < sources.pieces().size(); i++) {
            PolicyPiece piece = sources.pieces().get(i);
            if (piece.isTemplate() == templates) {
                named.put(piece.id(), NativeCalls.map(from.get("p" + i)));
            }
        }
        return named;
    }
}
