package palyra.lib.cedar.internal.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.Diagnostic.Severity;
import palyra.lib.cedar.internal.text.PolicyPiece;
import palyra.lib.cedar.internal.text.Reports;

/** Makes compiled policies of their official JSON. */
final class PolicyReader {
    private final Sources sources;
    private final List<String> json;
    private final List<Diagnostic> found;

    /**
     * @param json one for each piece
     */
    PolicyReader(Sources sources, List<String> json, List<Diagnostic> found) {
        this.sources = sources;
        this.json = json;
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
        Map<String, String> annotations = new LinkedHashMap<>();
        if (NativeCalls.parsed(json.get(number)).get("annotations") instanceof Map<?, ?> given) {
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
                json.get(number));
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
}
