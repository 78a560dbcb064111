package palyra.console.internal.session;

import palyra.api.access.Principal;

/**
 * The person at a browser, as the request's session says.
 *
 * @param principal who
 * @param csrf token that every mutating request of the session carries
 */
public record Viewer(Principal principal, String csrf) {
    @Override
    public String toString() {
        return "Viewer[" + principal.id() + "]";
    }
}
