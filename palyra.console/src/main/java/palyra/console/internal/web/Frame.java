package palyra.console.internal.web;

import java.util.List;

/**
 * What every page has around its content.
 *
 * @param title title of the page
 * @param path path of the page, for marking it in the navigation
 * @param nonce nonce of this response
 * @param csrf token for forms; empty without a session
 * @param person who is signed in; empty without a session
 * @param navigation sections of the navigation; empty without a session
 * @param assets addresses of scripts and styles by file name, with a digest in each
 * @param version version of the product
 * @param stream address of the tab's event stream
 */
public record Frame(
        String title,
        String path,
        String nonce,
        String csrf,
        String person,
        List<NavigationSection> navigation,
        Assets assets,
        String version,
        String stream) {
    /** A section of the navigation. */
    public record NavigationSection(String name, List<NavigationLink> links) {}

    /** A link of the navigation. */
    public record NavigationLink(String title, String path, boolean current) {}

    /** Returns whether a session came with the request. */
    public boolean signedIn() {
        return !person.isEmpty();
    }
}
