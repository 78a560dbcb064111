package palyra.backup.internal.restore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;

/** Restores for the tests of other packages. */
public final class Restores {
    private Restores() {}

    /** Restores a sealed backup. */
    public static void into(Path state, InputStream in, byte[] passphrase) throws IOException {
        new Restore(state, Sample.UNFORCED, text -> {}, new ArrayList<>()::add)
                .from(in, () -> passphrase);
    }
}
