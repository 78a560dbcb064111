package palyra.vault.internal.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import palyra.vault.internal.crypto.Aead;

/** Names in a vault's folder. */
record Folder(Path path) {
    private static final int NAME_BYTES = 16;
    private static final String LOG = "index-";

    Path head() {
        return path.resolve("head");
    }

    Path temporaryHead() {
        return path.resolve("head.tmp");
    }

    Path log(String name) {
        return path.resolve(LOG + name);
    }

    Path values() {
        return path.resolve("values");
    }

    Path value(String name) {
        return values().resolve(name);
    }

    static String newName(Aead aead) {
        return HexFormat.of().formatHex(aead.randomBytes(NAME_BYTES));
    }

    boolean hasAnything() throws IOException {
        if (Files.exists(head(), LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        try (Stream<Path> values = values(this)) {
            return values.findAny().isPresent();
        }
    }

    private static Stream<Path> values(Folder folder) throws IOException {
        return Files.isDirectory(folder.values(), LinkOption.NOFOLLOW_LINKS)
                ? Files.list(folder.values())
                : Stream.empty();
    }

    /** Returns values and logs, of which only some count. */
    Stream<Path> leftovers() throws IOException {
        Stream<Path> logs =
                Files.list(path).filter(file -> file.getFileName().toString().startsWith(LOG));
        return Stream.concat(logs, values(this));
    }
}
