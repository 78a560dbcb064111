package palyra.shared.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.8.7",
                "::1",
                "[::1]",
                "0:0:0:0:0:0:0:1",
                "localhost",
                "LocalHost",
                "localhost.",
                "a.localhost",
                "::ffff:127.0.0.1"
            })
    void knowsThisMachine(String host) {
        assertTrue(Addresses.isLoopback(host), host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0", "10.0.0.1", "::", "[::]", "fe80::1", "127.0.0.1.evil.example",
                "localhost.evil.example", "evillocalhost", "127.1", "0x7f000001", "", "999.0.0.1"
            })
    void takesNothingElseForThisMachine(String host) {
        assertFalse(Addresses.isLoopback(host), host);
    }

    @Test
    void nothingIsNotThisMachine() {
        assertFalse(Addresses.isLoopback(null));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:7142, localhost",
        "LOCALHOST, localhost",
        "127.0.0.1:7142, 127.0.0.1",
        "[::1]:7142, ::1",
        "[::1], ::1",
        "::1, ::1",
        "gateway.example.:443, gateway.example",
    })
    void findsTheHostInAHostHeader(String header, String host) {
        assertEquals(host, Addresses.hostOf(header));
    }

    @Test
    void comparesAddressesAsNumbers() {
        assertTrue(Addresses.sameAddress("::1", "0:0:0:0:0:0:0:1"));
        assertFalse(Addresses.sameAddress("10.0.0.1", "10.0.0.2"));
        assertFalse(Addresses.sameAddress("name", "name"));
    }
}
