package palyra.sandbox.internal.egress;

import java.util.Optional;
import palyra.api.PalyraException;

/** What a URL leads to, for tools that must say so before anything is sent. Immutable. */
public final class Target {
    private final WebUrl url;

    private Target(WebUrl url) {
        this.url = url;
    }

    /**
     * Reads a URL as the client does.
     *
     * @throws PalyraException INVALID_ARGUMENT when it is no usable {@code http} or {@code https}
     *     URL; DENIED when it has user information, or a host that could be understood in two ways
     */
    public static Target of(String url) {
        try {
            return new Target(WebUrl.parse(url));
        } catch (RefusedException e) {
            throw e.forCaller();
        }
    }

    /** Returns the host in its canonical form: a lower-case name, or an address. */
    public String host() {
        return url.host().text();
    }

    /** Returns the port, also where it is the scheme's own. */
    public int port() {
        return url.port();
    }

    /** Returns the URL as text, without a fragment. */
    public String text() {
        return url.text();
    }

    /**
     * Returns where a {@code Location} leads if that has the same scheme, host and port; empty when
     * it leads elsewhere, or nowhere.
     */
    public Optional<Target> within(String location) {
        try {
            WebUrl there = url.resolve(location);
            return there.origin().equals(url.origin())
                    ? Optional.of(new Target(there))
                    : Optional.empty();
        } catch (RefusedException e) {
            return Optional.empty();
        }
    }
}
