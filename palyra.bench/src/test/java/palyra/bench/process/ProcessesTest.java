package palyra.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {
    @TempDir Path folder;

    @Test
    void readsResidentMemory() throws Exception {
        assertEquals(
                123_456,
                Processes.residentKilobytes(
                        List.of("Name:\tjava", "VmHWM:\t  200000 kB", "VmRSS:\t  123456 kB")));
        assertThrows(
                IOException.class,
                () -> Processes.residentKilobytes(List.of("State:\tZ (zombie)")));
    }

    @Test
    void readsProcessorTimeBehindAnyName() {
        String stat = "42 (a) b (c)) S 1 42 42 0 -1 4194304 100 0 0 0 17 25 0 0 20 0 1 0 12345 0 0";
        assertEquals(42, Processes.ticks(stat));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void knowsThisProcess() throws Exception {
        long pid = ProcessHandle.current().pid();
        assertTrue(Processes.residentMegabytes(pid) > 10);
        assertTrue(Processes.ticks(pid) > 0);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aProgramLivesFromItsStartUntilItIsIdleAndIsStopped() throws Exception {
        Path ready = folder.resolve("ready");
        Path pid = folder.resolve("pid");
        Launch.Life life =
                launch("echo $$ > " + pid + "; touch " + ready + "; exec tail -f /dev/null", ready)
                        .live();
        assertTrue(life.readyMillis() > 0);
        assertTrue(life.idleMegabytes() > 0.1);
        long there = Long.parseLong(Files.readString(pid).strip());
        assertFalse(ProcessHandle.of(there).map(ProcessHandle::isAlive).orElse(false));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aProgramThatEndsBeforeItIsReadyIsAFailureThatSaysWhy() {
        IOException failed =
                assertThrows(
                        IOException.class,
                        () -> launch("echo no bundles; exit 4", folder.resolve("ready")).live());
        assertTrue(failed.getMessage().contains("no bundles"), failed.getMessage());
        assertThrows(IOException.class, () -> launch("exit 1", folder.resolve("ready")).complete());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void thePeerStartsAndStaysUp() throws Exception {
        Path ready = folder.resolve("ready");
        Launch.Life life =
                new Launch(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin/java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        EmptyFramework.class.getName(),
                                        ready.toString(),
                                        folder.resolve("cache").toString()),
                                Map.of(),
                                ready,
                                folder.resolve("log"))
                        .live();
        assertTrue(life.idleMegabytes() > 10);
    }

    private Launch launch(String script, Path ready) {
        return new Launch(List.of("/bin/sh", "-c", script), Map.of(), ready, folder.resolve("log"));
    }
}
