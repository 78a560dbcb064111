package palyra.console.internal.web;

import java.io.IOException;

/** Answers a request. A {@link palyra.api.PalyraException} becomes a page with its sentence. */
@FunctionalInterface
public interface Handler {
    /** Answers. */
    void handle(Exchange exchange) throws IOException;
}
