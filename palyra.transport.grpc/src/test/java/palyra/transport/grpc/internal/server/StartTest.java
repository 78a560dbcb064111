package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.ManagedChannel;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.core.ops.Finding;
import palyra.api.core.ops.LoopView;
import palyra.testing.wait.Await;

class StartTest {
    @TempDir Path folder;
    private TestSettings settings;
    private final Port port = new Port();

    @BeforeEach
    void prepare() {
        settings = new TestSettings(folder);
    }

    @AfterEach
    void close() {
        port.close();
    }

    /** Applies the settings, expects that nothing listens, and returns the reason. */
    private String down() {
        port.apply(settings);
        String found = port.finding();
        assertFalse(port.isListening());
        assertEquals("", port.uri.get());
        assertEquals(Finding.Severity.ERROR, port.transport.findings().get(0).severity());
        return found;
    }

    private void assertUp() {
        port.apply(settings);
        Await.until("the port to open", Port.PATIENCE, port::isListening);
        assertTrue(port.transport.findings().isEmpty(), port.transport.findings().toString());
    }

    private void assertServes(ManagedChannel channel) {
        assertEquals("user:alice", Port.whoAmI(Port.as(channel, "alice")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "::ffff:0.0.0.0", "192.0.2.1"})
    void doesNotListenBeyondThisMachineWithoutTls(String host) {
        settings.set("host", host);
        assertTrue(down().contains("TLS is not set up"), port.finding());
        settings.set("host", "127.0.0.1");
        assertUp();
    }

    @Test
    void listensBeyondThisMachineWithTls() {
        settings.tls("server").set("host", "0.0.0.0");
        assertUp();
        assertTrue(port.uri.get().startsWith("grpcs://0.0.0.0:"), port.uri.get());
        assertServes(port.tls(null));
    }

    @Test
    void goesDownRatherThanListenBeyondThisMachineWithoutTls() {
        assertUp();
        settings.set("host", "0.0.0.0");
        assertTrue(down().contains("TLS is not set up"));
    }

    @Test
    void saysThatAHostHasNoAddress() {
        settings.set("host", "no-such-host.invalid");
        assertTrue(down().contains("no address was found"));
    }

    @Test
    void saysThatAnAddressIsNotOfThisMachine() {
        settings.tls("server").set("host", "192.0.2.1");
        assertTrue(down().contains("gRPC cannot listen on 192.0.2.1"));
    }

    @Test
    void anErrorOfAStartIsSeenAndFollowedByAnotherStart() {
        port.once.set(new AssertionError("made up"));
        assertUp();
        assertServes(port.plain());
        LoopView loop = port.transport.loop();
        assertEquals(1, loop.restarts());
        assertEquals("AssertionError: made up", loop.lastFailure());
    }

    @Test
    void waitsForAPortThatAnotherProcessHas() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            settings.set("port", other.getLocalPort());
            assertTrue(down().contains("another process has the port"));
        }
        Await.until("the port to open", Port.PATIENCE, port::isListening);
        assertServes(port.plain());
        Await.until("the finding to go", Port.PATIENCE, () -> port.transport.findings().isEmpty());
    }

    @Test
    void saysAtOnceThatItWillOpenAndThenWhatCameOfIt() throws Exception {
        assertEquals(List.of("opening"), port.announced);
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            settings.set("port", other.getLocalPort());
            assertTrue(down().contains("another process has the port"));
            assertEquals("failed", port.announced.get(port.announced.size() - 1));
        }
        assertUp();
        Await.until("the word", Port.PATIENCE, () -> port.announced.contains("listening"));
        settings.set("maxMessageBytes", 70_000);
        int before = port.announced.size();
        port.apply(settings);
        Await.until("the restart", Port.PATIENCE, () -> port.announced.size() >= before + 2);
        port.close();
        assertEquals(
                List.of("opening", "listening", "gone"),
                port.announced.subList(before, port.announced.size()));
    }

    @Test
    void movesToAnotherPortAndLeavesTheOld() {
        assertUp();
        ManagedChannel before = port.plain();
        assertServes(before);
        String old = port.uri.get();
        settings.set("maxMessageBytes", 70_000);
        port.apply(settings);
        Await.until(
                "another port",
                Port.PATIENCE,
                () -> !port.uri.get().isEmpty() && !port.uri.get().equals(old));
        assertServes(port.plain());
    }

    @Test
    void takesLimitsUpWithoutARestart() {
        assertUp();
        String before = port.uri.get();
        settings.set("maxConnections", 7).set("failuresPerMinute", 3);
        port.apply(settings);
        assertEquals(before, port.uri.get());
    }

    @ParameterizedTest
    @CsvSource({
        "certificateFile,missing.pem,there is no such file",
        "privateKeyFile,missing.key,there is no such file",
        "privateKeyFile,server.pem,no block BEGIN PRIVATE KEY",
        "certificateFile,server.key,no block BEGIN CERTIFICATE",
        "certificateFile,'',one of them is empty",
        "privateKeyFile,'',one of them is empty",
        "clientCaFile,server.key,no block BEGIN CERTIFICATE",
        "clientCaFile,missing.pem,there is no such file",
        "clientCertificates,required,clientCaFile is empty",
        "clientCertificates,perhaps,'use none, wanted or required'",
        "port,70000,use 0 to 65535",
        "host,' ',host"
    })
    void saysInOneSentenceWhatIsWrong(String key, String value, String words) {
        settings.tls("server").set(key, key.equals("port") ? Integer.valueOf(value) : value);
        String found = down();
        assertTrue(found.contains(words), found);
        assertFalse(found.contains("Exception"), found);
        settings.set("clientCaFile", "").set("clientCertificates", "wanted");
        settings.tls("server").set("port", 0).set("host", "127.0.0.1");
        assertUp();
    }

    @Test
    void refusesACertificateThatHasEnded() {
        settings.tls("expired");
        assertTrue(down().contains("2021-01-01"), port.finding());
    }

    @Test
    void refusesAKeyThatDoesNotFit() {
        settings.tls("server").copy("client.key", "server.key");
        assertTrue(down().contains("does not belong to the first certificate"), port.finding());
        settings.copy("server.key", "server.key");
        Await.until("the corrected key to be taken", Port.PATIENCE, port::isListening);
    }

    @Test
    void refusesAKeyThatEverybodyMayRead() throws Exception {
        settings.tls("server");
        Path key = folder.resolve("server.key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertTrue(down().contains("run chmod 600"), port.finding());
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        Await.until("the protected key to be taken", Port.PATIENCE, port::isListening);
    }

    @Test
    void refusesAKeyThatAGroupMayRead() throws Exception {
        settings.tls("server");
        Path key = folder.resolve("server.key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        if (Files.getAttribute(key, "unix:gid").equals(0)) {
            Files.setAttribute(key, "unix:gid", 54_321);
        }
        assertTrue(down().contains("mode is rw-r-----"), port.finding());
    }

    /** Another user could put other authorities in their place. */
    @Test
    void refusesAuthoritiesInAFolderThatOthersMayWrite() throws Exception {
        settings.tls("server").clientCa("ca", "wanted");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertTrue(down().contains("others than its owner may write to it"), port.finding());
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Await.until("the protected folder to be taken", Port.PATIENCE, port::isListening);
    }

    @Test
    void refusesAuthoritiesThatBelongToAnotherUser() throws Exception {
        settings.tls("server").clientCa("ca", "wanted");
        Path authorities = folder.resolve("clients.pem");
        assumeTrue(Files.getAttribute(folder, "unix:uid").equals(0), "only root gives files away");
        Files.setAttribute(authorities, "unix:uid", 54_321);
        assertTrue(down().contains("it belongs to user id 54321"), port.finding());
    }

    @Test
    void refusesAuthoritiesThatOthersMayWrite() throws Exception {
        settings.tls("server").clientCa("ca", "wanted");
        Path authorities = folder.resolve("clients.pem");
        Files.setPosixFilePermissions(authorities, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertTrue(down().contains("run chmod 644"), port.finding());
        Files.setPosixFilePermissions(authorities, PosixFilePermissions.fromString("rw-r--r--"));
        Await.until("the protected file to be taken", Port.PATIENCE, port::isListening);
    }

    @ParameterizedTest
    @CsvSource({"weak, an RSA key of 1024 bits", "sha1, a signature by SHA1with"})
    void refusesWeakKeysAndSignatures(String files, String why) {
        settings.tls(files);
        assertTrue(down().contains(why), port.finding());
        settings.tls("server");
        Await.until("the strong key to be taken", Port.PATIENCE, port::isListening);
    }

    @Test
    void refusesAFolderForAFile() throws Exception {
        settings.tls("server").set("certificateFile", "folder");
        Files.createDirectory(folder.resolve("folder"));
        assertTrue(down().contains("cannot be read"), port.finding());
    }
}
