package palyra.policy.internal.cedar.expr;

import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.CedarText;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.EvaluationException;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.Value;

/** What a record or an entity carries under a name. */
public final class Attributes {
    private static final String EXPECTED = "one of [record, (entity of type `any_entity_type`)]";

    private Attributes() {}

    /** {@code .}: an entity or an attribute that is not there is an error. */
    public static final class Get extends Expr {
        private final Expr owner;
        private final String name;

        public Get(Expr owner, String name) {
            this.owner = owner;
            this.name = name;
        }

        @Override
        public Value eval(Env env) {
            Value value = owner.eval(env);
            if (value instanceof RecordValue map) {
                Value field = map.get(name);
                if (field == null) {
                    throw new EvaluationException(
                            "record does not have the attribute `" + written(name) + "`");
                }
                return field;
            }
            if (value instanceof EntityUid uid) {
                Value field = existing(uid, env).attributes().get(name);
                if (field == null) {
                    throw absent(uid, "attribute", name);
                }
                return field;
            }
            throw EvaluationException.type(EXPECTED, value);
        }
    }

    /** {@code has}: false for an entity that is not there. */
    public static final class Has extends BoolExpr {
        private final Expr owner;
        private final String name;

        public Has(Expr owner, String name) {
            this.owner = owner;
            this.name = name;
        }

        @Override
        public boolean test(Env env) {
            Value value = owner.eval(env);
            if (value instanceof RecordValue map) {
                return map.has(name);
            }
            if (value instanceof EntityUid uid) {
                Entity entity = env.entity(uid);
                return entity != null && entity.attributes().has(name);
            }
            throw EvaluationException.type(EXPECTED, value);
        }
    }

    /** {@code getTag}: an entity or a tag that is not there is an error. */
    public static final class GetTag extends Expr {
        private final Expr owner;
        private final Expr tag;

        public GetTag(Expr owner, Expr tag) {
            this.owner = owner;
            this.tag = tag;
        }

        @Override
        public Value eval(Env env) {
            Value value = owner.eval(env);
            Value key = tag.eval(env);
            EntityUid uid = asEntity(value);
            String name = asString(key);
            Value found = existing(uid, env).tags().get(name);
            if (found == null) {
                throw absent(uid, "tag", name);
            }
            return found;
        }
    }

    /** {@code hasTag}: false for an entity that is not there. */
    public static final class HasTag extends BoolExpr {
        private final Expr owner;
        private final Expr tag;

        public HasTag(Expr owner, Expr tag) {
            this.owner = owner;
            this.tag = tag;
        }

        @Override
        public boolean test(Env env) {
            Value value = owner.eval(env);
            Value key = tag.eval(env);
            EntityUid uid = asEntity(value);
            String name = asString(key);
            Entity entity = env.entity(uid);
            return entity != null && entity.tags().has(name);
        }
    }

    private static Entity existing(EntityUid uid, Env env) {
        Entity entity = env.entity(uid);
        if (entity == null) {
            throw new EvaluationException("entity `" + uid + "` does not exist");
        }
        return entity;
    }

    private static EvaluationException absent(EntityUid uid, String kind, String name) {
        return new EvaluationException(
                "`" + uid + "` does not have the " + kind + " `" + written(name) + "`");
    }

    private static String written(String name) {
        return CedarText.isIdentifier(name) ? name : CedarText.quote(name);
    }
}
