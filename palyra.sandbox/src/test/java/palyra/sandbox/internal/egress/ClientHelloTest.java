package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloTest {
    private static ClientHello read(byte[] bytes) throws IOException {
        return ClientHello.read(new ConnectionInput(new ByteArrayInputStream(bytes)));
    }

    @Test
    void theNameIsFoundInARealHello() throws Exception {
        byte[] hello = Hellos.real("allowed.test");
        assertEquals("allowed.test", read(hello).serverName());
        assertArrayEquals(hello, read(hello).raw());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 64, 200})
    void theNameIsFoundHoweverRecordsCutTheHello(int size) throws Exception {
        byte[] pieces = Hellos.fragmented(Hellos.real("allowed.test"), size);
        assertEquals("allowed.test", read(pieces).serverName());
        assertArrayEquals(pieces, read(pieces).raw());
    }

    @Test
    void nothingBeyondTheHelloIsRead() throws Exception {
        byte[] hello = Hellos.real("allowed.test");
        byte[] more = Arrays.copyOf(hello, hello.length + 3);
        ConnectionInput in = new ConnectionInput(new ByteArrayInputStream(more));
        ClientHello.read(in);
        assertEquals(3, in.readAllBytes().length);
    }

    @Test
    void aHelloWithoutANameIsRefused() throws Exception {
        byte[] hello = Hellos.real(null);
        assertThrows(MalformedException.class, () -> read(hello));
        assertThrows(MalformedException.class, () -> read(Hellos.with()));
    }

    @Test
    void aHelloThatHidesOrDoublesItsNameIsRefused() throws Exception {
        byte[] name = Hellos.serverName("allowed.test");
        assertEquals("allowed.test", read(Hellos.with(name)).serverName());
        for (byte[] bad :
                new byte[][] {
                    Hellos.with(name, Hellos.extension(0xfe0d, (byte) 0)),
                    Hellos.with(Hellos.extension(0xfe0d), name),
                    Hellos.with(name, Hellos.extension(0xffce)),
                    Hellos.with(name, Hellos.serverName("evil.test")),
                    Hellos.with(Hellos.serverName("")),
                    Hellos.with(Hellos.extension(0)),
                    Hellos.with(
                            Hellos.extension(
                                    0,
                                    (byte) 0,
                                    (byte) 4,
                                    (byte) 1,
                                    (byte) 0,
                                    (byte) 1,
                                    (byte) 'a')),
                    Hellos.with(
                            Hellos.extension(
                                    0,
                                    (byte) 0,
                                    (byte) 8,
                                    (byte) 0,
                                    (byte) 0,
                                    (byte) 1,
                                    (byte) 'a',
                                    (byte) 0,
                                    (byte) 0,
                                    (byte) 1,
                                    (byte) 'b')),
                }) {
            assertThrows(MalformedException.class, () -> read(bad));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2\r\n",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "\u0080\u002e\u0001\u0003\u0001", // SSL 2
                "\u0016\u0004\u0001\u0000\u0005xxxxx",
                "\u0016\u0003\u0001\u0000\u0000",
                "\u0016\u0003\u0001\u00ff\u00ff",
                "\u0016\u0003\u0001\u0000\u0004\u0002\u0000\u0000\u0000",
                "\u0016\u0003\u0001\u0000\u0004\u0001\u00ff\u00ff\u00ff",
                "\u0016\u0003\u0001\u0000\u0004\u0001\u0000\u0000\u0000",
                "\u0017\u0003\u0003\u0000\u0001x",
            })
    void whatIsNoHelloIsRefused(String bytes) {
        assertThrows(
                MalformedException.class, () -> read(bytes.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Test
    void aDamagedHelloNeverFailsOtherwise() throws Exception {
        byte[] hello = Hellos.real("allowed.test");
        Random random = new Random(7);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = hello.clone();
            damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            damaged[5 + random.nextInt(100)] ^= (byte) (1 << random.nextInt(8));
            byte[] cut = Arrays.copyOf(damaged, 1 + random.nextInt(damaged.length));
            for (byte[] each : new byte[][] {damaged, cut}) {
                try {
                    read(each);
                } catch (IOException e) {
                    refused++;
                }
            }
        }
        assertTrue(refused > 20_000);
    }
}
