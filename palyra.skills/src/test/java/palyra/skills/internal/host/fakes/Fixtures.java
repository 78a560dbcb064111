package palyra.skills.internal.host.fakes;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Modules that are checked in beside their sources. */
public final class Fixtures {
    private Fixtures() {}

    /** Returns a module. */
    public static byte[] module(String name) {
        String path = "/palyra/skills/internal/run/" + name + ".wasm";
        try (InputStream in = Fixtures.class.getResourceAsStream(path)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
