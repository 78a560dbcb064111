package palyra.skills.engine.endive.internal.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.skills.engine.endive.internal.protocol.ClassPack;
import palyra.skills.engine.endive.internal.protocol.CompileResponse;

/** The answer of the compiler's process is taken whole or not at all. */
class CompileResponseTest {
    private static final byte[] BODY = {1, 2, 3, 4, 5};

    private static byte[] written(boolean compiled) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new CompileResponse(compiled, BODY).write(bytes);
        return bytes.toByteArray();
    }

    private static CompileResponse read(byte[] bytes, int most) throws IOException {
        return CompileResponse.read(new ByteArrayInputStream(bytes), most);
    }

    @Test
    void readsWhatItWrote() throws Exception {
        assertArrayEquals(BODY, read(written(true), 5).body());
        assertTrue(read(written(true), 5).compiled());
        assertEquals(false, read(written(false), 5).compiled());
    }

    @Test
    void refusesEveryCutAndEveryChange() throws Exception {
        byte[] whole = written(true);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThrows(IOException.class, () -> read(cut, 5), "cut at " + length);
        }
        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            assertThrows(IOException.class, () -> read(changed, 5), "changed at " + at);
        }
        assertThrows(IOException.class, () -> read(Arrays.copyOf(whole, whole.length + 1), 5));
    }

    @Test
    void refusesMoreThanIsTakenBeforeItIsHeld() {
        CompileResponse.TooLarge e =
                assertThrows(CompileResponse.TooLarge.class, () -> read(written(true), 4));
        assertEquals(5, e.bytes());
    }

    @Test
    void readsAPackAgainAndNoOther() throws Exception {
        byte[] bytes = new ClassPack("a", Set.of(3), Map.of("a", BODY)).encode();
        assertEquals(Set.of(3), ClassPack.decode(bytes).interpreted());
        assertArrayEquals(BODY, ClassPack.decode(bytes).classes().get("a"));
        byte[] without = new ClassPack("b", Set.of(), Map.of("a", BODY)).encode();
        assertThrows(IOException.class, () -> ClassPack.decode(without));
        assertThrows(
                IOException.class, () -> ClassPack.decode(Arrays.copyOf(bytes, bytes.length + 1)));
    }
}
