package palyra.shared.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import palyra.api.PalyraException;

class DropInFolderTest {
    private static final Path STATE = Path.of("/var/lib/palyra");

    @Test
    void liesInTheStateFolderUnlessItIsAbsolute() {
        assertEquals(STATE.resolve("deploy"), DropInFolder.folder(STATE, ""));
        assertEquals(STATE.resolve("deploy"), DropInFolder.folder(STATE, "deploy"));
        assertEquals(STATE.resolve("drop/in"), DropInFolder.folder(STATE, "drop/./in"));
        assertEquals(Path.of("/srv/drop"), DropInFolder.folder(STATE, "/srv/drop"));
    }

    @Test
    void isNeverAPlaceOfTheGatewaysOwn() {
        for (String bad :
                List.of(".", "..", "/", "conf", "x/../conf", "keys/x", "deployed", "\0")) {
            assertThrows(PalyraException.class, () -> DropInFolder.folder(STATE, bad), bad);
        }
    }
}
