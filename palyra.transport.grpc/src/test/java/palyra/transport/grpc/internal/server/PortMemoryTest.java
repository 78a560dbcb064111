package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.core.ops.Finding;
import palyra.testing.wait.Await;

/** Where any free port will do, clients find the server again where it was. */
class PortMemoryTest {
    @TempDir Path folder;

    private Path file() {
        return folder.resolve("run/grpc.port");
    }

    private PortMemory memory(String bootId) {
        return new PortMemory(file(), bootId);
    }

    /** Opens any free port, as a new instance of the component, and closes it again. */
    private int opened(String bootId) {
        try (Port port = open(bootId)) {
            assertEquals("user:alice", Port.whoAmI(Port.as(port.plain(), "alice")));
            return port.address().getPort();
        }
    }

    private Port open(String bootId) {
        return Port.open(new TestSettings(folder), Optional.of(memory(bootId)));
    }

    @Test
    void comesBackOnTheSamePortAfterAnUpdate() {
        int first = opened("boot");
        assertEquals(first, opened("boot"));
        assertEquals(first, opened("boot"));
    }

    @Test
    void comesBackOnTheSamePortAfterAChangeOfSettings() {
        try (Port port = open("boot")) {
            int before = port.address().getPort();
            port.apply(new TestSettings(folder).set("maxMessageBytes", 70_000));
            Await.until(
                    "the restart",
                    Port.PATIENCE,
                    () -> port.announced.stream().filter("listening"::equals).count() == 2);
            assertEquals(before, port.address().getPort());
        }
    }

    @Test
    void takesAFreePortWhenItsOwnIsTakenAndSaysSo() throws Exception {
        int first = opened("boot");
        int second;
        try (ServerSocket other = new ServerSocket(first, 1, InetAddress.getLoopbackAddress());
                Port port = open("boot")) {
            second = port.address().getPort();
            assertNotEquals(other.getLocalPort(), second);
            Finding found = port.transport.findings().get(0);
            assertEquals(Finding.Severity.WARNING, found.severity());
            assertTrue(found.message().contains("port " + first), found.message());
            assertTrue(found.message().contains("port " + second), found.message());
        }
        assertEquals(second, opened("boot"));
    }

    @Test
    void knowsNothingOfAnotherStartOfTheProcess() throws Exception {
        int first = opened("first");
        assertEquals(OptionalInt.of(first), memory("first").port());
        assertEquals(OptionalInt.empty(), memory("second").port());
        try (ServerSocket other = new ServerSocket(first, 1, InetAddress.getLoopbackAddress());
                Port port = open("second")) {
            assertNotEquals(other.getLocalPort(), port.address().getPort());
            assertTrue(port.transport.findings().isEmpty(), "nobody knew the taken port");
        }
        assertEquals(OptionalInt.empty(), memory("first").port());
    }

    @Test
    void aPortThatIsConfiguredIsNotReplacedByTheOneThatIsKnown() throws Exception {
        int known = opened("boot");
        int wanted;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            wanted = free.getLocalPort();
        }
        assertNotEquals(known, wanted);
        try (Port port =
                Port.open(
                        new TestSettings(folder).set("port", wanted),
                        Optional.of(memory("boot")))) {
            assertEquals(wanted, port.address().getPort());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "boot", "boot 0\n", "boot 99999\n", "boot 7x\n", "boot 123456\n", "\0"})
    void takesAFreePortWhenTheFileIsDamaged(String content) throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), content);
        assertEquals(OptionalInt.empty(), memory("boot").port());
        int port = opened("boot");
        assertEquals(OptionalInt.of(port), memory("boot").port());
    }

    @Test
    void opensAlthoughTheFileCannotBeWritten() throws Exception {
        Files.createDirectories(file());
        opened("boot");
        assertTrue(Files.isDirectory(file()));
    }
}
