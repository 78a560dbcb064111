package palyra.shell.internal.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestCodecTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "true, {\"TERM\":\"xterm\"}, true",
                "true, |{\"TERM\":\"xterm\",\"NO_COLOR\":\"\"}|, true",
                "true, |{\"TERM\":\"xterm\",\"NO_COLOR\":\"1\"}|, false",
                "true, {\"TERM\":\"dumb\"}, false",
                "true, {}, false",
                "false, {\"TERM\":\"xterm\"}, false"
            })
    void coloursOnlyForATerminalOfAPersonWhoWantsThem(boolean tty, String env, boolean colour)
            throws Exception {
        String request = "{\"argv\":[\"status\"],\"tty\":" + tty + ",\"env\":" + env + "}";
        assertEquals(
                colour, RequestCodec.request(request.getBytes(StandardCharsets.UTF_8)).colour());
    }
}
