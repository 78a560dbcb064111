package palyra.sandbox.tierc.windows.internal.win;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.jna.Native;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Sizes and offsets as the headers of the SDK have them for 64 bits; the natural alignment of
 * 64-bit Linux and macOS is the same, so the test means something there.
 */
class LayoutTest {
    @BeforeEach
    void needs64Bits() {
        Assumptions.assumeTrue(Native.POINTER_SIZE == 8, "this JVM has no 64 bits");
    }

    @Test
    void limitsOfAJob() {
        JobLimits info = new JobLimits();
        assertEquals(144, info.size());
        assertEquals(0, info.offset("perProcessUserTimeLimit"));
        assertEquals(8, info.offset("perJobUserTimeLimit"));
        assertEquals(16, info.offset("limitFlags"));
        assertEquals(24, info.offset("minimumWorkingSetSize"));
        assertEquals(32, info.offset("maximumWorkingSetSize"));
        assertEquals(40, info.offset("activeProcessLimit"));
        assertEquals(48, info.offset("affinity"));
        assertEquals(56, info.offset("priorityClass"));
        assertEquals(60, info.offset("schedulingClass"));
        assertEquals(64, info.offset("ioInfo"));
        assertEquals(112, info.offset("processMemoryLimit"));
        assertEquals(120, info.offset("jobMemoryLimit"));
        assertEquals(128, info.offset("peakProcessMemoryUsed"));
        assertEquals(136, info.offset("peakJobMemoryUsed"));
    }

    @Test
    void accountingOfAJob() {
        JobAccounting info = new JobAccounting();
        assertEquals(48, info.size());
        assertEquals(0, info.offset("totalUserTime"));
        assertEquals(8, info.offset("totalKernelTime"));
        assertEquals(32, info.offset("totalPageFaultCount"));
        assertEquals(36, info.offset("totalProcesses"));
        assertEquals(40, info.offset("activeProcesses"));
        assertEquals(44, info.offset("totalTerminatedProcesses"));
    }

    @Test
    void startOfAProcess() {
        StartupInfo info = new StartupInfo();
        assertEquals(112, info.size());
        assertEquals(8, info.offset("lpReserved"));
        assertEquals(32, info.offset("dwX"));
        assertEquals(60, info.offset("dwFlags"));
        assertEquals(64, info.offset("wShowWindow"));
        assertEquals(66, info.offset("cbReserved2"));
        assertEquals(72, info.offset("lpReserved2"));
        assertEquals(80, info.offset("hStdInput"));
        assertEquals(88, info.offset("hStdOutput"));
        assertEquals(96, info.offset("hStdError"));
        assertEquals(104, info.offset("lpAttributeList"));
    }

    @Test
    void handlesOfAProcess() {
        ProcessInformation info = new ProcessInformation();
        assertEquals(24, info.size());
        assertEquals(0, info.offset("hProcess"));
        assertEquals(8, info.offset("hThread"));
        assertEquals(16, info.offset("dwProcessId"));
        assertEquals(20, info.offset("dwThreadId"));
    }

    @Test
    void theInterfaceCanBeLoadedAsItIs() {
        Kernel32 loaded =
                Native.load(com.sun.jna.Platform.isWindows() ? "kernel32" : "c", Kernel32.class);
        assertEquals(Native.getLastError(), loaded.lastError());
    }
}
