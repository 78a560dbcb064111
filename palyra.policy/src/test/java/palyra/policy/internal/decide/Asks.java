package palyra.policy.internal.decide;

import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.access.CallContext;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.ToolPolicyRequest;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;

/** Policy requests for tests. */
final class Asks {
    static final String ME = "user:me";
    static final ToolDescriptor SHELL = tool("acme.shell", Capability.PROCESS_EXEC);
    static final ToolDescriptor CLOCK = tool("acme.clock");

    private Asks() {}

    static ToolDescriptor tool(String name, Capability... capabilities) {
        return new ToolDescriptor(
                name, "A tool.", "{}", Set.of(capabilities), false, true, 1_000, 1_024);
    }

    static Principal me(String... groups) {
        return new Principal(ME, PrincipalKind.USER, Set.of(groups), Set.of(), "token:1");
    }

    static AccessRequest ask(Principal who, String action, String resource, String owner) {
        return new AccessRequest(who, action, resource, owner, Map.of());
    }

    /** A call on behalf of somebody in these groups. */
    static ToolPolicyRequest call(ToolDescriptor tool, String... groups) {
        return call(tool, situation(CallFacts.none(), false, groups));
    }

    static ToolPolicyRequest call(ToolDescriptor tool, CallContext situation) {
        return new ToolPolicyRequest(
                ME,
                "main",
                false,
                "run1",
                "session1",
                "call1",
                tool.name(),
                tool,
                "{\"password\":\"hunter2\"}",
                Set.of(tool.name()),
                7,
                16,
                situation);
    }

    static CallContext situation(CallFacts facts, boolean approved, String... groups) {
        return new CallContext(
                "discord:42",
                "phone",
                Set.of(groups),
                false,
                approved,
                approved ? Set.of("user:boss") : Set.of(),
                facts);
    }

    /** A call that was approved. */
    static ToolPolicyRequest approved(ToolDescriptor tool, String... groups) {
        return call(tool, situation(CallFacts.none(), true, groups));
    }

    /** Facts with something in each of them. */
    static CallFacts facts() {
        return new CallFacts(
                "/usr/bin/git",
                "push",
                Set.of("--force", "-q"),
                3,
                Set.of("b.example", "a.example", "c.example", "d.example", "e.example"),
                Set.of(443, 22),
                Set.of("GET"),
                Set.of("/w/in"),
                Set.of("/w/out"),
                Set.of("vault:global/token"));
    }

    static List<ToolDescriptor> tools() {
        return List.of(SHELL, CLOCK, tool("palyra.echo"));
    }
}
