package palyra.policy.internal.cedar;

import java.util.List;
import palyra.policy.internal.cedar.expr.Env;
import palyra.policy.internal.cedar.expr.Hierarchy;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * One of the three parts of a policy's scope. Never an error.
 *
 * @param kind kind of the test
 * @param uids entities to compare with; empty for {@code ANY} and {@code IS}
 * @param type the entity type of {@code IS} and {@code IS_IN}, else empty
 */
record ScopeTest(Kind kind, List<EntityUid> uids, String type) {
    enum Kind {
        ANY,
        EQUAL,
        IN,
        IS,
        IS_IN
    }

    static final ScopeTest ANY = new ScopeTest(Kind.ANY, List.of(), "");

    ScopeTest {
        uids = List.copyOf(uids);
    }

    boolean test(EntityUid uid, Env env) {
        return switch (kind) {
            case ANY -> true;
            case EQUAL -> uid.equals(uids.get(0));
            case IN -> isInAny(uid, env);
            case IS -> uid.type().equals(type);
            case IS_IN -> uid.type().equals(type) && isInAny(uid, env);
        };
    }

    private boolean isInAny(EntityUid uid, Env env) {
        for (int i = 0; i < uids.size(); i++) {
            if (Hierarchy.isIn(uid, uids.get(i), env)) {
                return true;
            }
        }
        return false;
    }
}
