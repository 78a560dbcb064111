package palyra.shared.confine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.BackendStatus.State;
import palyra.api.core.sandbox.HostFacts;
import palyra.api.core.sandbox.LaunchPlan.GroupLimits;
import palyra.api.core.sandbox.LaunchPlan.Rlimits;
import palyra.api.core.sandbox.SandboxLimits;

/** Limits, ports and looks. */
class ResourceLimitPlanTest {
    private static final SandboxLimits LIMITS =
            new SandboxLimits(30_000, 1_500, 1 << 20, 10, 4_096, 64, 1_024, 4_096);

    private static HostFacts host(Set<String> controllers) {
        return new HostFacts(
                "linux",
                "x86_64",
                "6.12",
                1000,
                "posix_spawn",
                7,
                true,
                true,
                controllers.isEmpty() ? "" : "v2",
                controllers,
                "");
    }

    @Test
    void aCgroupCountsMemoryInsteadOfAddressSpace() {
        ResourceLimitPlan counted =
                ResourceLimitPlan.of(LIMITS, host(Set.of("memory", "pids")), true, 3);
        assertEquals(new Rlimits(2, 0, 4_096, 64, 0), counted.rlimits());
        assertEquals(new GroupLimits(1 << 20, 13, true), counted.group().orElseThrow());
        assertEquals("rlimits=cpu,fsize,nofile,core", counted.words());
    }

    @Test
    void withoutACgroupAddressSpaceIsLeftAloneAsWell() {
        ResourceLimitPlan single = ResourceLimitPlan.of(LIMITS, host(Set.of()), true, 3);
        assertEquals(new Rlimits(2, 0, 4_096, 64, 0), single.rlimits());
        assertEquals(new GroupLimits(1 << 20, 0, false), single.group().orElseThrow());
        assertEquals("rlimits=cpu,fsize,nofile,core", single.words());
        assertTrue(
                ResourceLimitPlan.of(LIMITS, host(Set.of()), false, 3)
                        .group()
                        .orElseThrow()
                        .required(),
                "nobody permitted that it is missing");
    }

    @Test
    void theSamePortsAreTheSameSet() {
        AllowedPorts ports = new AllowedPorts();
        Set<Integer> first = ports.allBut(Set.of(1, 2));
        assertEquals(65_534, first.size());
        assertFalse(first.contains(1));
        assertTrue(first.contains(0) && first.contains(65_535));
        assertSame(first, ports.allBut(Set.of(2, 1)));
    }

    @Test
    void aLookThatFailsIsARefusalWithTheCause() {
        try (Look look =
                new Look(
                        "test",
                        () -> {
                            throw new IllegalStateException("no disk");
                        })) {
            assertEquals(State.PROBING, look.status().state());
            BackendStatus status = look.again();
            assertEquals(State.REFUSING, status.state());
            assertTrue(status.cause().contains("no disk"));
        }
    }

    @Test
    void aClosedLookLooksNoMore() {
        Look look =
                new Look(
                        "test",
                        () -> BackendStatus.refusing("nothing here", "", java.util.Map.of()));
        look.close();
        look.soon();
        assertEquals(State.PROBING, look.again().state());
    }
}
