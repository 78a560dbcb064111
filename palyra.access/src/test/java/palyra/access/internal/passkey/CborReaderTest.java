package palyra.access.internal.passkey;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CborReaderTest {
    private static Object read(String hex) {
        return CborReader.readWhole(HexFormat.of().parseHex(hex));
    }

    @Test
    void readsTheExamplesOfTheSpecification() {
        assertEquals(0L, read("00"));
        assertEquals(23L, read("17"));
        assertEquals(100L, read("1864"));
        assertEquals(1_000_000_000_000L, read("1b000000e8d4a51000"));
        assertEquals(-1000L, read("3903e7"));
        assertEquals("IETF", read("6449455446"));
        assertArrayEquals(new byte[] {1, 2, 3, 4}, (byte[]) read("4401020304"));
        assertEquals(List.of(1L, List.of(2L, 3L)), read("8201820203"));
        assertEquals(Map.of("a", 1L, "b", true), read("a26161016162f5"));
    }

    @Test
    void refusesWhatAuthenticatorsDoNotSend() {
        for (String hex :
                List.of(
                        "", // nothing
                        "5fff", // no definite length
                        "9fff",
                        "c001", // a tag
                        "f93c00", // a fraction
                        "1bffffffffffffffff", // beyond 63 bits
                        "0000", // bytes after it
                        "5b7fffffffffffffff", // a length that the input does not have
                        "9a7fffffff",
                        "ba7fffffff",
                        "7affffffff",
                        "62c328", // no UTF-8
                        "a2010101" + "02", // a key twice
                        "a1f501", // a key of another kind
                        "818181818181818181818181")) {
            assertThrows(PasskeyException.class, () -> read(hex), hex);
        }
    }

    @Test
    void noBytesDoAnythingElse() {
        Random random = new Random(42);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            try {
                CborReader.readWhole(bytes);
            } catch (PasskeyException e) {
                assertEquals(PasskeyException.class, e.getClass());
            }
        }
    }
}
