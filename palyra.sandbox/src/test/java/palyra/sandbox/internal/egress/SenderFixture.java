package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import palyra.api.PalyraException;
import palyra.api.core.egress.EgressRequest;
import palyra.api.core.egress.EgressResponse;

/** A sender on a stage. */
abstract class SenderFixture {
    Stage stage;

    @BeforeEach
    void set() throws IOException {
        stage = new Stage();
    }

    @AfterEach
    void strike() {
        stage.close();
        Stage.awaitNoThreads();
    }

    PalyraException refused(EgressRequest request) {
        return assertThrows(PalyraException.class, () -> stage.core.send(request));
    }

    static String text(EgressResponse response) throws IOException {
        try (response) {
            return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
