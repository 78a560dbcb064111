package palyra.health.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.journal.Committed;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.Unit;
import palyra.api.core.ops.Finding;
import palyra.testing.wait.Await;

/** What a command of the same user can do to modes without being let into the folder. */
class StateModesTest {
    @TempDir Path temp;
    private Path state;
    private Path keys;
    private Path token;

    @BeforeEach
    void make() throws Exception {
        state = Files.createDirectory(temp.resolve("state"));
        keys = Files.createDirectory(state.resolve("keys"));
        token = Files.writeString(state.resolve("bootstrap-token"), "secret");
        Files.writeString(keys.resolve("key"), "secret");
        mode(state, "rwx------");
        mode(keys, "rwx------");
        mode(token, "rw-------");
        mode(keys.resolve("key"), "r--------");
    }

    private static void mode(Path path, String mode) throws Exception {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private StateModes modes() throws Exception {
        StateModes modes = new StateModes(state, (Integer) Files.getAttribute(state, "unix:uid"));
        assertEquals(List.of(), modes.check());
        return modes;
    }

    @Test
    void putsBackWhatWasOpenedToOthers() throws Exception {
        StateModes modes = modes();
        mode(state, "rwxr-xr-x");
        mode(token, "rw-r--r--");
        mode(keys.resolve("key"), "r--r--r--");
        assertEquals(3, modes.check().size());
        assertEquals("rwx------", mode(state));
        assertEquals("rw-------", mode(token));
        assertEquals("r--------", mode(keys.resolve("key")));
        assertEquals(List.of(), modes.check());
    }

    /** As an ACL for a local user shows in the modes. */
    @Test
    void leavesTheWayToTheCommandSocketOpenAndNothingElse() throws Exception {
        Path run = Files.createDirectory(state.resolve("run"));
        Path socket = Files.createFile(run.resolve("command.sock"));
        Path other = Files.createFile(run.resolve("lock"));
        mode(run, "rwx------");
        mode(socket, "rw-------");
        mode(other, "rw-------");
        StateModes modes = modes();
        mode(state, "rwx--x---");
        mode(run, "rwx--x---");
        mode(socket, "rw-rw----");
        assertEquals(List.of(), modes.check());
        mode(keys, "rwx--x---");
        mode(other, "rw-rw----");
        mode(run, "rwxr-x---");
        mode(socket, "rw-rw-rw-");
        assertEquals(4, modes.check().size());
        assertEquals("rwx------", mode(run));
        assertEquals("rw-------", mode(socket));
        assertEquals("rwx--x---", mode(state));
    }

    @Test
    void putsBackWhatWasClosedToTheGateway() throws Exception {
        StateModes modes = modes();
        mode(token, "---------");
        mode(keys, "---------");
        assertEquals(2, modes.check().size());
        assertEquals("rw-------", mode(token));
        assertEquals("rwx------", mode(keys));
    }

    @Test
    void leavesAloneWhatIsNewOrIsALink() throws Exception {
        StateModes modes = modes();
        Path outside = Files.writeString(temp.resolve("outside"), "x");
        mode(outside, "rw-r--r--");
        Files.createSymbolicLink(state.resolve("link"), outside);
        Path fresh = Files.writeString(state.resolve("fresh"), "x");
        mode(fresh, "rw-r-----");
        Path replacement = Files.writeString(temp.resolve("replacement"), "x");
        mode(replacement, "rw-r-----");
        Files.move(replacement, token, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        assertEquals(List.of(), modes.check());
        mode(outside, "rw-rw-rw-");
        assertEquals(List.of(), modes.check());
        assertEquals("rw-rw-rw-", mode(outside));
        mode(fresh, "rw-rw-rw-");
        assertEquals("rw-r-----", modes.check().get(0).wanted());
    }

    @Test
    void tellsDoctorAndTheJournalAlsoWhenItWasAwayAtFirst() throws Exception {
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        StateModesComponent component = new StateModesComponent(state, Duration.ofMillis(5));
        try {
            Await.until("a first look", () -> component.loops().get(0).beatAgeMillis() >= 0);
            mode(state, "rwxrwxrwx");
            Await.until("the finding", () -> !component.findings().isEmpty());
            assertEquals("rwx------", mode(state));
            Finding finding = component.findings().get(0);
            assertTrue(finding.message().contains("to rwxrwxrwx"), finding.message());
            component.bindJournal(journal(events), Map.of());
            Await.until("the event", () -> !events.isEmpty());
            assertEquals(
                    "state_mode_changed {\"found\":\"rwxrwxrwx\",\"path\":\"\",\"restored\":true,"
                            + "\"wanted\":\"rwx------\"}",
                    events.get(0));
        } finally {
            component.close();
        }
    }

    private static Journal journal(List<String> events) {
        return (Journal)
                Proxy.newProxyInstance(
                        StateModesTest.class.getClassLoader(),
                        new Class<?>[] {Journal.class},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "commit" -> take((Unit) arguments[0], events);
                                    case "hashCode" -> System.identityHashCode(self);
                                    case "equals" -> self == arguments[0];
                                    default -> throw new UnsupportedOperationException();
                                });
    }

    private static Committed take(Unit unit, List<String> events) {
        for (Operation operation : unit.operations()) {
            Operation.Append append = (Operation.Append) operation;
            events.add(append.type() + " " + new String(append.payload(), StandardCharsets.UTF_8));
        }
        return new Committed(false, new byte[0], List.of());
    }
}
