package palyra.shared.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import palyra.shared.files.Descriptors;

class ConnectionSlotsTest {
    private static ConnectionSlots places(OptionalLong descriptors) {
        return new ConnectionSlots("gRPC", "palyra.sample", descriptors, Descriptors::forGrpc);
    }

    @Test
    void leavesDescriptorsForTheProductsOwnFiles() {
        ConnectionSlots places = places(OptionalLong.of(1_024));
        int most = places.of(512);
        assertTrue(
                most + most / ConnectionLimits.STRANGERS_SHARE <= Descriptors.forGrpc(1_024),
                "" + most);
        assertTrue(places.finding().orElseThrow().message().contains("1024 files"));
    }

    @Test
    void takesWhatIsConfiguredWhereThereIsRoom() {
        ConnectionSlots places = places(OptionalLong.of(1_048_576));
        assertEquals(512, places.of(512));
        assertEquals(Optional.empty(), places.finding());
        assertEquals(512, places(OptionalLong.empty()).of(512));
    }
}
