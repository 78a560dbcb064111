package palyra.transport.grpc.internal.server;

import io.grpc.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.core.access.Credential;
import palyra.shared.hash.Ulids;

/** What a call says about itself in its metadata, checked. Refusals never repeat a credential. */
record CallMetadata(Metadata headers) {
    private static final Metadata.Key<String> AUTHORIZATION = key("authorization");
    private static final Metadata.Key<String> PRINCIPAL = key("x-palyra-principal");
    private static final Metadata.Key<String> DEVICE = key("x-palyra-device-id");
    private static final Metadata.Key<String> CHANNEL = key("x-palyra-channel");
    private static final Pattern BEARER = Pattern.compile("(?i)bearer +([\\x21-\\x7e]{1,512})");
    private static final Pattern PRINTABLE =
            Pattern.compile("[\\x21-\\x7e](?:[\\x20-\\x7e]{0,62}[\\x21-\\x7e])?");
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:@-]{1,128}");

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /**
     * Returns the token; empty when the call has none. UNAUTHENTICATED when it is not of the form.
     */
    Optional<Credential> token() {
        return one(AUTHORIZATION, ErrorCode.UNAUTHENTICATED)
                .map(
                        value -> {
                            Matcher bearer = BEARER.matcher(value.strip());
                            if (!bearer.matches()) {
                                throw new PalyraException(
                                        ErrorCode.UNAUTHENTICATED,
                                        "The metadata authorization is not of the form Bearer"
                                                + " palyra_….");
                            }
                            return new Credential.ApiToken(bearer.group(1));
                        });
    }

    /** Returns the id of whom the caller speaks for; empty means for itself. */
    String principal() {
        return text(PRINCIPAL, ID, "up to 128 of letters, digits and . _ : @ -");
    }

    /** Returns the device, a ULID; empty when the call names none. */
    String deviceId() {
        Optional<String> device = one(DEVICE, ErrorCode.INVALID_ARGUMENT);
        device.ifPresent(
                id ->
                        Require.that(
                                Ulids.isUlid(id),
                                "metadata "
                                        + DEVICE.name()
                                        + " is not a ULID: give its 26 characters in upper case,"
                                        + " or leave it out"));
        return device.orElse("");
    }

    /** Returns the channel; empty when the call names none. */
    String channel() {
        return text(CHANNEL, PRINTABLE, "1 to 64 printable characters");
    }

    private String text(Metadata.Key<String> key, Pattern form, String words) {
        Optional<String> value = one(key, ErrorCode.INVALID_ARGUMENT);
        value.ifPresent(
                text ->
                        Require.that(
                                form.matcher(text).matches(),
                                "metadata "
                                        + key.name()
                                        + " is not usable: give "
                                        + words
                                        + ", or leave it out"));
        return value.orElse("");
    }

    private Optional<String> one(Metadata.Key<String> key, ErrorCode whenSeveral) {
        Iterable<String> values = headers.getAll(key);
        if (values == null) {
            return Optional.empty();
        }
        List<String> all = new ArrayList<>();
        values.forEach(all::add);
        if (all.size() > 1) {
            throw new PalyraException(
                    whenSeveral,
                    "Metadata " + key.name() + " is given more than once; once will do.");
        }
        return Optional.of(all.get(0));
    }
}
