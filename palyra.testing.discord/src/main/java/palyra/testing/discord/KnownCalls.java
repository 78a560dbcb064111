package palyra.testing.discord;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** All calls of Discord's OpenAPI document, also those that the fake does not have. Pure. */
final class KnownCalls {
    private static final List<Route> ALL = read();

    private KnownCalls() {}

    private static List<Route> read() {
        try (InputStream in = KnownCalls.class.getResourceAsStream("calls.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .map(line -> line.split(" ", 2))
                    .map(call -> new Route(call[0].toLowerCase(Locale.ROOT), call[1], 0, null))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the document's name of a call; empty for one that Discord does not have. */
    static Optional<String> name(String method, String path) {
        return ALL.stream()
                .filter(one -> one.method().equals(method) && one.match(path).isPresent())
                .map(Route::name)
                .findFirst();
    }
}
