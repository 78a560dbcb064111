package palyra.policy.internal.decide;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.Require;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Spend;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.json.JavaValues;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.Value;

/** Turns a policy request about a tool call into the one that policies read. */
final class ToolCallMapper {
    static final EntityUid ACTION = EntityUid.of("Action", "tool.execute");

    /** In the context: whether people approved. */
    static final String APPROVAL = "approval";

    static final String GRANTED = "granted";
    static final String APPROVED_BY = "by";

    /** In the context: what was spent of the tightest budget. */
    static final String SPEND = "spend";

    private static final String DEVICE_PREFIX = "device:";

    private ToolCallMapper() {}

    static PolicyRequest map(ToolPolicyRequest call) {
        Require.present(call.descriptor(), "descriptor of " + call.toolName());
        CallContext situation = call.situation();
        EntityUid principal = PrincipalEntities.uid(call.principal());
        Entity tool = EntityAttributes.tool(call.descriptor());
        List<Entity> slice = new ArrayList<>();
        slice.add(PrincipalEntities.entity(principal, situation.groups()));
        slice.add(tool);
        Map<String, Object> context = new HashMap<>();
        add(
                "agent",
                EntityAttributes.agent(text(call.agentId()), call.testAgent(), call.agentProfile()),
                context,
                slice);
        add("session", plain("Session", call.sessionId()), context, slice);
        add("run", plain("Run", call.runId()), context, slice);
        channel(situation.channel(), context, slice);
        device(situation.device(), context, slice);
        context.put("allow_sensitive_tools", situation.allowSensitive());
        context.put(APPROVAL, approval(situation.approved(), situation.approvedBy()));
        long left = Math.max(0, call.budgetLeft());
        context.put("budget", Map.of("left", left, "max", (long) call.maxCallsPerRun()));
        context.put("facts", facts(situation.facts()));
        context.put(SPEND, spend(situation.spend()));
        return new PolicyRequest(principal, ACTION, tool.uid(), JavaValues.record(context), slice);
    }

    private static Map<String, Object> approval(boolean granted, Set<String> by) {
        return Map.of(GRANTED, granted, APPROVED_BY, by);
    }

    /**
     * Returns a recorded context with what policies are promised: calls that were decided before
     * there were budgets say nothing of what was spent, which is nothing.
     */
    static RecordValue withSpend(RecordValue context) {
        if (context.has(SPEND)) {
            return context;
        }
        Map<String, Value> filled = new HashMap<>();
        context.names().forEach(name -> filled.put(name, context.get(name)));
        filled.put(SPEND, JavaValues.record(spend(Spend.NONE)));
        return RecordValue.of(filled);
    }

    /** Returns what was spent, in the form that policies see. */
    static Map<String, Object> spend(Spend spend) {
        return Map.of(
                "tokens", spend.tokens(),
                "cost_micros", spend.costMicros(),
                "calls", spend.calls(),
                "percent", spend.percent());
    }

    private static Map<String, Object> facts(CallFacts facts) {
        Map<String, Object> map = new HashMap<>();
        if (!facts.executable().isEmpty()) {
            map.put("executable", facts.executable());
        }
        if (!facts.executableSha256().isEmpty()) {
            map.put("executable_sha256", facts.executableSha256());
        }
        if (!facts.workingFolder().isEmpty()) {
            map.put("working_folder", facts.workingFolder());
        }
        if (!facts.subcommand().isEmpty()) {
            map.put("subcommand", facts.subcommand());
        }
        map.put("flags", facts.flags());
        map.put("argument_count", facts.argumentCount());
        map.put("hosts", facts.hosts());
        map.put("ports", facts.ports());
        map.put("methods", facts.methods());
        map.put("read_paths", facts.readPaths());
        map.put("write_paths", facts.writePaths());
        map.put("secrets", facts.secrets());
        return map;
    }

    private static Entity plain(String type, String id) {
        return EntityAttributes.thing(EntityUid.of(type, text(id)), "", Map.of());
    }

    /** Adds the channel by which something came, if it is known. */
    static void channel(String id, Map<String, Object> context, Collection<Entity> slice) {
        if (!id.isEmpty()) {
            add("channel", plain("Channel", id), context, slice);
        }
    }

    /** Adds the device from which something came, under the name that it would have itself. */
    static void device(String id, Map<String, Object> context, Collection<Entity> slice) {
        if (!id.isEmpty()) {
            String name = id.startsWith(DEVICE_PREFIX) ? id : DEVICE_PREFIX + id;
            EntityUid uid = EntityUid.of("Device", name);
            context.put("device", uid);
            if (slice.stream().noneMatch(entity -> entity.uid().equals(uid))) {
                slice.add(PrincipalEntities.entity(uid, Set.of()));
            }
        }
    }

    /** Adds an entity unless the principal or the resource is that entity already. */
    private static void add(
            String name, Entity entity, Map<String, Object> context, Collection<Entity> slice) {
        context.put(name, entity.uid());
        if (slice.stream().noneMatch(present -> present.uid().equals(entity.uid()))) {
            slice.add(entity);
        }
    }

    private static String text(String id) {
        return Require.orEmpty(id);
    }
}
