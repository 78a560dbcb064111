package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.BackendStatus;
import palyra.api.core.sandbox.SandboxLimits;

/** Which memory limit a sandbox is given. */
class MemoryBoundsTest {
    @TempDir Path folder;
    private final Backends backends = new Backends(() -> 0);

    private long memory(Map<String, String> facts, Tier tier, int factor) {
        FakeBackend backend = new FakeBackend(Tier.B, folder);
        backend.status = BackendStatus.ready(facts, "x");
        backends.add(backend, Map.of());
        try {
            SandboxLimits limits =
                    new MemoryBounds(backends).of(SandboxLimits.DEFAULT, tier, factor);
            assertEquals(SandboxLimits.DEFAULT.cpuMillis(), limits.cpuMillis());
            assertEquals(SandboxLimits.DEFAULT.scratchBytes(), limits.scratchBytes());
            return limits.memoryBytes();
        } finally {
            backends.remove(backend);
        }
    }

    @Test
    void whereACgroupCountsMemoryTheLimitStays() {
        assertEquals(512L << 20, memory(Map.of("cgroup", "v1(cpu,memory,pids)"), Tier.B, 8));
    }

    @Test
    void withoutOneItIsAMultipleForTheAddressSpace() {
        assertEquals(4L << 30, memory(Map.of("cgroup", "none"), Tier.B, 8));
        assertEquals(4L << 30, memory(Map.of("cgroup", "v1(pids)"), Tier.B, 8));
        assertEquals(512L << 20, memory(Map.of("cgroup", "none"), Tier.B, 1));
    }

    @Test
    void whoHasNoCgroupsAtAllCountsMemoryInAnotherWay() {
        assertEquals(512L << 20, memory(Map.of("job", "yes"), Tier.B, 8));
    }

    @Test
    void aTierWithoutABackendIsLeftToTheRunner() {
        assertEquals(512L << 20, memory(Map.of("cgroup", "none"), Tier.C, 8));
    }
}
