package palyra.skills.internal.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import palyra.api.core.wasm.WasmEnding;
import palyra.api.core.wasm.WasmHost.WasmStop;
import palyra.shared.json.StrictJson;
import palyra.skills.internal.host.fakes.Guest;
import palyra.skills.internal.host.fakes.Stage;
import palyra.skills.internal.model.SkillGrants;

final class BasicFunctionsTest {
    private final Stage stage = new Stage();
    private final HostCall call = Stage.call(Stage.grants(), "{\"city\":\"Köln\"}", false);
    private final Guest guest = stage.guest(call);

    @Test
    void inputAndContextAreBuffersThatCanBeReadInPieces() {
        assertEquals("{\"city\":\"Köln\"}", guest.read(0));
        JsonNode context = StrictJson.parse(guest.read(1), "context");
        assertEquals(1, context.path("abi").asInt());
        assertEquals("acme.weather", context.path("skill").asText());
        assertEquals("call-1", context.path("call").asText());
        assertEquals(4, guest.call("buffer_read", 0, 2, 100, 4));
        assertEquals("city", guest.memory().text(100, 4));
        assertEquals(0, guest.call("buffer_read", 0, 999, 100, 4));
        assertEquals(0, guest.call("buffer_read", 0, -1, 100, -1));
    }

    @Test
    void unknownHandlesAreAnswersAndNoTraps() {
        assertEquals(-1, guest.call("buffer_len", 77));
        assertEquals(-1, guest.call("buffer_read", 77, 0, 100, 4));
        assertEquals(-1, guest.call("buffer_close", 77));
    }

    @Test
    void addressesOutsideTheMemoryEndTheCall() {
        WasmStop stop = assertThrows(WasmStop.class, () -> guest.call("buffer_read", 0, 0, -4, 8));
        assertEquals(WasmEnding.TRAPPED, stop.ending());
        assertThrows(WasmStop.class, () -> guest.call("output_write", -1, 100));
        assertThrows(WasmStop.class, () -> guest.call("host_capability_storage_get", -1, 100));
    }

    @Test
    void outputEndsAtOneMebibyte() {
        assertEquals(0, guest.call("output_write", 0, 1 << 20));
        assertFalse(call.output().overflowed());
        assertEquals(-1, guest.call("output_write", 0, 1));
        assertEquals(-1, guest.call("output_write", 0, -1));
        assertTrue(call.output().overflowed());
        assertEquals(1 << 20, call.output().answer().length);
    }

    @Test
    void logKeepsSixtyFourLinesOfOneKibibyteWithoutControlCharacters() {
        int length = guest.memory().text(100, "a\u001b[31mb\n" + "x".repeat(3_000));
        for (int i = 0; i < 100; i++) {
            guest.call("log", i % 9, 100, length);
        }
        assertEquals(64, call.output().lines().size());
        assertTrue(call.output().lines().get(0).startsWith("debug: a [31mb x"));
        assertTrue(call.output().lines().get(5).startsWith("error: "));
        assertTrue(call.output().lines().get(0).length() <= 1_024 + 7);
    }

    @Test
    void randomBytesHaveALimitAtOnce() {
        assertEquals(0, guest.call("random", 100, 65_536));
        assertNotEquals("\0\0\0\0\0\0\0\0", guest.memory().text(100, 8));
        assertEquals(-1, guest.call("random", 100, 65_537));
        assertEquals(-1, guest.call("random", 100, -1));
        assertTrue(guest.call("now") > 1_600_000_000_000L);
    }

    @Test
    void tooManyOpenBuffersGiveAnErrorBufferAndThenNone() {
        String request = "{\"prefix\":\"notes\"}";
        int length = guest.memory().text(0, request);
        int last = 0;
        for (int i = 0; i < Buffers.MOST; i++) {
            last = (int) guest.call("host_capability_storage_list", 0, length);
            assertTrue(guest.read(last).contains("keys"));
            length = guest.memory().text(0, request);
        }
        int error = (int) guest.call("host_capability_storage_list", 0, length);
        assertTrue(guest.read(error).contains("\"code\":\"limit\""));
        length = guest.memory().text(0, request);
        assertEquals(-1, guest.call("host_capability_storage_list", 0, length));
        guest.call("buffer_close", error);
        guest.call("buffer_close", last);
        length = guest.memory().text(0, request);
        int again = (int) guest.call("host_capability_storage_list", 0, length);
        assertTrue(guest.read(again).contains("keys"));
    }

    @Test
    void onlyGrantedKindsAreLinked() {
        Guest bare = stage.guest(Stage.call(SkillGrants.NONE, "{}", false));
        assertTrue(bare.has("buffer_read"));
        assertTrue(bare.has("http-count"));
        assertFalse(bare.has("host_capability_http_request"));
        assertFalse(bare.has("host_capability_secret_open"));
        assertFalse(bare.has("host_capability_storage_put"));
        assertFalse(bare.has("host_capability_channel_send"));
        assertTrue(guest.has("host_capability_http_request"));
    }

    @Test
    void requestsThatAreNoObjectOrHaveUnknownFieldsAreRefusedAsValues() {
        assertEquals("invalid", Guest.code(guest.ask("storage_get", "[]")));
        assertEquals("invalid", Guest.code(guest.ask("storage_get", "{")));
        assertEquals("invalid", Guest.code(guest.ask("storage_get", "{\"key\":1}")));
        JsonNode unknown = guest.ask("storage_get", "{\"key\":\"notes/a\",\"keys\":1}");
        assertEquals("invalid", Guest.code(unknown));
        assertTrue(unknown.toString().contains("'keys'"), unknown.toString());
    }

    @Test
    void aCallThatWasGivenUpDoesNothingMore() {
        assertFalse(call.close());
        WasmStop stop =
                assertThrows(
                        WasmStop.class,
                        () -> guest.ask("storage_put", "{\"key\":\"notes/a\",\"value\":\"1\"}"));
        assertEquals(WasmEnding.CANCELLED, stop.ending());
        assertTrue(stage.seams.storage().get("acme.weather", "notes/a").isEmpty());
    }

    @Test
    void legacyHandlesCountFromTheirBase() {
        assertEquals(3, guest.call("http-count"));
        assertEquals(10_000, guest.call("http-handle", 0));
        assertEquals(20_001, guest.call("secret-handle", 1));
        assertEquals(30_002, guest.call("storage-handle", 2));
        assertEquals(40_000, guest.call("channel-handle", 0));
        assertEquals(-1, guest.call("channel-handle", 1));
        assertEquals(-1, guest.call("http-handle", -1));
    }

    @Test
    void abortTellsMessageAndPlace() {
        byte[] message = "no city".getBytes(StandardCharsets.UTF_16LE);
        guest.memory().write(100, new byte[] {(byte) message.length, 0, 0, 0});
        guest.memory().write(104, message);
        WasmStop stop = assertThrows(WasmStop.class, () -> guest.call("abort", 104, 0, 7, 3));
        assertEquals(WasmEnding.TRAPPED, stop.ending());
        assertEquals("abort: no city at :7:3", stop.getMessage());
    }
}
