package palyra.console.internal.web;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.access.SignInProof;
import palyra.console.internal.session.Sessions;
import palyra.console.internal.session.Viewer;

/**
 * Asks for a factor in the middle of a change. The page that asks holds every field of the request
 * and sends them to the same address with the proof, so nothing that was typed is lost and no
 * request is kept here.
 */
public final class StepUp {
    /** Prefix of the fields of a proof. */
    private static final String PREFIX = "prove_";

    private static final Set<String> NOT_REPEATED = Set.of("csrf");
    private static final int MOST_FIELDS = 200;
    private static final int MOST_CHARACTERS = 1 << 20;

    /** A field of the request that waits. */
    public record Field(String name, String value) {}

    /**
     * The page that asks.
     *
     * @param address where the request goes
     * @param fields its fields
     * @param problem why the last proof was refused; empty for none
     */
    public record View(String address, List<Field> fields, String problem, boolean passwords) {}

    private final Sessions sessions;
    private final BooleanSupplier passwords;

    StepUp(Sessions sessions, BooleanSupplier passwords) {
        this.sessions = sessions;
        this.passwords = passwords;
    }

    /**
     * Returns the viewer after the proof that a request carries, or as it was without one.
     *
     * @throws PalyraException UNAUTHENTICATED or RESOURCE_EXHAUSTED when it is refused
     */
    Viewer proven(Exchange exchange) {
        Optional<SignInProof> proof = proof(exchange);
        return proof.isEmpty()
                ? exchange.viewer()
                : sessions.prove(exchange.request(), proof.get());
    }

    private Optional<SignInProof> proof(Exchange exchange) {
        String password = exchange.parameter(PREFIX + "password");
        String passkey = exchange.parameter(PREFIX + "id");
        if (!passkey.isEmpty()) {
            return Optional.of(
                    new SignInProof.Passkey(
                            passkey,
                            exchange.parameter(PREFIX + "client"),
                            exchange.parameter(PREFIX + "data"),
                            exchange.parameter(PREFIX + "signature")));
        }
        if (password.isEmpty()) {
            return Optional.empty();
        }
        if (!passwords.getAsBoolean()) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED, "Passwords do not count here; use a passkey.");
        }
        return Optional.of(new SignInProof.Password("", password));
    }

    /** Answers with the page that asks. */
    void ask(Exchange exchange, String problem) throws IOException {
        List<Field> fields = new ArrayList<>();
        long characters = 0;
        for (var entry : exchange.parameters().entrySet()) {
            if (entry.getKey().startsWith(PREFIX) || NOT_REPEATED.contains(entry.getKey())) {
                continue;
            }
            for (String value : entry.getValue()) {
                fields.add(new Field(entry.getKey(), value));
                characters += entry.getKey().length() + value.length();
            }
        }
        Require.that(
                fields.size() <= MOST_FIELDS && characters <= MOST_CHARACTERS,
                "the form is too large to ask for a factor in the middle of it; prove on the"
                        + " account page who you are, then send it again");
        if (exchange.partial()) {
            exchange.response().setHeader("HX-Retarget", "#content");
            exchange.response().setHeader("HX-Reswap", "innerHTML");
        }
        exchange.page(
                exchange.partial()
                        ? HttpServletResponse.SC_OK
                        : HttpServletResponse.SC_UNAUTHORIZED,
                "Is it you?",
                exchange.partial() ? "block/prove.jte" : "page/prove.jte",
                new View(
                        exchange.request().getRequestURI(),
                        fields,
                        problem,
                        passwords.getAsBoolean()));
    }
}
