package palyra.skills.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.skills.internal.host.fakes.Guest;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.SkillGrants;

final class WasiFunctionsTest {
    private static final int VECTORS = 16;
    private static final int COUNT = 8;
    private static final int TEXT = 256;

    private final Stage stage = new Stage();

    private HostCall call(boolean command) {
        return Stage.call(SkillGrants.NONE, "{\"a\":1}", command);
    }

    private static long write(Guest guest, int descriptor, String... pieces) {
        int at = TEXT;
        ByteBuffer vectors = ByteBuffer.allocate(8 * pieces.length).order(ByteOrder.LITTLE_ENDIAN);
        for (String piece : pieces) {
            int length = guest.memory().text(at, piece);
            vectors.putInt(at).putInt(length);
            at += length;
        }
        guest.memory().write(VECTORS, vectors.array());
        return guest.call("fd_write", descriptor, VECTORS, pieces.length, COUNT);
    }

    private static int number(Guest guest, int address) {
        return ByteBuffer.wrap(guest.memory().read(address, 4, 4))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
    }

    @Test
    void whatACommandWritesToStandardOutputIsItsAnswer() {
        HostCall call = call(true);
        Guest guest = stage.guest(call);
        assertEquals(0, write(guest, 1, "{\"b\"", ":2}"));
        assertEquals(7, number(guest, COUNT));
        assertEquals(0, write(guest, 2, "careful\n"));
        assertEquals("{\"b\":2}", new String(call.output().answer(), StandardCharsets.UTF_8));
        assertEquals(List.of("info: careful"), call.output().lines());
    }

    @Test
    void whatAReactorWritesIsLog() {
        HostCall call = call(false);
        Guest guest = stage.guest(call);
        assertEquals(0, write(guest, 1, "one\ntw", "o\nthree"));
        assertEquals(List.of("info: one", "info: two", "info: three"), call.output().lines());
        assertEquals(0, call.output().answer().length);
    }

    @Test
    void standardInputIsTheInput() {
        Guest guest = stage.guest(call(true));
        guest.memory()
                .write(
                        VECTORS,
                        ByteBuffer.allocate(16)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(TEXT)
                                .putInt(3)
                                .putInt(TEXT + 3)
                                .putInt(100)
                                .array());
        assertEquals(0, guest.call("fd_read", 0, VECTORS, 2, COUNT));
        assertEquals(7, number(guest, COUNT));
        assertEquals("{\"a\":1}", guest.memory().text(TEXT, 7));
        assertEquals(0, guest.call("fd_read", 0, VECTORS, 2, COUNT));
        assertEquals(0, number(guest, COUNT));
        assertEquals(8, guest.call("fd_read", 3, VECTORS, 2, COUNT));
    }

    @Test
    void exitEndsTheCallWithItsNumber() {
        HostCall call = call(true);
        WasmStop stop = assertThrows(WasmStop.class, () -> stage.guest(call).call("proc_exit", 3));
        assertEquals(WasmEnding.EXITED, stop.ending());
        assertEquals(3, call.exitCode().getAsInt());
    }

    @Test
    void thereAreNoFilesArgumentsOrVariables() {
        Guest guest = stage.guest(call(false));
        assertFalse(guest.has("path_open"));
        assertEquals(8, guest.call("fd_prestat_get", 3, 0));
        assertEquals(8, guest.call("fd_close", 3));
        assertEquals(70, guest.call("fd_seek", 1, 0, 0, 0));
        assertEquals(0, guest.call("args_sizes_get", 32, 36));
        assertEquals(0, number(guest, 32));
        assertEquals(0, guest.call("environ_sizes_get", 32, 36));
        assertEquals(0, number(guest, 36));
        assertEquals(52, guest.call("poll_oneoff", 0, 0, 0, 0));
        assertEquals(0, guest.call("fd_fdstat_get", 1, 64));
        assertEquals(2, guest.memory().read(64, 1, 1)[0]);
    }

    @Test
    void absurdVectorsAreRefused() {
        HostCall call = call(true);
        Guest guest = stage.guest(call);
        assertEquals(28, guest.call("fd_write", 1, VECTORS, 100_000, COUNT));
        assertEquals(28, guest.call("fd_write", 1, VECTORS, -1, COUNT));
        ByteBuffer huge = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        guest.memory().write(VECTORS, huge.putInt(0).putInt(-1).array());
        assertEquals(22, guest.call("fd_write", 1, VECTORS, 1, COUNT));
        assertEquals(22, guest.call("fd_write", 2, VECTORS, 1, COUNT));
        assertEquals(0, call.output().answer().length);
    }

    @Test
    void clocksAndRandomBytesAnswer() {
        Guest guest = stage.guest(call(false));
        assertEquals(0, guest.call("clock_time_get", 0, 0, 64));
        assertEquals(0, guest.call("clock_res_get", 1, 64));
        assertEquals(28, guest.call("clock_time_get", 9, 0, 64));
        assertEquals(0, guest.call("random_get", 64, 32));
        assertEquals(28, guest.call("random_get", 64, -1));
    }
}
