package palyra.sandbox.posix.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkTest {
    private static final Mark.Owner OWNER = new Mark.Owner(12, 345, "0123abcd");

    private static byte[] environment(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aMarkIsFoundAnywhereInAnEnvironmentAndOnlyWhole() {
        Mark mark = OWNER.mark(new AtomicLong(), "call.1");
        assertEquals("12.345.0123abcd.1-call.1", mark.text());
        assertEquals("palyra-12.345.0123abcd.1-call.1", mark.cgroup());
        String set = "PALYRA_SANDBOX_CALL=" + mark.text();
        assertTrue(mark.in(environment(set)));
        assertTrue(mark.in(environment("A=b\0" + set + "\0C=d\0")));
        assertFalse(mark.in(environment("A=b\0" + set + "0\0")));
        assertFalse(mark.in(environment("A=" + set + "\0X" + set)));
        assertFalse(mark.in(new byte[0]));
    }

    @Test
    void anOwnerComesBackFromItsMarkAndFromNothingElse() {
        Mark mark = OWNER.mark(new AtomicLong(41), "a-b");
        assertEquals(OWNER, Mark.Owner.parse(mark.text()));
        for (String odd :
                new String[] {
                    "", "x", "12.345.0123abcd", "12.345.0123ABCD.1-x", "99999999999.1.0123abcd.1-x"
                }) {
            assertNull(Mark.Owner.parse(odd), odd);
        }
    }

    @Test
    void onlyAnOwnerThatIsGoneIsGone(@TempDir Path proc) throws Exception {
        ProcessSweeper sweep = new ProcessSweeper(new ProcessTable(proc), null);
        Mark.Owner self = new Mark.Owner(99, 1, "ffffffff");
        String mark = OWNER.mark(new AtomicLong(), "c").text();
        assertTrue(sweep.ownerIsGone(mark, self));
        Path stat = Files.createDirectories(proc.resolve("12")).resolve("stat");
        Files.writeString(stat, stat("12", "java", "S", "345"));
        assertFalse(sweep.ownerIsGone(mark, self));
        Files.writeString(stat, stat("12", "java", "Z", "345"));
        assertTrue(sweep.ownerIsGone(mark, self));
        Files.writeString(stat, stat("12", "other", "S", "346"));
        assertTrue(sweep.ownerIsGone(mark, self));
        assertFalse(sweep.ownerIsGone(mark, OWNER));
        assertTrue(sweep.ownerIsGone(mark, new Mark.Owner(12, 345, "ffffffff")));
        assertFalse(sweep.ownerIsGone("something else", self));
    }

    @Test
    void aNameMayHoldAnythingWithoutConfusingTheTable() {
        ProcessTable.Entry entry =
                ProcessTable.Entry.parse(stat("7", "a) S 1 (b", "R", "5")).orElseThrow();
        assertEquals(new ProcessTable.Entry(7, 1, 3, false, true, 1 + 2 + 3 + 4, 5), entry);
        assertTrue(ProcessTable.Entry.parse("").isEmpty());
        assertTrue(ProcessTable.Entry.parse("7 (x) R 1 2").isEmpty());
        assertTrue(ProcessTable.Entry.parse(stat("7", "x", "R", "?")).isEmpty());
    }

    /** The first 22 fields of proc(5). */
    private static String stat(String pid, String name, String state, String started) {
        return pid
                + " ("
                + name
                + ") "
                + state
                + " 1 2 3 0 0 0 0 0 0 0 1 2 3 4 20 0 1 0 "
                + started
                + " 0 0";
    }
}
