package palyra.policy.internal.set;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicySetView;
import palyra.lib.cedar.CompileRequest;
import palyra.policy.internal.cedar.Evaluator;
import palyra.policy.internal.cedar.Policy;
import palyra.policy.internal.cedar.PolicySet;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.json.Schema;

/**
 * A policy set that passed every check, with all that a decision needs. Immutable; replaced by one
 * reference, never changed.
 *
 * @param view which set it is
 * @param policies its compiled policies
 * @param evaluator decides by them
 * @param origins place of each policy in the files, by {@link Policy#id}
 * @param files texts of its files, in the order in which they were read
 * @param source what the native engine compiles for a second opinion
 * @param schema the schema, which says what actions there are
 * @param actions the schema's actions with their groups: every request is laid over them
 */
public record Snapshot(
        PolicySetView view,
        PolicySet policies,
        Evaluator evaluator,
        Map<String, Origin> origins,
        List<PolicyText> files,
        CompileRequest source,
        Schema schema,
        Entities actions) {
    /**
     * The place of a policy.
     *
     * @param name its {@code @id}, else {@code file#n}; for messages
     * @param file file name
     * @param line line of its first character, from 1
     * @param text its source text
     */
    public record Origin(String name, String file, int line, String text) {}

    /** Checks and copies. */
    public Snapshot {
        Objects.requireNonNull(view, "view");
        Objects.requireNonNull(policies, "policies");
        Objects.requireNonNull(evaluator, "evaluator");
        origins = Map.copyOf(origins);
        files = List.copyOf(files);
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(schema, "schema");
        Objects.requireNonNull(actions, "actions");
    }

    /** Creates a snapshot with the actions of its schema. */
    public Snapshot(
            PolicySetView view,
            PolicySet policies,
            Map<String, Origin> origins,
            List<PolicyText> files,
            CompileRequest source,
            Schema schema) {
        this(
                view,
                policies,
                new Evaluator(policies),
                origins,
                files,
                source,
                schema,
                Entities.of(schema.actionEntities()));
    }

    /** Returns the name for messages in place of {@code file#n}. */
    public String name(Policy policy) {
        return Optional.ofNullable(origins.get(policy.id())).map(Origin::name).orElse(policy.id());
    }
}
