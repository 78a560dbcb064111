package palyra.transport.grpc.internal.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import palyra.shared.files.Descriptors;

class PlacesTest {
    private final ServerSettings settings = new TestSettings(Path.of("unused")).read();

    @Test
    void leavesDescriptorsForTheProductsOwnFiles() {
        Places places = new Places(OptionalLong.of(1_024));
        int most = places.of(settings);
        assertTrue(
                most + most / Connections.STRANGERS_SHARE <= Descriptors.forGrpc(1_024), "" + most);
        assertTrue(places.finding().orElseThrow().message().contains("1024 files"));
    }

    @Test
    void takesWhatIsConfiguredWhereThereIsRoom() {
        Places places = new Places(OptionalLong.of(1_048_576));
        assertEquals(512, places.of(settings));
        assertEquals(Optional.empty(), places.finding());
        assertEquals(512, new Places(OptionalLong.empty()).of(settings));
    }
}
