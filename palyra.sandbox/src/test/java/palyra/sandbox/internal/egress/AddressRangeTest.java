package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

/** Ranges of addresses that an operator allows. */
class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.168.16.0/20, 192.168.31.255, true",
        "192.168.16.0/20, 192.168.32.0, false",
        "10.1.2.3/32, 10.1.2.3, true",
        "10.1.2.3/32, 10.1.2.2, false",
        "0.0.0.0/0, 203.0.113.9, true",
        "fd00::/8, fd12::1, true",
        "fd00::/8, fe00::1, false",
        "::/0, 10.0.0.1, false"
    })
    void holdsItsAddresses(String range, String address, boolean holds)
            throws UnknownHostException {
        assertEquals(holds, AddressRange.parse(range).contains(InetAddress.getByName(address)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.1/8",
                "example.com/8",
                "fd00::/129",
                "0x0a.0.0.0/8",
                "/8",
                "10.0.0.0/8/8"
            })
    void otherTextsAreRefusedByName(String text) {
        PalyraException refused =
                assertThrows(PalyraException.class, () -> AddressRange.parse(text));
        assertEquals(ErrorCode.INVALID_ARGUMENT, refused.code());
        assertTrue(refused.getMessage().contains("allowPrivateRanges"), refused.getMessage());
    }

    private static void answer(String head, InputStream in, OutputStream out) throws IOException {
        out.write(WebServer.answer(200, "", "ok"));
    }

    private static String reason(Stage stage) {
        return stage.journal.denied(1).get(0).path("reasonCode").asText();
    }

    private static String get(Stage stage, String url) {
        try {
            return "" + stage.core.send(Stage.get(url)).status();
        } catch (PalyraException e) {
            return e.code() + " " + e.getMessage();
        }
    }

    @Test
    void aServerInARangeIsReachedAndTheGatewaysPortsAreNot() throws Exception {
        try (WebServer server = WebServer.start(AddressRangeTest::answer);
                Stage stage =
                        new Stage(
                                new PublicAddresses(),
                                Stage.settings(List.of("127.0.0.0/8", "10.0.0.0/8")))) {
            String url = "http://allowed.test:" + server.port() + "/";
            assertEquals("200", get(stage, url));
            stage.listensOn("http://127.0.0.1:" + server.port());
            assertTrue(get(stage, url).startsWith("DENIED"), get(stage, url));
            assertEquals("own_port", reason(stage));
        }
    }

    @Test
    void withoutTheRangeItIsRefusedWithTheRemedy() throws Exception {
        try (WebServer server = WebServer.start(AddressRangeTest::answer);
                Stage stage =
                        new Stage(new PublicAddresses(), Stage.settings(List.of("10.0.0.0/8")))) {
            String said = get(stage, "http://allowed.test:" + server.port() + "/");
            assertTrue(said.startsWith("DENIED"), said);
            assertEquals("address", reason(stage));
        }
    }

    /** No range opens them, however wide it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "100.100.100.200",
                "192.0.0.192",
                "168.63.129.16",
                "fd00:ec2::254",
                "fe80::1",
                "224.0.0.1",
                "0.0.0.0",
                "64:ff9b::a9fe:a9fe"
            })
    void someAddressesStayClosed(String address) throws Exception {
        try (Stage stage =
                new Stage(
                        any -> java.util.Optional.of("private"),
                        Stage.settings(List.of("0.0.0.0/0", "::/0")))) {
            stage.names.put("inside.test", List.of(address));
            String said = get(stage, "http://inside.test:81/");
            assertTrue(said.startsWith("DENIED"), said);
            assertFalse(said.contains("cannot be reached"), said);
        }
    }
}
