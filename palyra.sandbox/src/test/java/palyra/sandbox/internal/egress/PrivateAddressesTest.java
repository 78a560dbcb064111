package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class PrivateAddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "::1",
                "10.0.0.7",
                "172.31.0.1",
                "192.168.1.1",
                "100.64.0.1",
                "fd12::1",
            })
    void aListedServerMayHaveAPrivateAddress(String address) throws UnknownHostException {
        assertTrue(PrivateAddresses.holds(InetAddress.getByName(address)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "0.0.0.0",
                "::",
                "fe80::1",
                "fec0::1",
                "224.0.0.1",
                "255.255.255.255",
                "100.100.100.200",
                "fd00:ec2::254",
                "192.0.0.192",
                "168.63.129.16",
                "100.128.0.1",
                "172.32.0.1",
                "64:ff9b::a00:7",
            })
    void evenAListedServerMayNotHaveTheseAddresses(String address) throws UnknownHostException {
        assertFalse(PrivateAddresses.holds(InetAddress.getByName(address)));
    }

    @Test
    void aListedNameThatIsReboundToMetadataIsRefused() throws IOException {
        try (Stage stage =
                new Stage(
                        new PublicAddresses(), Stage.settings("", Stage.PROXY, "model.test:80"))) {
            stage.names.put("model.test", List.of("127.0.0.1", "169.254.169.254"));
            PalyraException denied =
                    assertThrows(
                            PalyraException.class,
                            () -> stage.core.send(Stage.get("http://model.test/")));
            assertEquals(ErrorCode.DENIED, denied.code());
            assertEquals("address", stage.journal.denied(1).get(0).path("reasonCode").asText());
        }
        Stage.awaitNoThreads();
    }
}
