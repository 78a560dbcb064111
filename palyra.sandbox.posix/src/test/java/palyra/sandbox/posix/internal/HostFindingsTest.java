package palyra.sandbox.posix.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.Finding.Severity;
import palyra.api.core.sandbox.HostFacts;

class HostFindingsTest {
    private static HostFacts facts(long user, int landlock, boolean seccomp, String problem) {
        return new HostFacts(
                "linux",
                "x86_64",
                "6.18",
                user,
                "posix_spawn",
                landlock,
                seccomp,
                true,
                "v2",
                Set.of("memory", "pids", "cpu"),
                problem);
    }

    @Test
    void aHostThatHasEverythingIsNotTalkedAbout() {
        assertEquals(List.of(), HostFindings.of(facts(1000, 7, true, ""), 0));
    }

    @Test
    void everythingThatIsMissingIsSaidWithARemedyWorstFirst() {
        HostFacts poor =
                new HostFacts(
                        "linux",
                        "riscv64",
                        "5.4",
                        0,
                        "process_builder",
                        0,
                        false,
                        false,
                        "",
                        Set.of(),
                        "The gateway runs with root's rights.");
        List<Finding> all = HostFindings.of(poor, 3);
        assertEquals(6, all.size());
        assertEquals(Severity.ERROR, all.get(0).severity());
        assertEquals(Severity.INFO, all.get(all.size() - 1).severity(), "root is no fault");
        assertTrue(all.stream().noneMatch(finding -> finding.remedy().isEmpty()));
    }

    @Test
    void anOldLandlockIsSaidToKeepLess() {
        assertTrue(HostFindings.of(facts(1000, 2, true, ""), 0).get(0).message().contains("TCP"));
        assertFalse(HostFindings.of(facts(1000, 5, true, ""), 0).get(0).message().contains("TCP"));
    }
}
