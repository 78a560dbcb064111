package palyra.policy.internal.decide;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.policy.internal.cedar.Request;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.value.BoolValue;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.SetValue;
import palyra.policy.internal.cedar.value.Value;
import palyra.policy.internal.set.Snapshot;

/**
 * A policy request as policies see it: four parts and the few entities they speak of. Immutable. It
 * holds facts only: no input of a tool, no secret.
 */
public final class PolicyRequest {
    private static final EntityUid SENSITIVE = EntityUid.of("Action", "sensitive");

    private final EntityUid principal;
    private final EntityUid action;
    private final EntityUid resource;
    private final RecordValue context;
    private final List<Entity> slice;

    PolicyRequest(
            EntityUid principal,
            EntityUid action,
            EntityUid resource,
            RecordValue context,
            List<Entity> slice) {
        this.principal = Objects.requireNonNull(principal, "principal");
        this.action = Objects.requireNonNull(action, "action");
        this.resource = Objects.requireNonNull(resource, "resource");
        this.context = Objects.requireNonNull(context, "context");
        this.slice = List.copyOf(slice);
    }

    /** Returns the policy request about an action. */
    public static PolicyRequest of(AccessRequest request) {
        return ActionRequestMapper.map(request);
    }

    /** Returns the policy request about a call; its descriptor must be there. */
    public static PolicyRequest of(ToolPolicyRequest call) {
        return ToolCallMapper.map(call);
    }

    /**
     * Reads a policy request from its evidence.
     *
     * @throws palyra.api.PalyraException INVALID_ARGUMENT when it is not one
     */
    public static PolicyRequest parse(String evidenceJson) {
        return Evidence.read(evidenceJson);
    }

    /** Returns the evidence: canonical JSON that {@link #parse} reads and the tape keeps. */
    public String evidenceJson() {
        return Evidence.write(this);
    }

    /** Returns what the native engine reads: the same in its own form. */
    String nativeJson() {
        return Evidence.nativeRequest(this);
    }

    /** Whether it is about a tool call, which people may approve. */
    public boolean isToolCall() {
        return action.equals(ToolCallMapper.ACTION);
    }

    /** Returns the agent of a call; empty when it is about an action. */
    Optional<String> agentId() {
        return slice.stream()
                .map(Entity::uid)
                .filter(uid -> isToolCall() && uid.type().equals("Agent"))
                .map(EntityUid::id)
                .findFirst();
    }

    /** Whether an approval is there; never for a policy request about an action. */
    public boolean approved() {
        return isToolCall()
                && context.get(ToolCallMapper.APPROVAL) instanceof RecordValue approval
                && BoolValue.TRUE.equals(approval.get(ToolCallMapper.GRANTED));
    }

    /**
     * Returns the policy request with or without an approval; itself when it is about an action.
     */
    public PolicyRequest withApproval(boolean granted) {
        if (!isToolCall() || approved() == granted) {
            return this;
        }
        Map<String, Value> approval = new HashMap<>();
        approval.put(ToolCallMapper.APPROVED_BY, SetValue.EMPTY);
        if (context.get(ToolCallMapper.APPROVAL) instanceof RecordValue before) {
            before.names().forEach(name -> approval.put(name, before.get(name)));
        }
        approval.put(ToolCallMapper.GRANTED, BoolValue.of(granted));
        Map<String, Value> changed = new HashMap<>();
        context.names().forEach(name -> changed.put(name, context.get(name)));
        changed.put(ToolCallMapper.APPROVAL, RecordValue.of(approval));
        return new PolicyRequest(principal, action, resource, RecordValue.of(changed), slice);
    }

    /**
     * Returns the policy request as it would be if an agent had another profile; itself when it is
     * about no call of that agent.
     *
     * @param profile its name; empty for none
     */
    public PolicyRequest withProfile(String agentId, String profile) {
        EntityUid agent = EntityUid.of("Agent", agentId);
        if (!isToolCall()) {
            return this;
        }
        return slice.stream()
                .filter(entity -> entity.uid().equals(agent))
                .findFirst()
                .map(entity -> with(EntityAttributes.withProfile(entity, profile)))
                .orElse(this);
    }

    /** Returns the policy request with another entity in place of the one of that name. */
    PolicyRequest with(Entity changed) {
        return new PolicyRequest(
                principal,
                action,
                resource,
                context,
                slice.stream()
                        .map(each -> each.uid().equals(changed.uid()) ? changed : each)
                        .toList());
    }

    /** Whether an allow also needs the native engine's word by that set. */
    boolean sensitive(Snapshot snapshot) {
        if (isToolCall()) {
            // A tool counts as sensitive unless it is known to be harmless.
            return slice.stream()
                    .filter(entity -> entity.uid().equals(resource))
                    .noneMatch(
                            tool ->
                                    BoolValue.FALSE.equals(
                                            tool.attributes().get(EntityAttributes.SENSITIVE)));
        }
        Entity known = snapshot.actions().find(action);
        return known != null && known.ancestors().contains(SENSITIVE);
    }

    /** Returns the principal. */
    public EntityUid principal() {
        return principal;
    }

    /** Returns the action. */
    public EntityUid action() {
        return action;
    }

    /** Returns the resource. */
    public EntityUid resource() {
        return resource;
    }

    /** Returns the facts. */
    public RecordValue context() {
        return context;
    }

    /** Returns the entities that the policy request speaks of, without actions. */
    public List<Entity> slice() {
        return slice;
    }

    /** Returns what the evaluator decides; action groups are not known in it. */
    public Request cedarRequest() {
        return cedarRequest(Entities.EMPTY);
    }

    /** Returns what the evaluator decides by that set. */
    public Request cedarRequest(Snapshot snapshot) {
        return cedarRequest(snapshot.actions());
    }

    private Request cedarRequest(Entities base) {
        return new Request(principal, action, resource, context, base.with(slice));
    }

    @Override
    public String toString() {
        return principal + " " + action + " " + resource;
    }
}
