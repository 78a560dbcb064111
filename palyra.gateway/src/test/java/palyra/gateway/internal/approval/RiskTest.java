package palyra.gateway.internal.approval;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.approval.RiskLevel;
import palyra.api.core.access.CallFacts;
import palyra.api.core.access.Confinement;
import palyra.api.core.tools.CallDescription;
import palyra.api.tool.Capability;

class RiskTest {
    private static final Confinement LOOSER =
            new Confinement(Confinement.Tier.C, Confinement.Egress.PREFLIGHT);

    private static RiskLevel of(CallFacts facts, String onceOnly, Confinement confinement) {
        return Risk.of(Samples.call(facts, Samples.described(onceOnly, null), confinement));
    }

    private static RiskLevel builtIn(boolean readOnly, CallFacts facts, Capability... reach) {
        return Risk.of(
                new CallForApproval(
                        "palyra.fs.read_file",
                        "{}",
                        Set.of(reach),
                        readOnly,
                        facts,
                        CallDescription.none(),
                        Confinement.STRICTEST,
                        "b"));
    }

    private static CallFacts reaching(Set<String> hosts, Set<String> writes, Set<String> secrets) {
        return new CallFacts(
                "/usr/bin/cat",
                "",
                Set.of(),
                0,
                hosts,
                Set.of(),
                Set.of(),
                Set.of(),
                writes,
                secrets);
    }

    @Test
    void readingProgramsOfTheSystemAreMediumAndOthersHigh() {
        for (String name :
                List.of(
                        "cat", "find", "grep", "head", "id", "ls", "pwd", "rg", "stat", "tail",
                        "uname", "wc", "whoami")) {
            assertEquals(
                    RiskLevel.MEDIUM,
                    of(Samples.program("/usr/bin/" + name), "", Confinement.STRICTEST),
                    name);
        }
        for (String path :
                List.of("/usr/bin/git", "/work/ls", "/usr/bin/x/ls", "ls", "/usr/bin/LS", "")) {
            assertEquals(
                    RiskLevel.HIGH, of(Samples.program(path), "", Confinement.STRICTEST), path);
        }
    }

    @Test
    void aReadingProgramThatWritesReachesOutOrUsesSecretsIsHigh() {
        assertEquals(
                RiskLevel.HIGH,
                of(reaching(Set.of("h"), Set.of(), Set.of()), "", Confinement.STRICTEST));
        assertEquals(
                RiskLevel.HIGH,
                of(reaching(Set.of(), Set.of("/w"), Set.of()), "", Confinement.STRICTEST));
        assertEquals(
                RiskLevel.HIGH,
                of(reaching(Set.of(), Set.of(), Set.of("vault:s")), "", Confinement.STRICTEST));
    }

    @Test
    void whateverRunsItsInputOrIsLessConfinedIsCritical() {
        assertEquals(
                RiskLevel.CRITICAL,
                of(Samples.program("/usr/bin/ls"), "a shell", Confinement.STRICTEST));
        assertEquals(RiskLevel.CRITICAL, of(Samples.program("/usr/bin/ls"), "", LOOSER));
        assertEquals(
                RiskLevel.CRITICAL,
                of(
                        Samples.program("/usr/bin/ls"),
                        "",
                        new Confinement(Confinement.Tier.B, Confinement.Egress.STRICT)));
    }

    @Test
    void onlyReadingTheWorkspaceIsLow() {
        assertEquals(RiskLevel.LOW, builtIn(true, CallFacts.none(), Capability.FILESYSTEM_READ));
        assertEquals(RiskLevel.HIGH, builtIn(false, CallFacts.none(), Capability.FILESYSTEM_READ));
        assertEquals(RiskLevel.HIGH, builtIn(true, CallFacts.none(), Capability.NETWORK));
        assertEquals(RiskLevel.HIGH, builtIn(true, CallFacts.none(), Capability.OTHER));
    }
}
