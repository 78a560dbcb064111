package palyra.policy.internal.cedar;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compiled policies, ready to be evaluated. Immutable. */
public final class PolicySet {
    private final List<Policy> policies;
    private final Map<String, Policy> byId;
    private final PolicyIndex index;

    /** The policies in the order of their {@link Policy#order}. */
    PolicySet(List<Policy> policies) {
        this.policies = List.copyOf(policies);
        this.index = PolicyIndex.of(this.policies);
        this.byId = HashMap.newHashMap(policies.size());
        for (Policy policy : this.policies) {
            byId.put(policy.id(), policy);
        }
    }

    /** Static policies and links, in the order of the source. Templates are not among them. */
    public List<Policy> policies() {
        return policies;
    }

    public Optional<Policy> policy(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    PolicyIndex index() {
        return index;
    }
}
