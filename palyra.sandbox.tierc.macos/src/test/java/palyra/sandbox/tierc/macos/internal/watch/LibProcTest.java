package palyra.sandbox.tierc.macos.internal.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Pointer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The layout of the structures is that of XNU's headers; not run on hardware. */
class LibProcTest {
    private final List<String> calls = new ArrayList<>();
    private int denominator = 3;

    private final LibProc.LibSystem system =
            new LibProc.LibSystem() {
                @Override
                public int proc_listpids(int type, int typeInfo, Pointer buffer, int size) {
                    calls.add("list " + type + " " + typeInfo);
                    if (buffer == null) {
                        return 8;
                    }
                    assertTrue(size >= 12, "there is room for those that came between");
                    buffer.setInt(0, 501);
                    buffer.setInt(4, 0);
                    buffer.setInt(8, 502);
                    return 12;
                }

                @Override
                public int proc_pid_rusage(int pid, int flavor, Pointer buffer) {
                    assertEquals(1, flavor);
                    if (pid != 501) {
                        return -1;
                    }
                    for (int offset = 16; offset < 144; offset += 8) {
                        buffer.setLong(offset, offset * 1_000_000L);
                    }
                    return 0;
                }

                @Override
                public int mach_timebase_info(Pointer info) {
                    info.setInt(0, 125);
                    info.setInt(4, denominator);
                    return 0;
                }

                @Override
                public int kill(int pid, int signal) {
                    calls.add("kill " + pid + " " + signal);
                    return 0;
                }
            };

    @Test
    void readsMemoryStartAndTimeInTicksOfTheHost() {
        ProcessTable.Use use = new LibProc(system).use(501).orElseThrow();
        assertEquals(72_000_000, use.footprintBytes());
        assertEquals(80_000_000, use.startedAt());
        assertEquals((16 + 24 + 96 + 104) * 1_000_000L * 125 / 3, use.cpuNanos());
        assertEquals(Optional.empty(), new LibProc(system).use(9));
    }

    @Test
    void asksForGroupsChildrenAndUsers() {
        LibProc table = new LibProc(system);
        assertEquals(List.of(501, 502), table.group(500));
        assertEquals(List.of(501, 502), table.children(500));
        assertEquals(2, table.count(20));
        assertTrue(calls.containsAll(List.of("list 2 500", "list 6 500", "list 5 20")));
    }

    @Test
    void neverSignalsAGroupOrEverybody() {
        LibProc table = new LibProc(system);
        for (int pid : new int[] {0, -1, 1, -500}) {
            table.kill(pid);
        }
        assertTrue(calls.isEmpty());
        table.kill(500);
        assertEquals(List.of("kill 500 9"), calls);
    }

    @Test
    void refusesAHostWhoseClockIsUnknown() {
        denominator = 0;
        assertThrows(IllegalStateException.class, () -> new LibProc(system));
    }

    @Test
    void theInterfaceCanBeLoadedAsItIs() {
        int self = Math.toIntExact(ProcessHandle.current().pid());
        LibProc.LibSystem loaded =
                com.sun.jna.Native.load(
                        com.sun.jna.Platform.isMac() ? "System" : "c", LibProc.LibSystem.class);
        assertEquals(0, loaded.kill(self, 0), "signal 0 only looks");
    }
}
