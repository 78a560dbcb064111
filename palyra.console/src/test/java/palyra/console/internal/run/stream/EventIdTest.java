package palyra.console.internal.run.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.api.run.RunPosition;

class EventIdTest {
    private static final String RUN = "01J0000000000000000000000A";

    @Test
    void readsWhatItWrites() {
        EventId record = new EventId(RUN, RunPosition.after(7));
        EventId text = new EventId(RUN, new RunPosition(7, 2, 1, 300, 12));
        assertEquals("run:" + RUN + ":7", record.toString());
        assertEquals("run:" + RUN + ":7:2:1:300:12", text.toString());
        assertEquals(Optional.of(record), EventId.of(record.toString()));
        assertEquals(Optional.of(text), EventId.of(text.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run:",
                "run:01J0000000000000000000000A",
                "run:01J0000000000000000000000A:-1",
                "run:01J0000000000000000000000A:9999999999999999999",
                "run:01J0000000000000000000000A:7:2",
                "run:../../etc:1",
                "run:01J0000000000000000000000A:1\nevent: x"
            })
    void anythingElseIsNoId(String text) {
        assertEquals(Optional.empty(), EventId.of(text));
    }
}
