package palyra.policy.internal.cedar;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.expr.Env;
import palyra.policy.internal.cedar.value.EntityUid;

/**
 * Finds the policies whose scope may fit without looking at all. Each policy is kept under the
 * first of these that its scope has: the principal it names, the resource it names, the actions it
 * names, the type of the principal, the type of the resource. Nothing is lost: a scope that names
 * an entity with {@code ==} or {@code in} fits only if the request's entity is that one or has it
 * among its ancestors, and those are the keys that are looked up. A policy with several actions may
 * be found more than once.
 */
final class PolicyIndex {
    private final Map<EntityUid, Policy[]> byPrincipal;
    private final Map<EntityUid, Policy[]> byResource;
    private final Map<EntityUid, Policy[]> byAction;
    private final Map<String, Policy[]> byPrincipalType;
    private final Map<String, Policy[]> byResourceType;
    private final Policy[] rest;

    private PolicyIndex(Draft draft) {
        byPrincipal = frozen(draft.byPrincipal);
        byResource = frozen(draft.byResource);
        byAction = frozen(draft.byAction);
        byPrincipalType = frozen(draft.byPrincipalType);
        byResourceType = frozen(draft.byResourceType);
        rest = draft.rest.toArray(new Policy[0]);
    }

    static PolicyIndex of(List<Policy> policies) {
        Draft draft = new Draft();
        policies.forEach(draft::add);
        return new PolicyIndex(draft);
    }

    /** Evaluates every policy that may fit. */
    void run(Env env, DecisionCollector tally) {
        visit(byPrincipal, env.principal(), env, tally);
        visit(byResource, env.resource(), env, tally);
        visit(byAction, env.action(), env, tally);
        visit(byPrincipalType, env.principal().type(), env, tally);
        visit(byResourceType, env.resource().type(), env, tally);
        tally.addAll(rest, env);
    }

    private static void visit(
            Map<EntityUid, Policy[]> index, EntityUid uid, Env env, DecisionCollector tally) {
        if (index.isEmpty()) {
            return;
        }
        tally.addAll(index.get(uid), env);
        Entity entity = env.entity(uid);
        if (entity != null) {
            for (EntityUid ancestor : entity.ancestors()) {
                tally.addAll(index.get(ancestor), env);
            }
        }
    }

    private static void visit(
            Map<String, Policy[]> index, String type, Env env, DecisionCollector tally) {
        if (!index.isEmpty()) {
            tally.addAll(index.get(type), env);
        }
    }

    private static <K> Map<K, Policy[]> frozen(Map<K, List<Policy>> lists) {
        Map<K, Policy[]> arrays = HashMap.newHashMap(lists.size());
        lists.forEach((key, list) -> arrays.put(key, list.toArray(new Policy[0])));
        return arrays;
    }

    /** The index while it is built. */
    private static final class Draft {
        final Map<EntityUid, List<Policy>> byPrincipal = new LinkedHashMap<>();
        final Map<EntityUid, List<Policy>> byResource = new LinkedHashMap<>();
        final Map<EntityUid, List<Policy>> byAction = new LinkedHashMap<>();
        final Map<String, List<Policy>> byPrincipalType = new LinkedHashMap<>();
        final Map<String, List<Policy>> byResourceType = new LinkedHashMap<>();
        final List<Policy> rest = new ArrayList<>();

        void add(Policy policy) {
            Scope scope = policy.scope();
            if (named(scope.principal())) {
                put(byPrincipal, scope.principal().uids(), policy);
            } else if (named(scope.resource())) {
                put(byResource, scope.resource().uids(), policy);
            } else if (named(scope.action())) {
                put(byAction, scope.action().uids(), policy);
            } else if (scope.principal().kind() == ScopeTest.Kind.IS) {
                put(byPrincipalType, List.of(scope.principal().type()), policy);
            } else if (scope.resource().kind() == ScopeTest.Kind.IS) {
                put(byResourceType, List.of(scope.resource().type()), policy);
            } else {
                rest.add(policy);
            }
        }

        /** True if the scope names entities, so that it can be looked up by them. */
        private static boolean named(ScopeTest test) {
            return switch (test.kind()) {
                case EQUAL, IN, IS_IN -> true;
                case ANY, IS -> false;
            };
        }

        private static <K> void put(Map<K, List<Policy>> map, List<K> keys, Policy policy) {
            for (K key : keys) {
                map.computeIfAbsent(key, k -> new ArrayList<>()).add(policy);
            }
        }
    }
}
