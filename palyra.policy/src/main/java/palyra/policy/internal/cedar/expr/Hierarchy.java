package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.EvaluationException;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.Value;

/** Types and ancestors of entities. */
public final class Hierarchy {
    private Hierarchy() {}

    /** {@code in}: the same entity or an ancestor; on the right an entity or a set of entities. */
    public static final class In extends BoolExpr {
        private final Expr left;
        private final Expr right;

        public In(Expr left, Expr right) {
            this.left = left;
            this.right = right;
        }

        @Override
        public boolean test(Env env) {
            Value child = left.eval(env);
            Value above = right.eval(env);
            EntityUid uid = asEntity(child);
            if (above instanceof EntityUid one) {
                return isIn(uid, one, env);
            }
            if (above instanceof SetValue set) {
                return isInAny(uid, set, env);
            }
            throw EvaluationException.type(
                    "one of [set, (entity of type `any_entity_type`)]", above);
        }
    }

    /** {@code is}: the type, with all its namespaces. */
    public static final class Is extends BoolExpr {
        private final Expr operand;
        private final String type;

        public Is(Expr operand, String type) {
            this.operand = operand;
            this.type = type;
        }

        @Override
        public boolean test(Env env) {
            return asEntity(operand.eval(env)).type().equals(type);
        }
    }

    /** True if both are one entity or the second is an ancestor of the first. */
    public static boolean isIn(EntityUid uid, EntityUid above, Env env) {
        if (uid.equals(above)) {
            return true;
        }
        Entity entity = env.entity(uid);
        return entity != null && entity.ancestors().contains(above);
    }

    /** Every element must be an entity, also behind the one that decides. */
    private static boolean isInAny(EntityUid uid, SetValue set, Env env) {
        boolean found = false;
        for (int i = 0; i < set.size(); i++) {
            EntityUid above = Expr.asEntity(set.element(i));
            found = found || isIn(uid, above, env);
        }
        return found;
    }
}
