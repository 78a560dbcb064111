package palyra.sandbox.internal.guard;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** How texts look that are paths, or are not although they have slashes. */
final class PathShapes {
    static final Pattern TILDE = Pattern.compile("~(?:[A-Za-z_][A-Za-z0-9_.-]*)?(?:/.*)?");
    static final Pattern DRIVE = // C:/x, unless a Unix root folder follows
            Pattern.compile(
                    "[A-Z]:/(?!/|(?:etc|home|root|var|proc|sys|dev|tmp|opt|srv|run|boot|mnt|media)"
                            + "(?:/|$)).*",
                    Pattern.DOTALL);
    static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*", Pattern.DOTALL);
    static final Pattern LATER_URL = Pattern.compile("(?i)[,{](?:file:|[a-z][a-z0-9+.-]*://)");
    static final Pattern CLUSTER =
            Pattern.compile("-[A-Za-z]{2,5}(?<path>(?:/|\\.\\./|\\.\\.$).*)", Pattern.DOTALL);
    static final Pattern TOP =
            Pattern.compile(
                    "/+(?:etc|home|root|var|proc|sys|dev|tmp|opt|srv|run|boot|mnt|media|Users"
                            + "|private)(?:/.*)?",
                    Pattern.DOTALL);

    static final Pattern HOST_AND_PATH = Pattern.compile("//[^/]+(?<path>/.*)", Pattern.DOTALL);

    private PathShapes() {}

    /** Whether everything from a position on has a shape. */
    static boolean starts(String text, int at, Pattern pattern) {
        return pattern.matcher(text).region(at, text.length()).matches();
    }

    /** Undoes percent-encoding, RFC 3986; a text that is not well encoded is what it is. */
    static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // not encoded, or not well: then it is what it is
        }
    }
}
