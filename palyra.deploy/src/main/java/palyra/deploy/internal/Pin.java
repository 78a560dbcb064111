package palyra.deploy.internal;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A trusted file or signer.
 *
 * @param kind file or signer
 * @param hex SHA-256, lower-case hex
 */
record Pin(Kind kind, String hex) implements Comparable<Pin> {
    private static final Pattern LINE =
            Pattern.compile("(sha256|signer):([0-9a-fA-F]{64})(?:\\s.*)?");
    private static final Pattern BARE = Pattern.compile("[0-9a-fA-F]{64}");

    /** Kind of a pin. */
    enum Kind {
        /** A file by the digest of its bytes. */
        SHA256,
        /** A signer by the digest of the certificate in DER. */
        SIGNER
    }

    /** Returns the pin of a file's digest. */
    static Pin ofFile(String sha256) {
        return new Pin(Kind.SHA256, sha256);
    }

    /** Returns the pin of a certificate's digest. */
    static Pin ofSigner(String sha256) {
        return new Pin(Kind.SIGNER, sha256);
    }

    /** Parses a line; text after a space is a note. */
    static Optional<Pin> parse(String line) {
        Matcher matcher = LINE.matcher(line.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        Kind kind = Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
        return Optional.of(new Pin(kind, matcher.group(2).toLowerCase(Locale.ROOT)));
    }

    /** Parses a command argument: a line, or the digest of a file alone. */
    static Optional<Pin> parseArgument(String text) {
        return BARE.matcher(text).matches()
                ? Optional.of(ofFile(text.toLowerCase(Locale.ROOT)))
                : parse(text);
    }

    @Override
    public int compareTo(Pin other) {
        return toString().compareTo(other.toString());
    }

    /** Returns its line in the configuration. */
    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + ":" + hex;
    }
}
