package palyra.sandbox.tierc.macos.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import palyra.shared.hash.Digests;

/** The constant parts of profiles, in SBPL, the language of {@code sandbox-exec}. Immutable. */
final class ProfileParts {
    private static final String[] NAMES = {
        "base", "strict-read", "broad-read", "workspace", "network-open", "network-proxy"
    };

    private ProfileParts() {}

    /** Returns a part by the name of its resource, without {@code .sb}. */
    static String part(String name) {
        try (InputStream in = ProfileParts.class.getResourceAsStream(name + ".sb")) {
            if (in == null) {
                throw new IllegalStateException("the bundle lacks its profile " + name + ".sb");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("the profile " + name + ".sb cannot be read", e);
        }
    }

    /** Returns the SHA-256 over all parts, in hex: the identity of the profiles of this build. */
    static String digest() {
        Digests digest = Digests.tagged("palyra.sandbox.macos.profiles.v1");
        for (String name : NAMES) {
            digest.lp(name).lp(part(name));
        }
        return Digests.hex(digest.bytes());
    }
}
