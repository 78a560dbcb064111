package palyra.sandbox.internal.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.sandbox.SandboxLimits;
import palyra.api.core.sandbox.SandboxProcess.EndKind;
import palyra.api.core.sandbox.SandboxProcess.ExitReport;
import palyra.api.core.sandbox.SandboxProcess.Usage;

/** What a run's end is called: exit codes that look like signals count only with evidence. */
class VerdictTest {
    private static final SandboxLimits LIMITS =
            new SandboxLimits(60_000, 2_000, 1 << 20, 8, 1 << 20, 16, 1 << 16, 1 << 20);

    private static RunOutcome of(int code, long cpu, boolean whole, Tier tier, long wall) {
        return Verdict.of(
                        LIMITS,
                        Optional.empty(),
                        Optional.of(new ExitReport(true, code, "", false)),
                        new CpuUsage(new Usage(cpu, -1, whole), tier, wall, 2),
                        0)
                .outcome();
    }

    @Test
    void sigxcpuAfterTheTimeWasUsedIsTheQuota() {
        assertEquals(RunOutcome.CPU_QUOTA, of(152, 1_860, false, Tier.B, 2_100));
        assertEquals(RunOutcome.CPU_QUOTA, of(152, 2_000, true, Tier.C, 2_100));
        assertEquals(RunOutcome.CPU_QUOTA, of(137, 2_860, false, Tier.B, 3_700));
    }

    @Test
    void aCommandMayEndWith152ByItself() {
        assertEquals(RunOutcome.OK, of(152, 0, false, Tier.B, 3_000));
        assertEquals(RunOutcome.OK, of(152, 10, true, Tier.C, 50_000));
    }

    @Test
    void whereNothingCountsTheCommandTheWallClockMustAllowIt() {
        assertEquals(RunOutcome.OK, of(152, 0, false, Tier.C, 900));
        assertEquals(RunOutcome.CPU_QUOTA, of(152, 0, false, Tier.C, 2_100));
        assertEquals(RunOutcome.OK, of(152, -1, false, Tier.B, 900));
        assertEquals(RunOutcome.CPU_QUOTA, of(152, -1, false, Tier.B, 2_100));
    }

    private static RunOutcome ended(EndKind end, long cpu) {
        return Verdict.of(
                        LIMITS,
                        Optional.empty(),
                        Optional.of(new ExitReport(true, 152, "", false, end)),
                        new CpuUsage(new Usage(cpu, -1, false), Tier.B, 9_000, 2),
                        0)
                .outcome();
    }

    @Test
    void anExitWithTheCodeOfTheSignalNeedsTimeThatWasMeasured() {
        assertEquals(RunOutcome.OK, ended(EndKind.EXITED, 10));
        assertEquals(RunOutcome.OK, ended(EndKind.EXITED, -1));
        assertEquals(RunOutcome.CPU_QUOTA, ended(EndKind.EXITED, 2_000));
        assertEquals(RunOutcome.CPU_QUOTA, ended(EndKind.SIGNALLED, -1));
        assertEquals(RunOutcome.CPU_QUOTA, ended(EndKind.UNKNOWN, -1));
    }

    @Test
    void codes137And153StayTheCommandsOwnWithoutProof() {
        assertEquals(RunOutcome.OK, of(137, 0, false, Tier.B, 10));
        assertEquals(RunOutcome.OK, of(137, 0, false, Tier.C, 50_000));
        assertEquals(RunOutcome.OK, of(153, 1_999, true, Tier.C, 2_000));
        assertEquals(RunOutcome.OK, of(0, 1_999, true, Tier.C, 2_000));
    }

    @Test
    void whatItsLauncherEndedSaysSoAndNotTheCodeOfTheSignal() {
        String why = "The launcher is being replaced.";
        Verdict verdict =
                Verdict.of(
                        LIMITS,
                        Optional.empty(),
                        Optional.of(new ExitReport(true, 137, why, false)),
                        new CpuUsage(new Usage(-1, -1, false), Tier.C, 10, 2),
                        0);
        assertEquals(new Verdict(RunOutcome.KILLED, why), verdict);
        assertEquals(verdict, verdict.ofHolder(137, 1));
        assertTrue(verdict.ofSession().problem().contains(why), verdict.ofSession().problem());
    }

    @Test
    void lessThanASecondIsRoundedUpAsTheKernelCounts() {
        SandboxLimits tiny = new SandboxLimits(60_000, 100, 1 << 20, 8, 1 << 20, 16, 1 << 16, 1);
        CpuUsage quick = new CpuUsage(new Usage(200, -1, false), Tier.B, 300, 2);
        Verdict verdict =
                Verdict.of(
                        tiny,
                        Optional.empty(),
                        Optional.of(new ExitReport(true, 152, "", false)),
                        quick,
                        0);
        assertEquals(RunOutcome.OK, verdict.outcome());
    }
}
