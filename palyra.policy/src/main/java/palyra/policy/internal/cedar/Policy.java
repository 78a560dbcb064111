package palyra.policy.internal.cedar;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import palyra.policy.internal.cedar.expr.Env;

/** A compiled policy: static, or a template with its slots filled. */
public final class Policy {
    private final int order;
    private final String id;
    private final String templateId;
    private final Effect effect;
    private final Map<String, String> annotations;
    private final Scope scope;
    private final Conjunct[] conjuncts;

    /**
     * @param templateId null for a static policy
     */
    Policy(
            int order,
            String id,
            String templateId,
            Effect effect,
            Map<String, String> annotations,
            Scope scope,
            List<Conjunct> conjuncts) {
        this.order = order;
        this.id = Objects.requireNonNull(id, "id");
        this.templateId = templateId;
        this.effect = Objects.requireNonNull(effect, "effect");
        this.annotations = Map.copyOf(annotations);
        this.scope = Objects.requireNonNull(scope, "scope");
        this.conjuncts = conjuncts.toArray(new Conjunct[0]);
    }

    public String id() {
        return id;
    }

    public Effect effect() {
        return effect;
    }

    /** Annotations by name; one without a value has the empty text. */
    public Map<String, String> annotations() {
        return annotations;
    }

    /** The template a linked policy was made from. */
    public Optional<String> templateId() {
        return Optional.ofNullable(templateId);
    }

    /** The place in its set, from 0. */
    int order() {
        return order;
    }

    Scope scope() {
        return scope;
    }

    List<Conjunct> conjuncts() {
        return List.of(conjuncts);
    }

    /**
     * @throws palyra.policy.internal.cedar.value.EvaluationException if a condition fails
     */
    boolean satisfied(Env env) {
        if (!scope.test(env)) {
            return false;
        }
        for (Conjunct conjunct : conjuncts) {
            if (!conjunct.holds(env)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return id;
    }
}
