package palyra.policy.internal.cedar;

import java.util.ArrayList;
import java.util.List;
import palyra.policy.internal.cedar.expr.Env;

/** Whom, what and on what a policy is about. */
record Scope(ScopeTest principal, ScopeTest action, ScopeTest resource) {

    boolean test(Env env) {
        return action.test(env.action(), env)
                && principal.test(env.principal(), env)
                && resource.test(env.resource(), env);
    }

    /** The names of the parts that do not fit. */
    List<String> misses(Env env) {
        List<String> misses = new ArrayList<>();
        if (!principal.test(env.principal(), env)) {
            misses.add("principal");
        }
        if (!action.test(env.action(), env)) {
            misses.add("action");
        }
        if (!resource.test(env.resource(), env)) {
            misses.add("resource");
        }
        return misses;
    }
}
