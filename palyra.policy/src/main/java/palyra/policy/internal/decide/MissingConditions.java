package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import palyra.policy.internal.cedar.Explanation;
import palyra.policy.internal.set.Snapshot;
import palyra.policy.internal.set.Snapshot.Origin;

/** What would have to be true for a permit to be satisfied. */
final class MissingConditions {
    private static final int MOST = 16;

    private MissingConditions() {}

    /**
     * Returns conditions in Cedar's syntax of the permits that are about this action, at most 16;
     * empty when a permit is satisfied.
     */
    static List<String> conditions(Snapshot snapshot, PolicyRequest request) {
        Set<String> conditions = new LinkedHashSet<>();
        Iterator<Explanation.Entry> permits =
                snapshot.evaluator().permits(request.cedarRequest(snapshot)).iterator();
        while (permits.hasNext()) {
            Explanation.Entry entry = permits.next();
            switch (entry.outcome()) {
                case SATISFIED -> {
                    return List.of();
                }
                case CONDITION_FALSE -> conditions.addAll(entry.details());
                case SCOPE_MISS -> conditions.addAll(scope(snapshot, entry));
                case ERROR -> {}
            }
        }
        return new ArrayList<>(conditions).subList(0, Math.min(MOST, conditions.size()));
    }

    private static List<String> scope(Snapshot snapshot, Explanation.Entry entry) {
        Origin origin = snapshot.origins().get(entry.policy().id());
        if (origin == null) {
            return List.of();
        }
        return entry.details().stream()
                .map(part -> constraint(origin.text(), part))
                .filter(text -> !text.isEmpty())
                .toList();
    }

    /** Returns the part of a policy's head that begins with {@code name}, up to its comma. */
    static String constraint(String policy, String name) {
        boolean quoted = false;
        int depth = 0;
        int start = -1;
        for (int i = 0; i < policy.length(); i++) {
            char c = policy.charAt(i);
            if (quoted) {
                i += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '/' && policy.startsWith("//", i)) {
                int end = policy.indexOf('\n', i);
                i = end < 0 ? policy.length() : end;
            } else if (start < 0 && depth > 0 && policy.startsWith(name, i)) {
                start = i;
            } else if (start >= 0 && (c == ',' && depth == 1 || c == ')' && depth == 1)) {
                return policy.substring(start, i).strip().replaceAll("\\s+", " ");
            }
            if (!quoted) {
                depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
            }
        }
        return "";
    }
}
